import LockbookCrypto

extension Lockbook {
    /// Opens the account of a data directory.
    /// - Parameter busy: called when another process keeps a change waiting for some seconds.
    public static func open(directory: String, busy: @escaping @Sendable () -> Void = {}) throws
        -> Lockbook
    {
        var environment = EngineEnvironment.system
        environment.busy = busy
        return try open(directory: directory, environment: environment)
    }

    package static func open(directory: String, environment: EngineEnvironment) throws -> Lockbook {
        do {
            return try open(AccountFile(directory: directory), environment: environment)
        } catch LockbookError.noAccount {
            // Where notes are without their key, it is that which has to be brought back.
            try LocalStore.refuseOrphan(in: directory)
            throw LockbookError.noAccount(directory: directory)
        }
    }

    static func open(_ account: AccountFile, environment: EngineEnvironment) throws
        -> Lockbook
    {
        var environment = environment
        // Its own, and that of what others share with it: several accounts may be open at once.
        environment.openRequests = OpenRequests()
        let keys = try AccountKeys(seed: account.seed)
        let store = try LocalStore(account: account, keys: keys, environment: environment)
        return Lockbook(account: account, keys: keys, store: store, environment: environment)
    }

    /// Where the account syncs that a data directory holds; nil when it holds none.
    public static func serverOfAccount(in directory: String) throws -> ServerAddress? {
        try existing(directory)?.server
    }

    /// The account that a data directory holds already, if any.
    static func existing(_ directory: String) throws -> AccountFile? {
        do {
            return try AccountFile(directory: directory)
        } catch LockbookError.noAccount {
            return nil
        }
    }

    /// Keeps syncs of this account out until it is let go of.
    /// - Throws: `.busy` during one.
    func lockBetweenSyncs() throws -> LockFile {
        let lock: LockFile?
        do { lock = try LockFile(Sync.lockPath(account.directory)) } catch let failure
            as DiskFailure
        {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        guard let lock else { throw LockbookError.busy(what: "a sync of this account") }
        return lock
    }

    /// Keeps others from making, bringing or removing an account here at the same moment: one would go.
    static func lockFolder(_ directory: String) throws -> LockFile {
        do {
            while true {
                try Disk.makeFolder(directory)
                guard let lock = try LockFile(folder: directory, waitingSeconds: 15) else {
                    throw LockbookError.busy(
                        what: "account new, import or logout in \(directory)"
                    )
                }
                // Who held it before may have removed the folder, with an account that was refused.
                if try lock.isAt(directory) { return lock }
            }
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    /// Refuses a folder for a new account that may hold what is another one's, or another user's.
    static func refuseUsed(_ directory: String) throws {
        // It is made when the account is.
        guard Disk.exists(directory) else { return }
        do {
            try AccountFile.takeFolder(directory)
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        try LocalStore.refuseOrphan(in: directory)
    }

    /// Makes a folder ready for a new account, while nobody else may make one there.
    ///
    /// A logout that was cut off leaves what others share. It is sealed for a device whose key is gone: this one
    /// would go on with it, and open nothing.
    static func prepare(_ directory: String) throws {
        try refuseUsed(directory)
        do {
            guard try !StoreContext.namesOfSharers(in: directory).isEmpty else { return }
            try LocalStore.removeShares(in: directory)
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    /// Writes the key file; it is durable before anything refers to it.
    static func saving(_ account: AccountFile) throws {
        do {
            try account.save()
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }
}
