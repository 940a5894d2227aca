import LockbookCrypto
import LockbookModel

/// Who this device's account is.
public struct AccountInfo: Sendable, Equatable, Codable {
    public var username: String
    /// 64 hexadecimal digits: a digest of the account's public keys.
    public var id: String
    public var server: String
    public var directory: String
    public var device: String
    public var deviceName: String
    public var registered: Bool
    /// When its owner deleted the account, in milliseconds since 1970, as far as this device was told;
    /// nil for one that is there.
    public var deleted: Int64?
    /// The beginning of the id in groups, to compare by eye.
    public var fingerprint: String
}

extension Lockbook {
    /// The address that this device syncs with.
    public var server: String { account.server.url }

    /// What this device's account is called.
    public var username: String { account.username }

    /// The id of this device, which no other account's has.
    public var device: String { account.device.description }

    public func accountInfo() throws -> AccountInfo {
        let id = AccountID(keys.publicKeys).description
        return AccountInfo(
            username: account.username,
            id: id,
            server: account.server.url,
            directory: account.directory,
            device: account.device.description,
            deviceName: environment.deviceName,
            registered: try store.read { try $0.setting(.registered) } != nil,
            deleted: try deletionTime(),
            fingerprint: Fingerprint.text(of: id, digits: 24)
        )
    }
}
