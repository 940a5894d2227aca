import SecondImplementation
import Testing

@testable import LockbookCrypto

/// A content with its key, by both implementations.
struct SealedSample {
    let plaintext: Bytes
    let key: ContentKey
    let second: SecondContentKey
    let blob: Bytes
    let facts: SealedContentFacts

    init(_ plaintext: Bytes, seed: UInt64 = 1) throws {
        self.plaintext = plaintext
        key = ContentKey(random: .seeded(seed))
        second = SecondContentKey(
            key: key.bytes,
            owner: noise(32, seed: seed + 1),
            file: noise(16, seed: seed + 2),
            version: noise(16, seed: seed + 3)
        )
        (blob, facts) = try ContentSealer.seal(plaintext, key: key, bound: second.binding)
    }

    func open(_ blob: Bytes, compression: ContentCompression? = nil, size: UInt64? = nil) throws
        -> Bytes
    {
        try ContentOpener.open(
            blob,
            key: key,
            compression: compression ?? facts.compression,
            size: size ?? facts.size,
            digest: facts.digest,
            bound: second.binding
        )
    }
}

struct ContentTests {
    private static let chunk = 65_536
    private static let segment = 1 << 20

    /// Around every limit of chunks, trailers and segments.
    static let sizes: [Int] =
        [0, 1, 2, 15, 16, 17, 63, 64, 65, 1_000, 4_096]
        + [-33, -17, -16, -15, -1, 0, 1, 16].map { chunk + $0 }
        + [-16, -15, 0, 1].map { 2 * chunk + $0 } + [3 * chunk - 16, 5 * chunk + 7]
        + [-300, -16, 0, 1].map { segment + $0 } + [2 * segment - 400, 2 * segment + 1]

    @Test(arguments: sizes)
    func `OpenSSL opens what we seal, and the reverse, at every size`(_ size: Int) throws {
        for plaintext in [noise(size), text(size)] {
            let sample = try SealedSample(plaintext)
            #expect(try sample.open(sample.blob) == plaintext)
            #expect(
                try sample.second.open(
                    sample.blob,
                    compression: sample.facts.compression.rawValue,
                    size: UInt64(size)
                ) == plaintext
            )
            #expect(sample.facts.digest.bytes == sample.second.digest(plaintext))
            #expect(sample.facts.blob.hash.bytes == secondBlobName(sample.blob))
            #expect(sample.facts.blobByteCount == UInt64(sample.blob.count))
            #expect(BlobName(of: sample.blob) == sample.facts.blob)
            let plain = sample.second.seal(payload: plaintext, size: size, compression: 0)
            #expect(try sample.open(plain, compression: ContentCompression.none) == plaintext)
            let frame = SecondContentKey.deflate(plaintext)
            let packed = sample.second.seal(payload: frame, size: size, compression: 1)
            #expect(try sample.open(packed, compression: .zstd) == plaintext)
            if sample.facts.compression == .none { #expect(sample.blob == plain) }
        }
    }

    @Test(arguments: sizes)
    func `pieces of any length give a content that opens equal`(_ size: Int) throws {
        var generator = SeededGenerator(UInt64(size))
        let plaintext = size.isMultiple(of: 2) ? text(size) : noise(size)
        for compression in [ContentCompression.none, .zstd] {
            let sample = try SealedSample(plaintext)
            var sealer = try ContentSealer(
                key: sample.key,
                compression: compression,
                bound: sample.second.binding
            )
            var blob: Bytes = []
            var start = 0
            while start < size {
                let end = min(size, start + Int.random(in: 1...200_000, using: &generator))
                blob += try sealer.update(Bytes(plaintext[start..<end]))
                start = end
            }
            let (last, facts) = try sealer.finish()
            blob += last
            #expect(facts.digest == sample.facts.digest)
            #expect(facts.blob == BlobName(of: blob))
            if compression == .none {
                #expect(
                    blob == sample.second.seal(payload: plaintext, size: size, compression: 0)
                )
            }
            var opener = try ContentOpener(
                key: sample.key,
                compression: compression,
                size: UInt64(size),
                bound: sample.second.binding
            )
            var opened: Bytes = []
            start = 0
            while start < blob.count {
                let end = min(blob.count, start + Int.random(in: 1...90_000, using: &generator))
                opened += try opener.update(Bytes(blob[start..<end]))
                start = end
            }
            let (rest, digest) = try opener.finish()
            #expect(opened + rest == plaintext)
            #expect(digest == facts.digest)
        }
    }

    /// A frame of a whole content over 1 MiB once asked for a larger window than readers allow.
    @Test(arguments: [1_100_000, 3_000_000, 9_000_000])
    func `a large text sealed at once opens`(_ size: Int) throws {
        let sample = try SealedSample(text(size))
        #expect(sample.facts.compression == .zstd)
        #expect(try sample.open(sample.blob) == sample.plaintext)
    }

    @Test func `lengths are padded as Padmé says`() {
        // From the definition, with the exponents counted by hand.
        let known = [16: 16, 17: 18, 100: 104, 1_000: 1_024, 1_025: 1_088, 65_552: 67_584]
        for (length, padded) in known { #expect(ContentFormat.padme(length) == padded) }
        for length in 1...20_000 {
            let padded = ContentFormat.padme(length)
            #expect(padded == SecondContentKey.padme(length))
            #expect(padded >= length && Double(padded - length) <= 0.12 * Double(length) + 1)
            #expect(ContentFormat.padme(padded) == padded)
        }
        for shift in 15..<40 {
            for offset in [-1, 0, 1, 12_345] {
                let length = 1 << shift + offset
                #expect(ContentFormat.padme(length) == SecondContentKey.padme(length))
            }
        }
    }

    @Test func `sizes on a server are of few kinds`() throws {
        let sizes = try Set(
            (1_000..<1_500).map { try SealedSample(noise($0)).facts.blobByteCount }
        )
        #expect(sizes.count < 20)
    }

    @Test func `the same text twice gives two blobs, and nobody sees it come back`() throws {
        let one = try SealedSample(text(1_000), seed: 1)
        let other = try SealedSample(text(1_000), seed: 10)
        #expect(one.facts.blob != other.facts.blob)
        #expect(one.facts.digest != other.facts.digest)
    }
}
