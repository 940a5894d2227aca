import LockbookAPI

/// What one account may be offered: more than people share, and less than a device cannot follow.
enum ShareLimits {
    /// Accounts that share with one account.
    static let owners = Wire.followedLogCount
    /// Files that one account shares with another.
    static let grants = 500
    /// Accounts with which one file is shared.
    ///
    /// An entry has room for 1,000 grants and as many keys of a scope. Taking somebody out has a key
    /// for each who stays; letting somebody in tells of the members of the scopes around.
    static let members = 300
    /// Accounts that share with one account which has answered none of them.
    static let strangersPerRecipient = 32
    /// Accounts with which one account shares that have not answered it.
    static let strangersPerSender = 64
    /// As many of these as its admins may use up: the others are for itself.
    static let strangersOfAdmins = 32
    /// Invitations that one account has open.
    static let invitations = 64
    /// Invitations that nobody can use any more, of which an account's others are told how they ended.
    static let endedInvitations = 256
    /// How long an invitation may last: a year, in milliseconds.
    static let invitationTime: Int64 = 366 * 86_400_000
}
