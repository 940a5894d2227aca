import SecondImplementation
import Testing

@testable import LockbookCrypto

/// Everything that can be done to a blob without its key.
struct ContentTamperTests {
    private static let sealedChunk = 65_552
    private static let header = 33

    private func sample(chunks: Int) throws -> SealedSample {
        try SealedSample(noise(65_536 * chunks - 30_000))
    }

    private func parts(_ blob: Bytes) -> [Bytes] {
        stride(from: Self.header, to: blob.count, by: Self.sealedChunk).map {
            Bytes(blob[$0..<min($0 + Self.sealedChunk, blob.count)])
        }
    }

    private func refuses(
        _ sample: SealedSample,
        _ blob: Bytes,
        _ what: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: OpeningFailure.self, "\(what)", sourceLocation: location) {
            try sample.open(blob)
        }
    }

    @Test func `a blob cut anywhere is refused`() throws {
        let sample = try sample(chunks: 3)
        let count = sample.blob.count
        let borders = stride(from: Self.header, through: count, by: Self.sealedChunk).map { $0 }
        var cuts = Set([0, 1, 32, 33, 34, 48, 49, 50, count - 1, count - 16, count - 17, count / 2])
        for border in borders {
            cuts.formUnion([border - 17, border - 16, border - 1, border, border + 1, border + 16])
        }
        for cut in cuts where cut >= 0 && cut < count {
            refuses(sample, Bytes(sample.blob.prefix(cut)), "cut at \(cut)")
        }
    }

    @Test func `a small blob with any byte changed, cut or lengthened anywhere is refused`() throws
    {
        for plaintext in [noise(40), text(400), []] {
            let sample = try SealedSample(plaintext)
            for index in sample.blob.indices {
                var changed = sample.blob
                changed[index] ^= 0x10
                refuses(sample, changed, "byte \(index)")
                refuses(sample, Bytes(sample.blob.prefix(index)), "cut at \(index)")
            }
            for extra in [1, 15, 16, 17, 64] {
                refuses(sample, sample.blob + Bytes(repeating: 0, count: extra), "\(extra) more")
                refuses(sample, sample.blob + sample.blob.prefix(extra), "\(extra) again")
            }
        }
    }

    @Test func `chunks in another order, twice or left out are refused`() throws {
        let sample = try sample(chunks: 5)
        let head = Bytes(sample.blob.prefix(Self.header))
        let parts = parts(sample.blob)
        #expect(parts.count == 5)
        var orders = 0
        for order in permutations([0, 1, 2, 3, 4]) where order != [0, 1, 2, 3, 4] {
            refuses(sample, head + order.flatMap { parts[$0] }, "order \(order)")
            orders += 1
        }
        #expect(orders == 119)
        for index in 0..<5 {
            var dropped = parts
            dropped.remove(at: index)
            refuses(sample, head + dropped.flatMap { $0 }, "without \(index)")
            var doubled = parts
            doubled.insert(parts[index], at: index)
            refuses(sample, head + doubled.flatMap { $0 }, "\(index) twice")
            refuses(sample, head + parts[...index].flatMap { $0 }, "only to \(index)", on: index)
        }
    }

    private func refuses(_ sample: SealedSample, _ blob: Bytes, _ what: String, on index: Int) {
        if index < 4 { refuses(sample, blob, what) }
    }

    private func permutations(_ items: [Int]) -> [[Int]] {
        guard items.count > 1 else { return [items] }
        return items.flatMap { item in
            permutations(items.filter { $0 != item }).map { [item] + $0 }
        }
    }

    @Test func `chunks of two blobs do not mix`() throws {
        let one = try sample(chunks: 3)
        let other = try SealedSample(one.plaintext, seed: 50)
        let (first, second) = (parts(one.blob), parts(other.blob))
        for choice in 1..<7 {
            let mixed = (0..<3).flatMap { choice >> $0 & 1 == 0 ? first[$0] : second[$0] }
            refuses(one, Bytes(one.blob.prefix(Self.header)) + mixed, "choice \(choice)")
            refuses(one, Bytes(other.blob.prefix(Self.header)) + mixed, "choice \(choice)")
        }
        refuses(one, other.blob, "the other")
    }

    @Test func `a blob of another file, version, owner or compression is another key's`() throws {
        let sample = try SealedSample(text(500))
        for index in sample.second.binding.indices {
            var binding = sample.second.binding
            binding[index] ^= 1
            #expect(throws: OpeningFailure.wrongKey) {
                try ContentOpener.open(
                    sample.blob,
                    key: sample.key,
                    compression: sample.facts.compression,
                    size: sample.facts.size,
                    digest: sample.facts.digest,
                    bound: binding
                )
            }
        }
        #expect(throws: OpeningFailure.wrongKey) {
            try sample.open(sample.blob, compression: ContentCompression.none)
        }
        #expect(throws: OpeningFailure.wrongKey) {
            try ContentOpener.open(
                sample.blob,
                key: ContentKey(random: .seeded(77)),
                compression: .zstd,
                size: sample.facts.size,
                digest: sample.facts.digest,
                bound: sample.second.binding
            )
        }
    }

    @Test func `a blob of a format from another time is not opened`() throws {
        let sample = try SealedSample(text(500))
        for value in 0...255 as ClosedRange<UInt8> where value != 1 {
            var changed = sample.blob
            changed[0] = value
            refuses(sample, changed, "format \(value)")
        }
    }

    @Test func `nothing that was not verified is given out`() throws {
        let sample = try sample(chunks: 3)
        var changed = sample.blob
        changed[Self.header + Self.sealedChunk + 5] ^= 1
        var opener = try ContentOpener(
            key: sample.key,
            compression: sample.facts.compression,
            size: sample.facts.size,
            bound: sample.second.binding
        )
        var opened: Bytes = []
        var failed = false
        for start in stride(from: 0, to: changed.count, by: 10_000) {
            do {
                let end = min(start + 10_000, changed.count)
                opened += try opener.update(Bytes(changed[start..<end]))
            } catch {
                failed = true
                break
            }
        }
        #expect(failed)
        #expect(opened == Bytes(sample.plaintext.prefix(65_536)))
    }
}
