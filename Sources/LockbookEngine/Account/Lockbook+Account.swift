import FoundationEssentials
import Glibc
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// Who this device's account is.
public struct AccountInfo: Sendable, Equatable, Codable {
    public var username: String
    /// 64 hexadecimal digits: a digest of the account's public keys.
    public var id: String
    public var server: String
    public var directory: String
    public var device: String
    public var deviceName: String
    public var registered: Bool
    /// The beginning of the id in groups, to compare by eye.
    public var fingerprint: String
}

extension Lockbook {
    /// Opens the account of a data directory.
    public static func open(directory: String) throws -> Lockbook {
        try open(directory: directory, environment: .system)
    }

    package static func open(directory: String, environment: EngineEnvironment) throws -> Lockbook {
        try open(AccountFile(directory: directory), environment: environment)
    }

    private static func open(_ account: AccountFile, environment: EngineEnvironment) throws
        -> Lockbook
    {
        let keys = try AccountKeys(seed: account.seed)
        let store = try LocalStore(account: account, keys: keys, environment: environment)
        return Lockbook(account: account, keys: keys, store: store, environment: environment)
    }

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
        guard let name = Username(username) else { throw LockbookError.badUsername(username) }
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
            try present.save()
            let renamed = try open(present, environment: environment)
            try renamed.makeRoot(named: name)
            return renamed
        }
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

    /// Takes an existing account in, from its 24 words or compact key.
    public static func importAccount(
        key: String,
        server: ServerAddress,
        directory: String
    ) async throws -> Lockbook {
        try await importAccount(
            key: key,
            server: server,
            directory: directory,
            environment: .system
        )
    }

    package static func importAccount(
        key text: String,
        server: ServerAddress,
        directory: String,
        environment: EngineEnvironment
    ) async throws -> Lockbook {
        let key = try parse(key: text)
        if let present = try existing(directory) {
            guard present.seed == key.seed else {
                throw LockbookError.accountExists(
                    username: present.username,
                    directory: directory
                )
            }
            return try open(present, environment: environment)
        }
        var account = AccountFile(
            username: "",
            seed: key.seed,
            server: server,
            directory: directory,
            environment: environment
        )
        let keys = try AccountKeys(seed: key.seed)
        let client = try ServerClient(
            account: account,
            keys: keys,
            environment: environment,
            clockOffset: 0
        )
        let certificate: AccountCertificate
        do {
            let answer: Lockbook_V1_AccountResponse = try await client.ask(
                .account,
                Lockbook_V1_AccountRequest()
            )
            certificate = try AccountCertificate(verifying: Array(answer.certificate))
            await client.close()
        } catch let error as LockbookError {
            await client.close()
            throw error
        } catch {
            await client.close()
            throw LockbookError.integrity(reason: "the server's certificate is not valid")
        }
        guard certificate.keys == keys.publicKeys else {
            throw LockbookError.integrity(reason: "the server answers for another account")
        }
        account.username = certificate.username.text
        try saving(account)
        let lockbook = try open(account, environment: environment)
        try lockbook.store.write { tree in
            try tree.set(.registered, to: [1])
            try tree.set(.certificate, to: certificate.bytes)
            if let head = key.head { try tree.set(.minimumHead, to: head.bytes) }
        }
        return lockbook
    }

    public func accountInfo() throws -> AccountInfo {
        let id = AccountID(keys.publicKeys).description
        return AccountInfo(
            username: account.username,
            id: id,
            server: account.server.url,
            directory: account.directory,
            device: account.device.description,
            deviceName: environment.deviceName,
            registered: try store.read { try $0.setting(.registered) } != nil,
            fingerprint: stride(from: 0, to: 24, by: 4).map { start in
                String(id.dropFirst(start).prefix(4))
            }.joined(separator: " ")
        )
    }

    /// The 24 words that are this account.
    public func recoveryPhrase() -> [String] {
        RecoveryPhrase.words(for: account.seed)
    }

    /// The account in one line of text, with what a new device may at least expect of the server.
    public func compactKey() throws -> String {
        let head = try store.read { try $0.head() }
        return CompactKey(
            seed: account.seed,
            position: head?.position ?? 0,
            head: head?.hash ?? .zero
        ).text
    }

    /// Tells whether what was typed is this account's key.
    public func checkKey(_ typed: String) throws {
        guard try Self.parse(key: typed).seed == account.seed else {
            throw LockbookError.badKey(reason: "these are the words of another account")
        }
    }

    /// Removes the account from this device; what was synced stays on the server.
    public func logout(force: Bool) throws {
        guard let lock = try LockFile(Sync.lockPath(account.directory)) else {
            throw LockbookError.busy(what: "a sync of this account")
        }
        let changes = try store.read { try $0.changedRowIDs().count }
        guard force || changes == 0 else { throw LockbookError.unsyncedChanges(count: changes) }
        // The key first: without it the rest is noise.
        do {
            try Disk.remove(AccountFile.path(in: account.directory))
            try Disk.syncFolder(account.directory)
            for name in ["", "-wal", "-shm"] {
                try Disk.remove("\(account.directory)/\(LocalStore.fileName)\(name)")
            }
            try store.blobs.removeAll()
            try Disk.remove(Sync.lockPath(account.directory))
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        withExtendedLifetime(lock) {}
        rmdir(account.directory)
    }

    // MARK: Steps

    private static func existing(_ directory: String) throws -> AccountFile? {
        do {
            return try AccountFile(directory: directory)
        } catch LockbookError.noAccount {
            return nil
        }
    }

    private static func saving(_ account: AccountFile) throws {
        do {
            try account.save()
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    private static func parse(key text: String) throws -> (seed: AccountSeed, head: LogHead?) {
        do {
            let compact = try CompactKey(text)
            let head = LogHead(position: compact.position, hash: compact.head)
            return (compact.seed, compact.head == .zero ? nil : head)
        } catch .notACompactKey {
        } catch .checksum {
            throw LockbookError.badKey(reason: "the key is mistyped or cut short")
        } catch .newerFormat {
            throw LockbookError.updateNeeded(what: "the key is of a newer format")
        }
        do {
            return (try RecoveryPhrase.seed(from: text), nil)
        } catch .wordCount(let found) {
            throw LockbookError.badKey(reason: "a recovery phrase has 24 words, these are \(found)")
        } catch .unknownWord(let position, let word, let suggestions) {
            let hint =
                suggestions.isEmpty ? "" : "; perhaps \(suggestions.joined(separator: " or "))"
            throw LockbookError.badKey(
                reason: "word \(position), \(word), is not in the word list\(hint)"
            )
        } catch .checksum {
            throw LockbookError.badKey(
                reason: "every word exists, but not in this order: one is mistyped or misplaced"
            )
        }
    }

    /// Makes the root of a new account, or names it anew.
    private func makeRoot(named username: Username) throws {
        try store.write { tree in
            let name = try FileName(username.text)
            var root = File(
                id: tree.root,
                parent: tree.root,
                type: .folder,
                name: name,
                at: environment.now(),
                author: tree.owner,
                device: account.device,
                deviceName: environment.deviceName,
                scope: tree.root
            )
            if let row = try tree.row(tree.root) {
                root = try tree.file(row)
                root.name = name
            }
            try tree.put(root)
            // An entry for the old name would register the old name.
            try tree.forgetPending()
            try tree.set(.certificate, to: nil)
        }
    }
}
