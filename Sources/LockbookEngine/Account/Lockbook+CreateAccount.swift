import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Makes an account, or names one anew that no server knows.
    ///
    /// The server hears of it when it is told, at the latest at the first sync.
    /// - Parameter whileAlone: what is done before another process may make an account in the same
    ///   folder, or name this one anew.
    public static func createAccount(
        username: String,
        server: ServerAddress,
        directory: String,
        whileAlone: (_ lockbook: Lockbook, _ isNew: Bool) throws -> Void = { _, _ in }
    ) throws -> Lockbook {
        try createAccount(
            username: username,
            server: server,
            directory: directory,
            environment: .system,
            whileAlone: whileAlone
        )
    }

    package static func createAccount(
        username: String,
        server: ServerAddress,
        directory: String,
        environment: EngineEnvironment,
        whileAlone: (_ lockbook: Lockbook, _ isNew: Bool) throws -> Void = { _, _ in }
    ) throws -> Lockbook {
        // Every command would take it for an option; those that have such a name keep it.
        guard let name = Username(username), name.mayBeNew else {
            throw LockbookError.badUsername(username)
        }
        let lock = try lockFolder(directory)
        defer { withExtendedLifetime(lock) {} }
        if let present = try existing(directory) {
            let renamed = try open(present, environment: environment)
                .named(name, server: server)
            try whileAlone(renamed, false)
            return renamed
        }
        try prepare(directory)
        let account = AccountFile(
            username: username,
            seed: AccountSeed(random: environment.random),
            server: server,
            directory: directory,
            environment: environment
        )
        // The key is durable before anything refers to it.
        try saving(account)
        let lockbook = try open(account, environment: environment)
        try lockbook.makeRoot(named: name)
        try whileAlone(lockbook, true)
        return lockbook
    }

    /// This account under another name, or at another server.
    ///
    /// The name that it had was taken, or a first try was cut short.
    /// - Throws: `.accountExists` when a server knows it, `.busy` while one is told of it.
    private func named(_ name: Username, server: ServerAddress) throws -> Lockbook {
        try refuseRegistered()
        let lock = try lockBetweenSyncs()
        defer { withExtendedLifetime(lock) {} }
        try refuseRegistered()
        var account = try AccountFile(directory: self.account.directory)
        account.username = name.text
        account.server = server
        try Self.saving(account)
        let renamed = try Self.open(account, environment: environment)
        try renamed.makeRoot(named: name)
        return renamed
    }

    private func refuseRegistered() throws {
        guard try store.read({ try $0.setting(.registered) }) != nil else { return }
        throw LockbookError.accountExists(
            username: try AccountFile(directory: account.directory).username,
            directory: account.directory
        )
    }

    /// Makes the root of a new account, or names it anew.
    private func makeRoot(named username: Username) throws {
        try store.write { try $0.makeRoot(named: username) }
    }
}

extension LocalTree {
    /// Makes the root of an account that no server knows, or names it anew.
    func makeRoot(named username: Username) throws {
        let name = try FileName(username.text)
        var file = File(
            id: root,
            parent: root,
            type: .folder,
            name: name,
            at: environment.now(),
            author: owner,
            device: account.device,
            deviceName: environment.deviceName,
            scope: root
        )
        if let row = try row(root) {
            file = try self.file(row)
            file.name = name
        }
        try put(file)
        // An entry for the old name would register the old name.
        try forgetPending()
        try set(.certificate, to: nil)
    }

    /// Whether the root of an account that a server knows has another name here than there.
    ///
    /// It was named anew while the server was told of it, by programs that did not wait for that.
    func isRootRenamed() throws -> Bool {
        guard let row = try row(root), row.local != nil, !row.isDamaged else { return false }
        let known =
            try base(row)?.name.text
            ?? setting(.certificate).map { try AccountCertificate(verifying: $0).username.text }
        return try known.map { try file(row).name.text != $0 } ?? false
    }
}
