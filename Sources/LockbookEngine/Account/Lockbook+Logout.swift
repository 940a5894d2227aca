import Glibc

extension Lockbook {
    /// Removes the account from this device; what was synced stays on the server.
    /// - Parameters:
    ///   - force: gives up changes that were not synced.
    ///   - confirm: called when nothing stands against it any more; throws to keep the account.
    public func logout(force: Bool, confirm: () throws -> Void = {}) throws {
        guard let lock = try LockFile(Sync.lockPath(account.directory)) else {
            throw LockbookError.busy(what: "a sync of this account")
        }
        let changes = try store.read { try $0.changedRowIDs().count }
        guard force || changes == 0 else { throw LockbookError.unsyncedChanges(count: changes) }
        try confirm()
        // The key first: without it the rest is noise.
        do {
            try Disk.remove(AccountFile.path(in: account.directory))
            try Disk.syncFolder(account.directory)
            for name in ["", "-wal", "-shm"] {
                try Disk.remove("\(account.directory)/\(LocalStore.fileName)\(name)")
            }
            try store.blobs.removeAll()
            try LocalStore.rehearsalFolder(account.directory).removeAll()
            try Disk.remove(Sync.lockPath(account.directory))
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        withExtendedLifetime(lock) {}
        rmdir(account.directory)
    }
}
