import FoundationEssentials
import Glibc
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Synchronization

extension Lockbook {
    /// Merges this device with the server: takes what is new, sends what was changed here.
    ///
    /// It may stop anywhere, at a lost connection or a killed process; the next one goes on from
    /// what the store holds.
    /// - Parameter unfinished: what a sync had done, and decided, before it failed.
    public func sync(
        _ options: SyncOptions = SyncOptions(),
        unfinished: (SyncReport) -> Void = { _ in },
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> SyncReport {
        do {
            let report = try await withServer(options, unfinished: unfinished) { sync in
                sync.progress = progress
                try await sync.run()
            }
            // A server that was put back to before the account was deleted has it again.
            if !options.isDryRun {
                try noteDeletion(at: nil)
                try forgetFailedSync()
            }
            return report
        } catch let error as LockbookError {
            guard case .offline = error, let time = try deletionTime() else { throw error }
            throw LockbookError.accountDeleted(username: account.username, time: time)
        }
    }

    /// Tells the server of the account, when it was not told yet.
    public func register() async throws {
        _ = try await withServer { sync in _ = try await sync.register() }
    }

    /// From now on a server that cannot be reached is waited for once, however many contents it has.
    ///
    /// Those that follow are not here then. For what ends soon: that it came back is not noticed.
    public func askUntilOffline() {
        accountStore.command.withLock { $0.asksUntilOffline = true }
    }

    /// Fetches a content that is on the server alone.
    /// - Parameter toRead: whether it is read at once, and nothing else is: then it does not have to be
    ///   kept where the data directory takes no more, unless it is too large to be held in memory.
    func fetch(_ content: AbsentContent, toRead: Bool = false) async throws {
        let isAwaited = try store.read { try $0.isAwaited(content.blob) }
        do {
            try await withServer(for: content, toRead: toRead) { sync in
                // Whoever was waited for may have brought it.
                guard try !store.read({ try $0.canRead(content.blob) }) else { return }
                do {
                    try await sync.fetch([(name: content.blob, size: content.size)])
                } catch let error where isAwaited && Sync.isMissing(error) {
                    switch try await sync.fate() {
                    case .asKnown: throw error
                    case .changed: throw LockbookError.contentGone(path: content.path)
                    case .ended:
                        let username = try accountStore.read { try $0.username(of: sync.owner) }
                        throw LockbookError.ownerDeleted(path: content.path, username: username)
                    }
                }
            }
        } catch let error as LockbookError {
            switch error {
            // That is this account, also where the content is another one's.
            case .accountDeleted(let username, _):
                throw LockbookError.ownerDeleted(path: content.path, username: username)
            // It was here and is lost, and the server never had it.
            case .integrity where !isAwaited:
                throw LockbookError.damaged(file: content.path, author: "")
            case .integrity(let reason, _):
                throw LockbookError.badContent(path: content.path, reason: reason)
            case .store(let reason, limit: .some):
                throw LockbookError.contentNotKept(path: content.path, reason: reason)
            default: throw error
            }
        }
    }

    /// Does something with the server for a content that is there alone.
    /// - Throws: `.contentNotHere` where nothing that a server would answer was heard.
    func withServer(
        for content: AbsentContent,
        toRead: Bool = false,
        _ body: (inout Sync) async throws -> Void
    ) async throws {
        let accountStore = accountStore
        guard !accountStore.command.withLock({ $0.isOffline }) else {
            throw LockbookError.contentNotHere(path: content.path)
        }
        do { _ = try await withServer(toRead: toRead) { try await body(&$0) } } catch let error
            as LockbookError
        {
            switch error {
            case .offline, .unavailable, .notALockbookServer:
                if case .offline = error {
                    accountStore.command.withLock { $0.isOffline = $0.asksUntilOffline }
                }
                throw LockbookError.contentNotHere(path: content.path)
            default: throw error
            }
        }
    }

    /// The account's own store, also where this is what another one shares.
    var accountStore: LocalStore { store.context.accountStore ?? store }

    /// Does something with the server, while no other process of this device does.
    /// - Parameter toRead: whether what comes is read at once: it is held in memory then where the data
    ///   directory takes no more.
    func withServer(
        _ options: SyncOptions = SyncOptions(),
        toRead: Bool = false,
        unfinished: (SyncReport) -> Void = { _ in },
        _ body: (inout Sync) async throws -> Void
    ) async throws -> SyncReport {
        let lock: LockFile?
        var keepsNothing: LockbookError?
        do {
            let file = try LockFile.file(Sync.lockPath(account.directory))
            lock = try await self.lock(file, from: "another sync of this account", seconds: 30)
        } catch let failure as DiskFailure {
            guard toRead, failure.isOfFile else {
                throw LockbookError.io(path: failure.path, reason: failure.reason)
            }
            // Who keeps nothing is in nobody's way.
            keepsNothing =
                failure.isOfRoom
                ? .noSpace(for: account.directory) : .unwritable(account.directory)
            lock = nil
        }
        // What a dry run leaves behind, also one that was killed.
        let rehearsalFolder = LocalStore.rehearsalFolder(account.directory)
        if lock != nil {
            do { try rehearsalFolder.removeAll() } catch {
                // Who only reads needs no room.
                guard toRead else { throw Sync.failure(error) }
            }
        }
        defer { if lock != nil { try? rehearsalFolder.removeAll() } }
        let store = options.isDryRun ? try self.store.rehearsal() : self.store
        let offset = try store.read { try $0.number(.clockOffset) }
        let (portion, isKnown) = try accountStore.read {
            (try $0.number(.linkPortion), try $0.setting(.registered) != nil)
        }
        let client = try ServerClient(
            account: account,
            keys: keys,
            environment: environment,
            clockOffset: offset,
            link: LinkPortion(remembered: portion),
            isKnown: isKnown
        )
        var sync = Sync(
            account: account,
            keys: keys,
            store: store,
            environment: environment,
            server: client,
            options: options
        )
        sync.holdsUnkept = toRead
        sync.keepsNothing = keepsNothing
        do {
            try await body(&sync)
            do {
                if keepsNothing == nil { try await sync.rememberClock() }
            } catch LockbookError.store(_, limit: .some) where toRead {
                // It is found out anew each time.
            }
        } catch {
            await end(&sync, with: client)
            // That what was lost is pushed again is for the sync to say that comes so far.
            if !sync.tellsRollback { sync.report.rollback = nil }
            unfinished(sync.report)
            try? sync.forgetUntold()
            let failure = Sync.failure(error)
            if case LockbookError.accountDeleted(_, let time) = failure, !options.isDryRun {
                try? noteDeletion(at: time)
            }
            throw failure
        }
        await end(&sync, with: client)
        // It would be told once more.
        try? sync.forgetUntold()
        withExtendedLifetime(lock) {}
        return sync.report
    }

    /// Lets go of the server, and puts down what the sync was and cost.
    private func end(_ sync: inout Sync, with client: ServerClient) async {
        sync.report.traffic = await client.traffic
        sync.report.isDryRun = sync.options.isDryRun
        await client.close()
        if !sync.options.isDryRun { await rememberLink(of: client) }
    }

    /// Keeps for the next sync, also after one that failed, how much the link carries at once.
    ///
    /// What cannot be kept is found anew.
    private func rememberLink(of client: ServerClient) async {
        let found = await client.link.remembered
        guard let known = try? accountStore.read({ try $0.number(.linkPortion) }), known != found
        else { return }
        try? accountStore.write { try $0.set(.linkPortion, number: found) }
    }
}
