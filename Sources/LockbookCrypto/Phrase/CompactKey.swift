/// Why a compact key is not one.
package enum CompactKeyFailure: Error, Equatable, Sendable {
    case notACompactKey
    case checksum
    case newerFormat(UInt8)
}

/// An account's seed as one line of text: `lb1`, then base32 of format, seed, what the newest known
/// log entry was, and four bytes of checksum.
///
/// Position and head are a minimum: a server that shows an older log to the new device is noticed.
package struct CompactKey: Equatable, Sendable {
    package var seed: AccountSeed
    package var position: UInt64
    package var head: Hash256

    static let prefix = "lb1"

    package init(seed: AccountSeed, position: UInt64, head: Hash256) {
        self.seed = seed
        self.position = position
        self.head = head
    }

    package var text: String {
        var encoder = CanonicalEncoder(reserving: 80)
        encoder.append(UInt8(1))
        encoder.append(fixed: seed.bytes)
        encoder.append(position)
        encoder.append(head)
        let checksum = Hash256(label: "lockbook/v1/compact-key", encoder.bytes).bytes.prefix(4)
        encoder.append(fixed: checksum)
        return Self.prefix + Base32.encode(encoder.bytes)
    }

    package init(_ text: String) throws(CompactKeyFailure) {
        let typed = text.lowercased().filter { !$0.isWhitespace }
        guard typed.hasPrefix(Self.prefix) else { throw .notACompactKey }
        guard let bytes = Base32.decode(typed.utf8.dropFirst(Self.prefix.utf8.count)),
            bytes.count > 5
        else { throw .checksum }
        let sum = Hash256(label: "lockbook/v1/compact-key", Array(bytes.dropLast(4))).bytes
        guard Array(bytes.suffix(4)) == Array(sum.prefix(4)) else { throw .checksum }
        guard bytes[0] == 1 else { throw .newerFormat(bytes[0]) }
        var decoder = CanonicalDecoder(Array(bytes.dropLast(4)))
        do {
            try decoder.format(known: 1)
            guard let seed = AccountSeed(try decoder.fixed(32)) else {
                throw CompactKeyFailure.notACompactKey
            }
            self.seed = seed
            position = try decoder.uint64()
            head = try decoder.hash()
            try decoder.finish()
        } catch {
            throw .notACompactKey
        }
    }
}
