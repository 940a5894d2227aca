import Glibc

/// Automatic syncs of one data directory, of which one runs and at most one waits.
///
/// Whoever waits has not begun, so its sync will take along what was changed meanwhile: nobody has
/// to start another one.
extension Lockbook {
    /// Whether a sync waits that will take along everything that was changed until now.
    public static func isSyncAwaited(directory: String) -> Bool {
        do {
            let lock = try LockFile(turnPath(directory))
            return withExtendedLifetime(lock) { lock == nil }
        } catch {
            return false
        }
    }

    /// Syncs after a pause and after the sync that runs.
    /// - Parameter pause: milliseconds in which further changes may come that go along.
    /// - Returns: nil when another process waits already and does the same.
    public func syncInTurn(
        pause: UInt64,
        unfinished: (SyncReport) -> Void = { _ in }
    ) async throws -> SyncReport? {
        do {
            guard let turn = try LockFile(Self.turnPath(account.directory)) else { return nil }
            try await Task.sleep(for: .milliseconds(pause))
            let running = try await LockFile.waiting(
                for: LockFile.file(Sync.lockPath(account.directory)),
                seconds: Self.patience
            )
            withExtendedLifetime((turn, running)) {}
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        return try await sync(unfinished: unfinished)
    }

    /// A first sync may take its time.
    private static var patience: Double { 3600 }
    private static func turnPath(_ directory: String) -> String { directory + "/sync-next.lock" }

    func forgetTurn() throws {
        try Disk.remove(Self.turnPath(account.directory))
    }
}
