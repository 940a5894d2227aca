/// A server that was put back to an earlier state, and how far this device went back with it.
///
/// Several times, of which no report told, count as one.
public struct Rollback: Sendable, Equatable, Codable {
    /// The newest entry of the log that this device had seen.
    public var known: UInt64
    /// The newest entry that the server shows.
    public var shown: UInt64
    /// The newest entry that both know; nil when there is none.
    public var common: UInt64?
    /// When that entry was made, in milliseconds since 1970 by its author's clock.
    public var commonTime: Int64?
    /// How many files of this device the server has otherwise, or not at all.
    public var files: Int
    /// The users in whose shares the server forgot changes as well.
    public var shares: [String] = []
    /// What the server forgot of who is let into what this account shares, and is done once more.
    public var grants: [Regrant] = []

    /// What somebody may do in a shared file.
    public struct Regrant: Sendable, Equatable, Codable {
        public var path: String
        public var username: String
        /// Nil for who may do nothing there any more.
        public var mode: ShareRight?
    }
}

extension Rollback {
    /// Becomes what both are together: the furthest that this device went back, of the most that it saw.
    /// - Parameter untold: the one before; the files of both are counted already.
    mutating func follow(_ untold: Rollback) {
        shares = untold.shares
        let others = untold.grants.filter { old in
            !grants.contains { ($0.path, $0.username) == (old.path, old.username) }
        }
        grants = others + grants
        // Else only the logs of others went back.
        guard untold.known != untold.common else { return }
        known = max(known, untold.known)
        shown = min(shown, untold.shown)
        if untold.place < place { (common, commonTime) = (untold.common, untold.commonTime) }
    }

    /// Where it went back to, before all entries where none is common.
    private var place: Int64 { common.map { Int64(clamping: $0) } ?? -1 }
}
