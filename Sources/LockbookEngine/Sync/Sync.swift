import FoundationEssentials
import Glibc
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// One pass of exchanging changes with the server.
///
/// A dry run is the same pass over a copy of the store: what it would send counts as sent, and the
/// copy is thrown away.
struct Sync {
    let account: AccountFile
    let keys: AccountKeys
    let store: LocalStore
    let environment: EngineEnvironment
    let server: ServerClient
    var options = SyncOptions()
    var progress: @Sendable (SyncProgress) -> Void = { _ in }
    var report = SyncReport()

    /// The other accounts' logs that this one follows, and what the server told of them already.
    var others: [SharedLog] = []
    /// The trees of others that are here although their logs are not followed any more.
    var unfollowed: [LocalStore] = []
    /// Who had offered something of which nothing had come.
    var vainBefore: [AccountID] = []
    /// The links to what others share that were here when this sync began.
    var linksBefore: [ShareLink] = []
    /// What this account had answered to each offer of others when this sync began.
    var answersBefore: [LinkTarget: AddressBook.Answer] = [:]
    /// What others shared and this account had rejected or left then: not where a link that was left
    /// stood again.
    var rejectedBefore: Set<LinkTarget> {
        Set(answersBefore.values.filter(\.isRejection).map(\.offer))
            .subtracting(linksBefore.map(\.target))
    }
    /// What this account shared when this sync began, or was about to give away, and how often it had
    /// given that or taken it back.
    var sharedBefore: [FileID: UInt32] = [:]
    /// The transfers that this device had taken back then, and the log did not know it.
    var cancelledBefore: [AddressBook.Transfer] = []
    /// Where files stood then of which this device wanted something that is shared: one may be purged
    /// since.
    var wishedBefore: [FileID: String] = [:]
    /// What was taken back that no link of this device led to any more: another one may know why.
    var endedUnlinked: [LocalTree.EndedShare] = []
    /// Whether the report has in it what an earlier sync did not come to say, and all that was done about
    /// shares that were taken back was done.
    var tellsUntold = false
    /// Where an earlier sync put words out of shares that were taken back, and did not come to say so.
    ///
    /// They may stand in the shares still, until this sync has looked at all of those.
    var keptBefore: [SyncReport.Note] = []
    /// Whether all of this account's own is at the server that a server which was put back had lost.
    var tellsRollback = false
    /// In another account's log: what was taken back, and offered again, since the last sync.
    var renewed: Set<FileID> = []
    /// In another account's log: who has deleted his account, as the other logs tell.
    var endedElsewhere: Set<AccountID> = []
    /// In another account's log: where files stood here that others moved since the last sync.
    var moved: [FileID: String] = [:]
    /// Who is to be let in, and what the server told a dry run of them.
    var grantees = AskedGrantees()
    /// Certificates of accounts that share something that this device does not follow.
    var offers: [[UInt8]] = []
    /// What those left who use invitations of this account.
    var claims: [[UInt8]] = []
    /// Whether both were told: what the first answer says counts, to a request for all other logs.
    var hasOffers = false
    /// What this account was invited to, by codes that let nobody in any more, and why.
    var vain: [FileID: String] = [:]
    /// Whether what others share is left alone, since this device cannot look at all of it.
    var keepsToOwnLog = false
    /// What went wrong and kept nothing else from being synced.
    var failures = SyncFailures()
    /// What the server has no room for, or will not have, and why.
    var refused: [FileID: String] = [:]
    /// What of that the server named by itself, since it breaks a rule: no room would mend that.
    var unfit: Set<FileID> = []
    /// Contents of what is to be pushed that are not here and that the server has; nil until it was asked.
    var atServer: Set<BlobName>?
    /// Whether this device had nothing of the log when it began to pull.
    var isFirstPull = false
    /// Contents that came while pages were merged.
    var prefetched: [FetchedBlob] = []
    /// Whether a content that cannot be kept is held in memory: it is read at once.
    var holdsUnkept = false
    /// Why nothing is kept of what comes, where that is known before.
    var keepsNothing: LockbookError?
    /// Whether contents are asked for before pages are merged.
    var prefetches = true
    /// Whether changes that are refused are left out in another account's log, which has nothing
    /// new that would explain it.
    var leavesOut = false
    /// Whether a content that the server does not give any more keeps nothing else: the log was read anew, and
    /// says nothing of it.
    var passesByMissing = false
    /// With whom what waits to be shared, or to be shared otherwise, because the server refused it or
    /// does not know them: not tried again in this sync.
    var putOff: [FileID: Set<AccountID>] = [:]
    /// Whether the server refused to let go back what nonsense was written over: not tried again in this
    /// sync.
    var leavesRestoration = false
    /// Whether the server refused to let members be told of an offer's end: not tried again in this sync.
    var leavesEndedOffers = false
    /// Whether the next sync makes the checkpoint that is due: this one had much to do, and who comes
    /// meanwhile reads the entry, which has as much in it.
    var leavesCheckpoint = false
    /// What was spent on entries of another account's log of which nothing is seen here, since the newest
    /// one that is known.
    var unseenCost = 0
    /// What was checked of a log that is shared, and waits to be merged.
    var checked: CheckedEntries?

    /// Whose log it is.
    var owner: AccountID { store.context.owner }
    /// As requests name it: empty for this account's own.
    var foreignLog: Data { store.context.isForeign ? Data(owner.hash.bytes) : Data() }

    mutating func run() async throws {
        progress(.connecting)
        if options.listsChanges { report.changes = [] }
        defer { report.nameOnce() }
        try await rememberingStops { try await $0.exchange() }
        try finish()
    }

    private mutating func exchange() async throws {
        try store.read { try $0.checkOwner() }
        linksBefore = try store.read { try $0.sharers().isEmpty ? [] : $0.allLinks() }
        answersBefore = try store.read { tree in
            Dictionary(try tree.answers().map { ($0.offer, $0) }) { first, _ in first }
        }
        try takeUntold()
        sharedBefore = try store.read { try $0.ownShares() }
        cancelledBefore = try store.read { try $0.cancelledTransfers() }
        wishedBefore = try store.read { try $0.wishedPaths() }
        try await acceptRollback()
        if try await register() {
            // Before anything is read: who was let in by then finds that in what he reads.
            try await keepingApart { try await $0.askAwaited() }
            try await pull()
        }
        if keepsToOwnLog { return try await finishOwn() }
        try await pullOthers()
        try takeClaims()
        try settleAwaited()
        try beginTransfers()
        try await pushOwn()
        if try await finishTransfers() { try await pushOwn() }
        tellsRollback = true
        // A disk that is too full for them keeps nothing here that others are to have.
        try await keepingApart { try await $0.fetchContents() }
        // A server that will not have it keeps nothing else from being synced.
        try await keepingApart { try await $0.makeCheckpoint() }
        try await pushOthers()
        try await tellEnds()
        try tellWaiting()
        // What is wrong with one share keeps nothing else from being synced.
        try sweepAndCheck()
    }

    /// Ends a sync behind this account's own log, as one that is killed there: the next one goes on.
    private mutating func finishOwn() async throws {
        while try await !pushAll() { try await pullWhatWasFirst() }
        try await keepingApart { try await $0.fetchContents() }
        try sweepAndCheck()
    }

    /// Removes what is left over; also of a sync that fails of something that keeps nothing else, as many
    /// fail one after the other where that is another account's.
    private mutating func sweepAndCheck() throws {
        if !options.isDryRun {
            do { try sweep() } catch { failures.add(error) }
        }
        try failures.check()
    }

    /// Every round that is not the last lost a race to somebody else's push.
    private mutating func pushOwn() async throws {
        while try await !pushAll() {
            try await pullWhatWasFirst()
            try settleSecondLinks()
            try settleSecondSuccessors()
            try carryOvertaken(isLate: true)
            try carryMeanwhile()
        }
    }

    /// Keeps the difference to the server's clock as soon as it is known: what is merged and pushed
    /// in this sync is dated by it, and what was dated by another one is put right.
    func rememberClock() async throws {
        let offset = await server.clockOffset
        let isRight = try store.read { tree in
            try tree.number(.clockOffset) == offset && !tree.hasLaterTrash()
        }
        guard !isRight else { return }
        try store.write { tree in
            try tree.set(.clockOffset, number: offset)
            try tree.redateLaterTrash()
        }
    }

    static func lockPath(_ directory: String) -> String { directory + "/sync.lock" }

    /// Notes when this was, without a write to the database: a sync with nothing to do makes none.
    private func finish() throws {
        progress(.finishing)
        guard !options.isDryRun else { return }
        try touchLock()
        if isGone { store.shrink() }
    }

    /// Whether something went for good.
    var isGone: Bool { !report.purged.isEmpty || !report.left.isEmpty }

    private func touchLock() throws {
        let path = Self.lockPath(account.directory)
        do {
            _ = try Disk.retry(path) { utimensat(AT_FDCWD, path, nil, 0) }
        } catch let failure as DiskFailure where failure.refusesFacts {
            // Where no time can be set, whatever is written has that of its writing.
            try DiskFile(path, flags: O_WRONLY | O_NOFOLLOW).write([0])
        }
    }
}
