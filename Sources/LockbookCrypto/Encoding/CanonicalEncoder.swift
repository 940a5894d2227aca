/// Writes the one byte form that a value has: fixed-width big-endian integers and counted bytes.
///
/// No choice is left to the writer (no variable-length integers, no optional order), so that two
/// implementations sign and hash the same bytes. `docs/FORMAT.md` section 1 describes it.
package struct CanonicalEncoder: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(reserving capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Starts with a label and a zero byte: what the bytes are for, so that they serve nothing else.
    package init(label: StaticString, reserving capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
        label.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(0)
    }

    package mutating func append(_ value: UInt8) {
        bytes.append(value)
    }

    package mutating func append(_ value: Bool) {
        bytes.append(value ? 1 : 0)
    }

    package mutating func append(_ value: UInt32) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ value: UInt64) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// A time or another signed number as its two's complement.
    package mutating func append(_ value: Int64) {
        append(UInt64(bitPattern: value))
    }

    // No generic methods: called from another module they cost a call through a witness table for
    // every byte.

    /// Bytes of a length that the format fixes: without a count.
    package mutating func append(fixed value: [UInt8]) {
        bytes.append(contentsOf: value)
    }

    package mutating func append(fixed value: ArraySlice<UInt8>) {
        bytes.append(contentsOf: value)
    }

    /// Padding up to a length, which must not be shorter than what is there.
    package mutating func pad(to count: Int) {
        bytes.append(contentsOf: [UInt8](repeating: 0, count: count - bytes.count))
    }

    package mutating func append(_ value: Hash256) {
        value.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Bytes of any length, after their count as 32 bits.
    package mutating func append(counted value: [UInt8]) {
        append(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func append(counted value: String.UTF8View) {
        append(UInt32(value.count))
        bytes.append(contentsOf: value)
    }
}
