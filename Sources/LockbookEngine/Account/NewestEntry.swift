import LockbookCrypto
package import LockbookModel

/// The newest change of an account, as a device or its server knows it: what two devices compare.
public struct NewestEntry: Sendable, Equatable, Codable {
    /// How many changes came before it.
    public var position: UInt64
    /// When it was made, by the clock of its device: milliseconds since 1970.
    public var created: Int64
    /// The device that made it: 32 hexadecimal digits.
    public var device: String
    /// The beginning of its hash in groups, to compare by eye.
    public var fingerprint: String

    package init(_ header: EntryHeader) {
        position = header.position
        created = header.created.milliseconds
        device = header.device.description
        fingerprint = Fingerprint.text(of: header.hash.description, digits: 16)
    }
}

/// The beginning of a long hexadecimal number in groups of four, to compare by eye.
enum Fingerprint {
    static func text(of digits: String, digits count: Int) -> String {
        stride(from: 0, to: count, by: 4).map { start in
            String(digits.dropFirst(start).prefix(4))
        }.joined(separator: " ")
    }
}
