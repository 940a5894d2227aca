import Glibc

extension Lockbook {
    /// Removes the account from this device; what was synced stays on the server.
    /// - Parameters:
    ///   - force: gives up changes that were not synced.
    ///   - confirm: called when nothing stands against it any more; throws to keep the account.
    public func logout(force: Bool, confirm: () throws -> Void = {}) throws {
        let lock = try lockBetweenSyncs()
        func refuseUnsynced(_ tree: LocalTree) throws {
            let changes =
                try tree.changedRowIDs().count + tree.wishes().count
                + unsyncedShares(tree)
            guard force || changes == 0 else {
                throw LockbookError.unsyncedChanges(count: changes)
            }
        }
        try store.read { try refuseUnsynced($0) }
        try confirm()
        do {
            // The key first: without it the rest is noise. In a transaction, so that whoever writes
            // at this moment either comes before, and counts, or finds that the key is gone.
            try store.write { tree in
                try refuseUnsynced(tree)
                try Disk.remove(AccountFile.path(in: account.directory))
                try Disk.syncFolder(account.directory)
                try tree.forgetEverything()
            }
            for name in ["", "-wal", "-shm"] {
                try Disk.remove("\(account.directory)/\(LocalStore.fileName)\(name)")
            }
            try removeShares()
            try store.blobs.removeAll()
            try LocalStore.rehearsalFolder(account.directory).removeAll()
            try Disk.remove(Sync.lockPath(account.directory))
            try forgetCommandLines()
            try forgetTurn()
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        withExtendedLifetime(lock) {}
        rmdir(account.directory)
    }
}
