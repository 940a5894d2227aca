import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Makes an account.
    ///
    /// The server hears of it at the first sync.
    public static func createAccount(
        username: String,
        server: ServerAddress,
        directory: String
    ) throws -> Lockbook {
        try createAccount(
            username: username,
            server: server,
            directory: directory,
            environment: .system
        )
    }

    package static func createAccount(
        username: String,
        server: ServerAddress,
        directory: String,
        environment: EngineEnvironment
    ) throws -> Lockbook {
        // Every command would take it for an option; those that have such a name keep it.
        guard let name = Username(username), name.mayBeNew else {
            throw LockbookError.badUsername(username)
        }
        let lock = try lockFolder(directory)
        defer { withExtendedLifetime(lock) {} }
        if var present = try existing(directory) {
            let lockbook = try open(present, environment: environment)
            guard try lockbook.store.read({ try $0.setting(.registered) }) == nil else {
                throw LockbookError.accountExists(
                    username: present.username,
                    directory: directory
                )
            }
            // Never registered: a name that was taken, or a first try cut short, may be mended.
            present.username = username
            present.server = server
            try saving(present)
            let renamed = try open(present, environment: environment)
            try renamed.makeRoot(named: name)
            return renamed
        }
        try LocalStore.refuseOrphan(in: directory)
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
        return lockbook
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
}
