import LockbookCrypto
import SecondImplementation
import Testing

struct EncodingTests {
    @Test func `numbers and counted bytes have one form`() {
        var encoder = CanonicalEncoder(label: "lockbook/v1/test")
        encoder.append(UInt8(7))
        encoder.append(true)
        encoder.append(UInt32(0x0102_0304))
        encoder.append(UInt64(0x0102_0304_0506_0708))
        encoder.append(Int64(-2))
        encoder.append(counted: [9, 8])
        encoder.append(fixed: [1])
        #expect(
            encoder.bytes
                == label("test") + [7, 1, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8]
                + Bytes(repeating: 0xff, count: 7) + [0xfe, 0, 0, 0, 2, 9, 8, 1]
        )
    }

    @Test func `hostile lengths are refused before anything is made of them`() throws {
        let hostile: [UInt32] = [5, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]
        for length in hostile {
            var counted = CanonicalDecoder(u32(length) + [1, 2, 3, 4])
            #expect(throws: DecodingFailure.length) { try counted.counted() }
            var count = CanonicalDecoder(u32(length) + [1, 2, 3, 4])
            #expect(throws: DecodingFailure.length) { try count.count(itemsOfAtLeast: 1) }
            // An item of no size must not make the bound meaningless.
            var empty = CanonicalDecoder(u32(length) + [1, 2, 3, 4])
            #expect(throws: DecodingFailure.length) { try empty.count(itemsOfAtLeast: 0) }
        }
        var negative = CanonicalDecoder([1, 2])
        #expect(throws: DecodingFailure.length) { try negative.fixed(-1) }
        #expect(throws: DecodingFailure.length) { try negative.fixed(.max) }
    }

    @Test func `only 0 and 1 are booleans, and bytes left over are refused`() throws {
        for value in 2...255 as ClosedRange<UInt8> {
            var decoder = CanonicalDecoder([value])
            #expect(throws: DecodingFailure.invalid(field: "test")) { try decoder.bool("test") }
        }
        var decoder = CanonicalDecoder([1, 0])
        #expect(try decoder.bool("test"))
        #expect(throws: DecodingFailure.length) { try decoder.finish() }
    }

    @Test func `every other format number is one from another time`() throws {
        for value in 0...255 as ClosedRange<UInt8> where value != 1 {
            var decoder = CanonicalDecoder([value])
            #expect(throws: DecodingFailure.unknownFormat(found: value, known: 1)) {
                try decoder.format(known: 1)
            }
        }
    }

    @Test func `bytes have one form in letters`() {
        for length in 0...11 {
            let bytes = Bytes(repeating: 0, count: length)
            let letters = Base32.encode(bytes)
            #expect(Base32.decode(letters.utf8) == bytes)
            // One more letter says nothing, or begins another byte; of the last one some bits are no byte's.
            if let more = Base32.decode((letters + "a").utf8) {
                #expect(Base32.encode(more) == letters + "a")
            }
            if !length.isMultiple(of: 5) {
                #expect(Base32.decode((String(letters.dropLast()) + "b").utf8) == nil)
            }
        }
    }

    @Test func `a slice is read from its own start`() throws {
        let bytes: Bytes = [9, 9, 1, 2, 3, 9]
        var decoder = CanonicalDecoder(bytes[2..<5])
        #expect(try decoder.byte() == 1)
        #expect(Bytes(decoder.consumed) == [1])
        #expect(decoder.remaining == 2)
        #expect(Bytes(try decoder.fixed(2)) == [2, 3])
        #expect(throws: DecodingFailure.length) { try decoder.byte() }
    }

    @Test func `hashes keep their bytes and are ordered by them`() throws {
        var generator = SeededGenerator(1)
        for _ in 0..<200 {
            let one = generator.bytes(32)
            let other = generator.bytes(32)
            let left = try #require(Hash256(one))
            let right = try #require(Hash256(other))
            #expect(left.bytes == one)
            #expect((left < right) == one.lexicographicallyPrecedes(other))
            #expect(left != right)
            #expect(Hash256(sha256: one).bytes == OpenSSL.sha256(one))
            #expect(Hash256(label: "lockbook/v1/x", one).bytes == labelled("x", one))
        }
        #expect(Hash256(Bytes(repeating: 0, count: 31)) == nil)
        #expect(Hash256(Bytes(repeating: 0, count: 33)) == nil)
    }
}
