/// What one account may be offered: more than people share, and less than a device cannot follow.
enum ShareLimits {
    /// Accounts that share with one account.
    static let owners = 256
    /// Files that one account shares with another.
    static let grants = 500
}
