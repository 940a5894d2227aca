/// Why bytes are not the canonical form of a value.
package enum DecodingFailure: Error, Equatable, Sendable {
    /// The bytes end before the value does, or go on after it.
    case length
    /// A field holds something that its type has no meaning for.
    case invalid(field: StaticString)
    /// The format number is one that this program does not know.
    case unknownFormat(found: UInt8, known: UInt8)

    package static func == (left: DecodingFailure, right: DecodingFailure) -> Bool {
        switch (left, right) {
        case (.length, .length): true
        case (.invalid(let one), .invalid(let other)): "\(one)" == "\(other)"
        case (.unknownFormat(let a, let b), .unknownFormat(let c, let d)): a == c && b == d
        default: false
        }
    }
}

/// Reads what `CanonicalEncoder` wrote, and nothing else.
///
/// Every length is checked before anything is allocated for it; the caller ends with `finish()`.
package struct CanonicalDecoder: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        index = 0
    }

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    private var offset: Int { index - bytes.startIndex }

    package var remaining: Int { bytes.endIndex - index }

    package var isAtEnd: Bool { remaining == 0 }

    package mutating func byte() throws(DecodingFailure) -> UInt8 {
        guard index < bytes.endIndex else { throw .length }
        defer { index += 1 }
        return bytes[index]
    }

    package mutating func bool(_ field: StaticString) throws(DecodingFailure) -> Bool {
        switch try byte() {
        case 0: return false
        case 1: return true
        default: throw .invalid(field: field)
        }
    }

    package mutating func uint32() throws(DecodingFailure) -> UInt32 {
        guard remaining >= 4 else { throw .length }
        defer { index += 4 }
        return bytes.withUnsafeBytes {
            UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
    }

    package mutating func uint64() throws(DecodingFailure) -> UInt64 {
        guard remaining >= 8 else { throw .length }
        defer { index += 8 }
        return bytes.withUnsafeBytes {
            UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    package mutating func int64() throws(DecodingFailure) -> Int64 {
        Int64(bitPattern: try uint64())
    }

    package mutating func fixed(_ count: Int) throws(DecodingFailure) -> ArraySlice<UInt8> {
        guard count >= 0, remaining >= count else { throw .length }
        defer { index += count }
        return bytes[index..<index + count]
    }

    package mutating func counted() throws(DecodingFailure) -> ArraySlice<UInt8> {
        let count = Int(try uint32())
        return try fixed(count)
    }

    /// How many items follow, refused when fewer bytes are left than they need at the least.
    package mutating func count(itemsOfAtLeast size: Int) throws(DecodingFailure) -> Int {
        let count = Int(try uint32())
        guard count <= remaining / max(1, size) else { throw .length }
        return count
    }

    package mutating func hash() throws(DecodingFailure) -> Hash256 {
        Hash256(exactly: try fixed(32))
    }

    /// Everything up to here, from the start: what a signature behind it covers.
    package var consumed: ArraySlice<UInt8> { bytes[bytes.startIndex..<index] }

    /// Ends the value: nothing may follow.
    package func finish() throws(DecodingFailure) {
        guard remaining == 0 else { throw .length }
    }

    /// Reads the format byte and refuses a number from the future.
    package mutating func format(known: UInt8) throws(DecodingFailure) {
        let found = try byte()
        guard found == known else { throw .unknownFormat(found: found, known: known) }
    }

    /// Reads the format byte of a value that has several formats, from 1 on.
    package mutating func format(knownUpTo last: UInt8) throws(DecodingFailure) -> UInt8 {
        let found = try byte()
        guard (1...last).contains(found) else { throw .unknownFormat(found: found, known: last) }
        return found
    }
}
