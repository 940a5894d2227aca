import Crypto
package import FoundationEssentials

/// 32 bytes that name or identify something: a SHA-256 digest, held without allocation.
package struct Hash256: Hashable, Comparable, Sendable {
    // Four words in big-endian order, so that comparing them compares the bytes.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package static let zero = Hash256(words: (0, 0, 0, 0))

    private init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// From any 32 bytes.
    /// - Returns: nil when there are more or fewer.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.init(exactly: bytes)
    }

    package init?(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    package init?(_ bytes: some Collection<UInt8>) {
        self.init(Array(bytes)[...])
    }

    /// From bytes that are known to be 32.
    init(exactly bytes: ArraySlice<UInt8>) {
        self = bytes.withUnsafeBytes { Hash256(raw: $0) }
    }

    /// From memory that is known to hold 32 bytes.
    init(raw: UnsafeRawBufferPointer) {
        precondition(raw.count >= 32)
        func word(_ offset: Int) -> UInt64 {
            UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        words = (word(0), word(8), word(16), word(24))
    }

    /// The SHA-256 of some bytes.
    package init(sha256 bytes: some DataProtocol) {
        self.init(digest: SHA256.hash(data: bytes))
    }

    /// The SHA-256 of a label, a zero byte and some bytes: digests of two purposes never meet.
    package init(label: StaticString, _ bytes: [UInt8]) {
        var hash = SHA256()
        label.withUTF8Buffer { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        Swift.withUnsafeBytes(of: 0 as UInt8) { hash.update(bufferPointer: $0) }
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        self.init(digest: hash.finalize())
    }

    init(digest: SHA256.Digest) {
        self = digest.withUnsafeBytes { Hash256(raw: $0) }
    }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        let big = (
            words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
        )
        return try Swift.withUnsafeBytes(of: big, body)
    }

    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The first 16 bytes, for ids that are derived from a digest.
    package var firstHalf: (UInt64, UInt64) { (words.0, words.1) }

    package static func == (left: Hash256, right: Hash256) -> Bool {
        left.words == right.words
    }

    package static func < (left: Hash256, right: Hash256) -> Bool {
        left.words < right.words
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

extension Hash256: CustomStringConvertible {
    package var description: String { bytes.hex }
}

extension Collection<UInt8> {
    /// Two lower-case hexadecimal digits a byte.
    package var hex: String {
        withContiguousStorageIfAvailable(hexadecimal)
            ?? Array(self).withUnsafeBufferPointer(hexadecimal)
    }
}

// Listings write an id for each file: not in generic code.
private func hexadecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
    return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
        var place = 0
        for byte in bytes {
            text.initializeElement(at: place, to: digit(byte >> 4))
            text.initializeElement(at: place + 1, to: digit(byte & 15))
            place += 2
        }
        return place
    }
}

/// A SHA-256 of what comes piece by piece.
package struct Hasher256 {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: some DataProtocol) {
        hash.update(data: bytes)
    }

    package func finish() -> Hash256 { Hash256(digest: hash.finalize()) }
}
