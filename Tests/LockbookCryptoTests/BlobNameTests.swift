import LockbookCrypto
import SecondImplementation
import Testing

struct BlobNameTests {
    private static let segment = 1 << 20

    @Test(arguments: [0, 1, segment - 1, segment, segment + 1, 2 * segment, 3 * segment + 77])
    func `names are OpenSSL's, in pieces of any length`(_ size: Int) {
        let blob = noise(size)
        #expect(BlobName(of: blob).hash.bytes == secondBlobName(blob))
        var generator = SeededGenerator(UInt64(size))
        var namer = BlobNamer()
        var start = 0
        while start < size {
            let end = min(size, start + Int.random(in: 1...700_000, using: &generator))
            namer.update(Array(blob[start..<end]))
            start = end
        }
        #expect(namer.finish() == BlobName(of: blob))
        #expect(namer.segments.count == (size + Self.segment - 1) / Self.segment)
        #expect(ContentFormat.segmentCount(of: UInt64(size)) == UInt64(namer.segments.count))
        #expect(
            BlobName(length: UInt64(size), segments: namer.segments) == BlobName(of: blob)
        )
    }

    @Test func `another byte, length or order of segments is another name`() throws {
        let blob = noise(2 * Self.segment)
        let name = BlobName(of: blob)
        for index in [0, Self.segment - 1, Self.segment, 2 * Self.segment - 1] {
            var changed = blob
            changed[index] ^= 1
            #expect(BlobName(of: changed) != name)
        }
        #expect(BlobName(of: blob.dropLast()) != name)
        #expect(BlobName(of: blob + [0]) != name)
        #expect(
            BlobName(of: Bytes(blob[Self.segment...] + blob[..<Self.segment])) != name
        )
    }

    /// Without a length and a label, the digests of a long blob would be a short blob themselves.
    @Test func `a blob of digests has not the name of what they are of`() {
        let blob = noise(2 * Self.segment)
        let digests =
            OpenSSL.sha256(Bytes(blob[..<Self.segment]))
            + OpenSSL.sha256(Bytes(blob[Self.segment...]))
        #expect(BlobName(of: digests) != BlobName(of: blob))
        #expect(BlobName(of: blob).hash.bytes != OpenSSL.sha256(digests))
    }
}

extension BlobName {
    fileprivate init(of slice: ArraySlice<UInt8>) { self.init(of: Bytes(slice)) }
}
