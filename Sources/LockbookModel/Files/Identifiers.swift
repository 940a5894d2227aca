package import LockbookCrypto

/// The id of a file: 16 random bytes, never used again.
package struct FileID: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    package init(random: RandomSource) {
        self.init(exactly: random.bytes(16)[...])
    }

    /// From 16 bytes; nil for another number of them.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(exactly: bytes)
    }

    package init?(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    package init?(_ bytes: some Collection<UInt8>) {
        self.init(Array(bytes)[...])
    }

    /// From 32 hexadecimal digits; nil for anything else.
    package init?(hex: some StringProtocol) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes)
    }

    /// The id of an account's root, which follows from the account's.
    package init(rootOf account: AccountID) {
        (high, low) =
            Hash256(label: "lockbook/v1/root-id", account.hash.bytes).firstHalf
    }

    init(exactly bytes: ArraySlice<UInt8>) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for byte in bytes.prefix(8) { high = high << 8 | UInt64(byte) }
        for byte in bytes.dropFirst(8).prefix(8) { low = low << 8 | UInt64(byte) }
        self.high = high
        self.low = low
    }

    package var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    package static func < (left: FileID, right: FileID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension FileID: CustomStringConvertible {
    /// 32 hexadecimal digits.
    package var description: String { bytes.hex }
}

/// The id of an account: a digest of its public keys.
package struct AccountID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let hash: Hash256

    package init(hash: Hash256) {
        self.hash = hash
    }

    package init(_ keys: AccountPublicKeys) {
        hash = keys.fingerprint
    }

    package var description: String { hash.description }

    package static func < (left: AccountID, right: AccountID) -> Bool { left.hash < right.hash }
}

/// The id of one data directory of an account, drawn when it is made.
package struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    private let id: FileID

    package init(random: RandomSource) {
        id = FileID(random: random)
    }

    package init?(_ bytes: ArraySlice<UInt8>) {
        guard let id = FileID(bytes) else { return nil }
        self.id = id
    }

    package init?(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    package var bytes: [UInt8] { id.bytes }
    package var description: String { id.description }
}

/// The id of one version of one document's content.
package struct VersionID: Hashable, Sendable {
    private let id: FileID

    package init(random: RandomSource) {
        id = FileID(random: random)
    }

    package init?(_ bytes: ArraySlice<UInt8>) {
        guard let id = FileID(bytes) else { return nil }
        self.id = id
    }

    package init?(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    package var bytes: [UInt8] { id.bytes }
}

/// How the name of a blob begins: which words a document held, where that is remembered of many.
package struct BlobPrefix: Hashable, Sendable {
    private let id: FileID

    package init(of blob: BlobName) {
        id = FileID(exactly: blob.hash.bytes.prefix(16))
    }

    package init?(_ bytes: [UInt8]) {
        guard let id = FileID(bytes) else { return nil }
        self.id = id
    }

    package var bytes: [UInt8] { id.bytes }
}

extension [UInt8] {
    /// Reads pairs of hexadecimal digits, small or capital.
    package init?(hex text: some StringProtocol) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = digit.hexadecimalValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else { return nil }
        self = bytes
    }
}

extension UInt8 {
    /// What a letter of ASCII stands for as a digit of base 16.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
