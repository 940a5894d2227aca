import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// An account that was brought to this device.
public struct ImportedAccount: Sendable {
    public let lockbook: Lockbook
    /// What the server shows as the newest change; nil when the account was on this device before,
    /// or the change is somebody else's.
    public let newest: NewestEntry?
    /// Whether the newest change is somebody else's: only the first sync can tell if he signed it.
    public let isNewestOfOthers: Bool
}

extension Lockbook {
    /// Takes an existing account in, from its 24 words or compact key.
    public static func importAccount(
        key: String,
        server: ServerAddress,
        directory: String
    ) async throws -> ImportedAccount {
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
    ) async throws -> ImportedAccount {
        let key = try parse(key: text)
        if let present = try existing(directory, of: key.seed) {
            let lockbook = try open(present, environment: environment)
            if try lockbook.isCutOff() {
                let shown = try await ask(for: present, environment: environment)
                try lockbook.keep(shown, minimum: key.head)
            } else {
                try lockbook.expect(key.head)
            }
            return ImportedAccount(lockbook: lockbook, newest: nil, isNewestOfOthers: false)
        }
        try refuseUsed(directory)
        var account = AccountFile(
            username: "",
            seed: key.seed,
            server: server,
            directory: directory,
            environment: environment
        )
        let shown = try await ask(for: account, environment: environment)
        account.username = shown.certificate.username.text
        return ImportedAccount(
            lockbook: try bring(account, shown, minimum: key.head, environment: environment),
            newest: shown.newest.map { NewestEntry($0) },
            isNewestOfOthers: shown.newest == nil
        )
    }

    /// Puts an account on this device, unless another process made or brought one meanwhile.
    ///
    /// The server may have taken its time to answer, and the key of another one would be gone.
    private static func bring(
        _ account: AccountFile,
        _ shown: (certificate: AccountCertificate, newest: EntryHeader?),
        minimum: LogHead?,
        environment: EngineEnvironment
    ) throws -> Lockbook {
        let directory = account.directory
        let lock = try lockFolder(directory)
        defer { withExtendedLifetime(lock) {} }
        if let present = try existing(directory, of: account.seed) {
            let lockbook = try open(present, environment: environment)
            if try lockbook.isCutOff() {
                try lockbook.keep(shown, minimum: minimum)
            } else {
                try lockbook.expect(minimum)
            }
            return lockbook
        }
        try prepare(directory)
        try saving(account)
        let lockbook = try open(account, environment: environment)
        try lockbook.keep(shown, minimum: minimum)
        return lockbook
    }

    /// The account that a data directory holds already, if any.
    /// - Throws: `.accountExists` where it is another one than that of this seed.
    private static func existing(_ directory: String, of seed: AccountSeed) throws -> AccountFile? {
        guard let present = try existing(directory) else { return nil }
        guard present.seed == seed else {
            throw LockbookError.accountExists(username: present.username, directory: directory)
        }
        return present
    }

    /// Whether it was brought here, and what the server said of it was not kept.
    private func isCutOff() throws -> Bool {
        try store.read { try $0.setting(.registered) == nil && $0.row($0.root) == nil }
    }

    /// Keeps what the server said of the account, for the first sync.
    /// - Parameter minimum: the newest entry when the key was written down.
    private func keep(
        _ shown: (certificate: AccountCertificate, newest: EntryHeader?),
        minimum: LogHead?
    ) throws {
        try store.write { tree in
            try tree.set(.registered, to: [1])
            try tree.set(.certificate, to: shown.certificate.bytes)
            if let minimum { try tree.set(.minimumHead, to: minimum.bytes) }
            if let newest = shown.newest { try tree.set(.shownHead, to: LogHead(newest).bytes) }
        }
    }

    /// Compares the newest entry that a key is of with what is here; one to come the next sync looks for.
    /// - Throws: `.forked`.
    private func expect(_ head: LogHead?) throws {
        guard let head else { return }
        try requireSame(head)
        let known = try store.read { tree in
            let minimum = try tree.setting(.minimumHead).flatMap { LogHead(bytes: $0) }
            return try max(tree.head()?.position ?? 0, minimum?.position ?? 0)
        }
        guard head.position > known else { return }
        try store.write { try $0.set(.minimumHead, to: head.bytes) }
    }

    /// What the server says of the account with this key: its certificate and newest header.
    /// - Returns: no header where somebody else made it who may write here: his keys come with the
    ///   first pull, and until then anybody could have.
    static func ask(for account: AccountFile, environment: EngineEnvironment) async throws
        -> (certificate: AccountCertificate, newest: EntryHeader?)
    {
        let keys = try AccountKeys(seed: account.seed)
        let client = try ServerClient(
            account: account,
            keys: keys,
            environment: environment,
            clockOffset: 0
        )
        let answer: Lockbook_V1_AccountResponse = try await closing(client) {
            try await $0.ask(.account, Lockbook_V1_AccountRequest())
        }
        do {
            let certificate = try AccountCertificate(verifying: Array(answer.certificate))
            guard certificate.keys == keys.publicKeys else {
                throw LockbookError.integrity(reason: "the server answers for another account")
            }
            guard !answer.newest.isEmpty else {
                throw LockbookError.integrity(reason: "the server does not tell the newest change")
            }
            let header = try EntryHeader(Array(answer.newest))
            guard header.log == AccountID(keys.publicKeys) else {
                throw VerificationFailure.misplaced
            }
            guard header.author == header.log else { return (certificate, nil) }
            try header.verify(by: keys.signing.publicKey)
            return (certificate, header)
        } catch {
            throw Sync.failure(error)
        }
    }
}
