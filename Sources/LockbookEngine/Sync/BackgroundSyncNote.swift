import FoundationEssentials
import LockbookCrypto
import LockbookModel

/// What automatic syncs have to say, which nobody watched.
public struct BackgroundSyncNote: Sendable, Equatable, Codable {
    /// When the last of them ended: milliseconds since 1970.
    public var at: Int64
    /// Why it failed, in words for a person; nil when it, or another sync since, came through.
    public var failure: String?
    /// What they decided, one sentence each, until somebody takes it.
    public var decisions: [String]
}

extension Lockbook {
    /// Remembers how an automatic sync ended, for whoever looks later.
    public func noteBackgroundSync(failure: String?, decisions: [String]) throws {
        let known = try store.read { try $0.storedBackgroundSync() }
        guard failure != nil || !decisions.isEmpty || known?.failure != nil else { return }
        try store.write { tree in
            let known = try tree.storedBackgroundSync()?.decisions ?? []
            try tree.rememberBackgroundSync(
                BackgroundSyncNote(
                    at: environment.now().milliseconds,
                    failure: failure,
                    decisions: (known + decisions).suffix(BackgroundSyncNote.limit)
                )
            )
        }
    }

    /// Hands over what automatic syncs decided, and forgets it once somebody has seen it.
    ///
    /// What another one decided meanwhile is kept, with all that was shown.
    /// - Parameter show: also gets none; what it throws is thrown, and nothing is forgotten.
    public func showBackgroundDecisions(_ show: (_ decisions: [String]) throws -> Void) throws {
        let known = try store.read { try $0.storedBackgroundSync() }
        try show(known?.decisions ?? [])
        guard known != nil else { return }
        try store.write { tree in
            guard try tree.storedBackgroundSync() == known else { return }
            try tree.rememberBackgroundSync(nil)
        }
    }
}

extension BackgroundSyncNote {
    fileprivate static let limit = 200
}

extension LocalTree {
    /// What there is to tell; a failure only as long as no sync came through since.
    func backgroundSync() throws -> BackgroundSyncNote? {
        guard var note = try storedBackgroundSync() else { return nil }
        if try head() != nil, let last = try? Disk.status(Sync.lockPath(account.directory)),
            last.modified.milliseconds >= note.at
        {
            note.failure = nil
        }
        return note.failure == nil && note.decisions.isEmpty ? nil : note
    }

    func storedBackgroundSync() throws -> BackgroundSyncNote? {
        try sealed(.backgroundSync, for: Self.backgroundSync)
    }

    func rememberBackgroundSync(_ note: BackgroundSyncNote?) throws {
        try seal(note, as: .backgroundSync, for: Self.backgroundSync)
    }

    private static let backgroundSync: StaticString = "background sync"
}
