import LockbookCrypto
import LockbookModel

/// Whom the server forgot with all that was shared with them, or an admin let into a share that goes to
/// another owner: a device that never met them knows their keys from these grants alone.
extension LocalTree {
    /// Keeps one grant for each account that something is to be shared with again.
    func keepLost(_ grants: [Grant]) throws {
        let awaited = Set(try wishes().map(\.grantee))
        var kept = try lostGrants().filter { awaited.contains($0.key) }
        for grant in grants { kept[AccountID(grant.grantee)] = grant }
        var encoder = CanonicalEncoder()
        encoder.append(UInt32(kept.count))
        for (_, grant) in kept.sorted(by: { $0.key < $1.key }) {
            encoder.append(counted: grant.bytes)
        }
        try set(.lostGrants, to: encoder.bytes)
    }

    /// The keys and the name of an account that the log named before the server lost it.
    func lostGrant(to account: AccountID) throws -> Grant? { try lostGrants()[account] }

    private func lostGrants() throws -> [AccountID: Grant] {
        guard let bytes = try setting(.lostGrants) else { return [:] }
        var decoder = CanonicalDecoder(bytes)
        var grants: [AccountID: Grant] = [:]
        for _ in 0..<(try decoder.uint32()) {
            let grant = try Grant(Array(try decoder.counted()))
            grants[AccountID(grant.grantee)] = grant
        }
        try decoder.finish()
        return grants
    }
}
