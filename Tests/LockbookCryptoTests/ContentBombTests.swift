import SecondImplementation
import Testing

@testable import LockbookCrypto

@Suite(.serialized)
struct ContentBombTests {
    /// 1 GiB of zeros as a frame of raw run-length blocks: 128 KiB for every 4 bytes.
    private static func bomb(blocks: Int) -> Bytes {
        // Magic, no single segment, a window of 1 MiB.
        var frame: Bytes = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50]
        for index in 0..<blocks {
            let header = 131_072 << 3 | 1 << 1 | (index == blocks - 1 ? 1 : 0)
            frame += [UInt8(header & 0xff), UInt8(header >> 8 & 0xff), UInt8(header >> 16), 0]
        }
        return frame
    }

    @Test(arguments: [0, 1, 10, 100_000] as [UInt64])
    func `1 GiB of zeros announced as little is refused at once`(_ announced: UInt64) throws {
        let frame = Self.bomb(blocks: 8_192)
        #expect(frame.count < 40_000)
        let sample = try SealedSample(text(100))
        let blob = sample.second.seal(payload: frame, size: Int(announced), compression: 1)
        var opener = try ContentOpener(
            key: sample.key,
            compression: .zstd,
            size: announced,
            bound: sample.second.binding
        )
        var given: UInt64 = 0
        #expect(throws: OpeningFailure.malformed) {
            try opener.update(blob) { given += UInt64($0.count) }
            _ = try opener.finish { given += UInt64($0.count) }
        }
        #expect(given <= announced)
    }

    @Test func `a frame that never ends is bounded by what was announced`() throws {
        // No last block.
        let frame = Bytes(Self.bomb(blocks: 8_193).dropLast(4))
        let sample = try SealedSample(text(100))
        let blob = sample.second.seal(payload: frame, size: 1_000_000, compression: 1)
        #expect(throws: OpeningFailure.malformed) {
            try sample.open(blob, compression: .zstd, size: 1_000_000)
        }
    }

    /// A disk image of zeros: 64 MiB in one chunk of a few kilobytes.
    @Test func `a chunk that inflates far is given out in small pieces`() throws {
        let key = ContentKey(random: .seeded(1))
        let zeros = Bytes(repeating: 0, count: 1 << 20)
        var sealer = try ContentSealer(key: key, compression: .zstd, bound: [])
        var blob: Bytes = []
        for _ in 0..<64 { blob += try sealer.update(zeros) }
        let (last, facts) = try sealer.finish()
        blob += last
        #expect(blob.count < 65_536)
        var opener = try ContentOpener(
            key: key,
            compression: .zstd,
            size: facts.size,
            bound: []
        )
        var count = 0
        var largest = 0
        func note(_ piece: Bytes) {
            count += piece.count
            largest = max(largest, piece.count)
        }
        try opener.update(blob, into: note)
        let digest = try opener.finish(into: note)
        #expect(digest == facts.digest)
        #expect(count == 64 << 20)
        #expect(largest <= 131_072)
    }

    @Test func `what the reader's sink throws reaches the reader`() throws {
        struct DiskFull: Error {}
        for plaintext in [text(1_000), noise(200_000)] {
            let sample = try SealedSample(plaintext)
            var opener = try ContentOpener(
                key: sample.key,
                compression: sample.facts.compression,
                size: sample.facts.size,
                bound: sample.second.binding
            )
            #expect(throws: DiskFull.self) {
                try opener.update(sample.blob) { _ in throw DiskFull() }
                _ = try opener.finish { _ in throw DiskFull() }
            }
        }
    }
}
