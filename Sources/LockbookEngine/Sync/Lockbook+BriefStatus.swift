import LockbookModel

/// How a lockbook stands, in what a prompt has room for.
public struct BriefStatus: Sendable, Equatable {
    public var username: String
    /// How many files a sync would push.
    public var changes: Int
    /// Whether the last sync stopped and asks for a decision.
    public var isStopped: Bool
    /// Whether the last automatic sync failed, or any was refused, and none came through since.
    public var hasFailed: Bool
}

extension Lockbook {
    /// How this device stands, without walking the tree as `status` does.
    public func briefStatus() throws -> BriefStatus {
        try store.read { tree in
            BriefStatus(
                username: account.username,
                changes: try tree.unsyncedIDs().count { $0 != tree.root },
                isStopped: try tree.setting(.stop) != nil,
                hasFailed: try tree.backgroundSync()?.failure != nil
                    || tree.setting(.failedSync) != nil
            )
        }
    }
}
