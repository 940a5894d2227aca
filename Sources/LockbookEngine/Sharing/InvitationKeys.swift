import LockbookCrypto
import LockbookModel

/// The keys under which this device keeps what no server knows of invitations.
struct InvitationKeys: Sendable {
    private let secrets: LocalKey
    private let destinations: LocalKey

    init(_ key: DeviceKey) {
        secrets = key.key(for: "invitation")
        destinations = key.key(for: "awaited")
    }

    func seal(_ secret: InvitationSecret, random: RandomSource) throws -> [UInt8] {
        try secrets.seal(secret.bytes, bound: secret.name, random: random)
    }

    /// - Parameter name: 16 bytes, by which the server knows the invitation.
    /// - Returns: nil for what another device sealed, or for another invitation.
    func secret(_ sealed: [UInt8], of name: [UInt8]) -> InvitationSecret? {
        (try? secrets.open(sealed, bound: name)).flatMap { InvitationSecret($0) }
    }

    /// - Parameter file: what the link there is to lead to.
    func seal(destination: String, of file: FileID, random: RandomSource) throws -> [UInt8] {
        try destinations.seal(Array(destination.utf8), bound: file.bytes, random: random)
    }

    /// - Returns: nil for what another device sealed, or for another file.
    func destination(_ sealed: [UInt8], of file: FileID) -> String? {
        (try? destinations.open(sealed, bound: file.bytes)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
