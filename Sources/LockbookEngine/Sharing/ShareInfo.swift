import LockbookModel

/// What somebody may do with what was shared.
public enum ShareRight: String, Sendable, Codable, CaseIterable {
    case read, write
    /// As `write`, and lets others in, changes their rights and takes them back.
    case admin

    var mode: ShareMode {
        switch self {
        case .read: .read
        case .write: .write
        case .admin: .admin
        }
    }
}

/// One account's part in a file of this one.
public struct ShareInfo: Sendable, Equatable, Codable {
    public enum State: String, Sendable, Codable {
        case shared
        /// The next sync shares it, changes the right, or takes it back.
        case waiting
        case takingBack
        /// Nobody has used the invitation yet; there is no name.
        case invited
    }

    /// 32 hexadecimal digits, of the file.
    public var id: String
    public var path: String
    public var username: String
    public var mode: ShareRight
    /// Milliseconds since 1970; nil before the first sync.
    public var since: Int64?
    /// Whether somebody compared the numbers of `share verify`.
    public var verified: Bool
    public var state: State
    /// 32 hexadecimal digits, of an invitation.
    public var invitation: String?
    /// Until when an invitation can be used: milliseconds since 1970.
    public var expires: Int64?
    /// Whether the account is offered to be its owner; nil where it is not.
    public var transfer: Bool?
    /// The account that shares it; nil where that is this one.
    public var owner: String?
    /// How many deleted files are in it, which the account can read, too; nil but of what was just
    /// shared.
    public var deleted: Int?
}

/// An invitation that was just made.
public struct Invitation: Sendable, Equatable, Codable {
    /// 32 hexadecimal digits; they name it and give nothing away.
    public var id: String
    /// 32 hexadecimal digits, of the file.
    public var file: String
    public var path: String
    /// The account that shares it; nil where that is this one.
    public var owner: String?
    public var mode: ShareRight
    /// Milliseconds since 1970.
    public var expires: Int64
    /// What the other side types.
    ///
    /// Whoever uses it first is let in: it is shown once, and not kept.
    public var code: String
    /// How many deleted files are in it, which whoever is let in can read, too.
    public var deleted: Int
}

/// An invitation of another account that was used here.
public struct AcceptedInvitation: Sendable, Equatable, Codable {
    public var from: String
    /// Whose it is, where another account invites to it: the name, or where that was never met the
    /// account id in hexadecimal digits.
    public var owner: String?
    public var mode: ShareRight
    /// Until when the other account has to sync: milliseconds since 1970.
    public var expires: Int64
    /// Whether the other account has done so, after an earlier use of the code.
    public var isLetIn: Bool
}

/// What an invitation that was used here promised, and has not come yet.
public struct AwaitedShare: Sendable, Equatable, Codable {
    /// 32 hexadecimal digits, of the file.
    public var id: String
    /// Who invited, and has to sync.
    public var by: String
    /// Whose it is, as in `AcceptedInvitation`; nil where that is who invited.
    public var owner: String?
    /// Until when the other account has to sync: milliseconds since 1970.
    public var expires: Int64
}

/// What keeps a share from being made.
public struct HeldShare: Sendable, Equatable, Codable {
    /// 32 hexadecimal digits, of what is to be shared.
    public var id: String
    /// What is in the way.
    public var path: String
    /// Why, and what can be done about it.
    public var reason: String
}

/// What another account shares with this one.
public struct ShareOffer: Sendable, Equatable, Codable {
    /// 32 hexadecimal digits, of the file; `id:` before it, and it can be listed and read.
    public var id: String
    public var from: String
    public var mode: ShareRight
    /// What its owner calls it.
    public var name: String
    public var type: FileInfo.Kind
    /// Whether its owner's keys were compared.
    public var verified: Bool
    /// Whether its owner gives it to this account, for good.
    public var transfer: Bool
}

extension ShareRight {
    init(_ mode: ShareMode) {
        self =
            switch mode {
            case .none, .read: .read
            case .write: .write
            case .admin: .admin
            }
    }
}
