import Glibc

extension Lockbook {
    /// Removes the account from this device; what was synced stays on the server.
    /// - Parameters:
    ///   - force: gives up changes that were not synced.
    ///   - confirm: called when nothing stands against it any more; throws to keep the account.
    /// - Throws: `.noAccount` when another process removed it meanwhile; `.notAllRemoved` when it is
    ///   gone, and some of its files are not.
    public func logout(force: Bool, confirm: () throws -> Void = {}) throws {
        let lock = try lockFolderOfThis()
        defer { withExtendedLifetime(lock) {} }
        try remove(isForced: force, confirm: confirm) { tree in
            // What cannot be read is given up, too.
            guard !force else { return }
            let changes =
                try tree.unsyncedIDs().count + tree.wishes().count
                + tree.owedInvitations().count + unsyncedShares(tree) + (tree.isBookStale() ? 1 : 0)
            guard changes == 0 else {
                throw try tree.deletionTime() == nil
                    ? LockbookError.unsyncedChanges(count: changes)
                    : LockbookError.unsyncableChanges(count: changes)
            }
        }
    }

    /// Removes an account that was made just now, and that the server would not have.
    ///
    /// For who makes it, while nobody else may make one there. It stays when it is registered after
    /// all, or when somebody wrote something in it meanwhile.
    /// - Returns: whether it is gone.
    public func removeUnused() throws -> Bool {
        do {
            try remove { tree in
                let isUsed =
                    try tree.setting(.registered) != nil
                    || tree.changedRowIDs().contains { $0 != tree.root }
                    || !tree.wishes().isEmpty
                if isUsed { throw AccountIsUsed() }
            }
            return true
        } catch is AccountIsUsed {
            return false
        }
    }

    /// Keeps others from making or bringing an account here until this one is gone.
    ///
    /// The database of theirs would go with it.
    private func lockFolderOfThis() throws -> LockFile {
        let lock = try Self.lockFolder(account.directory)
        guard try Self.existing(account.directory)?.device == account.device else {
            // To be locked it is made anew where the account left nothing behind.
            rmdir(account.directory)
            throw LockbookError.noAccount(directory: account.directory)
        }
        return lock
    }

    /// Takes the key away: without it the rest is noise.
    ///
    /// It has another name before the transaction ends, so that whoever writes at this moment either
    /// comes before, and counts, or finds no account. It is there until that is done: what fails, or
    /// is killed, leaves the account. By force it goes also where the disk has no room for that
    /// transaction: to remove the account is what makes some.
    private func forgetKey(
        isForced: Bool,
        unless refuse: (LocalTree) throws -> Void
    ) throws {
        let path = AccountFile.path(in: account.directory)
        let left = account.directory + "/" + AccountFile.leavingName
        var (mayGo, isLeft) = (false, false)
        do {
            try store.write { tree in
                try refuse(tree)
                mayGo = isForced
                try tree.forgetEverything()
                _ = try Disk.retry(path) { Glibc.rename(path, left) }
                isLeft = true
                try Disk.syncFolder(account.directory)
            }
        } catch LockbookError.store where mayGo {
            // Nothing opens what it would have emptied.
        } catch {
            if isLeft { _ = Glibc.rename(left, path) }
            throw error
        }
        // What has its other name goes with the rest.
        if !isLeft { try Disk.remove(path) }
    }

    /// Removes what is noise without the key: all that can be, since nobody can ask for it once more.
    private func removeRest() throws {
        let directory = account.directory
        let key = AccountFile.path(in: directory)
        let left = directory + "/" + AccountFile.leavingName
        let steps: [() throws -> Void] = [
            // A change of its server that was cut off left the last one.
            { try Disk.each([left, key, key + ".new"]) { try Disk.remove($0) } },
            { try Disk.syncFolder(directory) },
            { try LocalStore.removeShares(in: directory) },
            // Until they are gone it says, empty, whose they were.
            { try LocalStore.removeDatabase(in: directory) },
            store.blobs.removeAll,
            LocalStore.rehearsalFolder(directory).removeAll,
            { try Disk.remove(Sync.lockPath(directory)) },
            { try Disk.remove(ExportTarget.lockPath(directory)) },
            forgetCommandLines,
            forgetDraftPlaces,
            forgetTurn,
        ]
        try Disk.each(steps) { try $0() }
    }

    /// - Parameters:
    ///   - isForced: whether it is removed also where nothing can be written any more.
    ///   - refuse: throws where something stands against it.
    private func remove(
        isForced: Bool = false,
        confirm: () throws -> Void = {},
        unless refuse: (LocalTree) throws -> Void
    ) throws {
        let lock = try lockBetweenSyncs()
        try store.read { try refuse($0) }
        try confirm()
        do {
            try forgetKey(isForced: isForced, unless: refuse)
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        defer {
            withExtendedLifetime(lock) {}
            rmdir(account.directory)
        }
        do {
            try removeRest()
        } catch let failure as DiskFailure {
            throw LockbookError.notAllRemoved(
                directory: account.directory,
                path: failure.path,
                reason: failure.reason
            )
        }
    }
}

/// What stands against removing an account as one that was never used.
private struct AccountIsUsed: Error {}
