import GRDB
import LockbookCrypto
import LockbookModel

/// The tree as one transaction sees it.
///
/// Keys and directory blocks that were opened are kept for the length of the transaction; changed
/// blocks are sealed once, at its end.
final class LocalTree {
    let db: Database
    private let context: StoreContext

    var account: AccountFile { context.account }
    var keys: AccountKeys { context.keys }
    var blobs: BlobFolder { context.blobs }
    var unkept: UnkeptContent { context.unkept }
    var environment: EngineEnvironment { context.environment }
    var owner: AccountID { context.owner }
    var author: AccountID { context.author }
    var isForeign: Bool { context.isForeign }
    var otherOwner: AccountID? { context.otherOwner }
    var root: FileID { context.root }
    var directoryKey: LocalKey { context.directoryKey }
    /// Seals the keys that damaged folders had.
    var damageKey: LocalKey { context.account.deviceKey.key(for: "damaged") }
    /// Seals the keys of what commands replaced.
    var undoKey: LocalKey { context.account.deviceKey.key(for: "undo") }
    /// Seals the keys of what was replaced before any server had it.
    var versionKey: LocalKey { context.account.deviceKey.key(for: "version") }
    var original: LocalStore? { context.original }
    var openedKeys: OpenedKeys { context.openedKeys }

    var fileKeys: [FileID: FileKey] = [:]
    var folderKeys: [FileID: FolderKeys] = [:]
    /// Files whose keys do not open, where many are asked for and nothing is written; else nil.
    var shut: Set<FileID>?
    /// What the keys of contents give, where that was found out with the records.
    var chunkKeys: [FileID: (content: ContentIdentity, key: ChunkKey)] = [:]
    var blocks: [DirectoryBlock.Key: DirectoryBlock] = [:]
    var lastBlocks: [FileID: Int] = [:]
    var folderPaths = FolderPaths()
    /// By folder: of many, each is asked for its own.
    var changedBlocks: [FileID: Set<Int>] = [:]
    /// What this account may do in the scopes that commands write to.
    var rights = KnownRights()
    /// What the grants that are here call accounts; nil when they have to be looked through for it.
    var granteeNames: GranteeNames?
    /// Set while a sync writes what several people decided; what this account may do counts else.
    var isMerging = false
    /// Where a page that is merged puts shared files of another account.
    var seats = ShareSeats()
    /// Contents that are not here and are pushed all the same, as the server has them.
    var contentsAtServer: Set<BlobName> = []
    /// What is sealed for an entry of shares goes to the server through it, where there is one.
    var recordsAhead: RecordsAhead?
    /// Blobs that this transaction lets go of, whose files go when it is committed.
    var droppedFiles: [BlobName] = []
    /// Blobs whose files this transaction refers to: they go when it fails, unless something else does, too.
    var addedFiles: [BlobName] = []
    /// What is replaced, where a command is at work.
    var journal: CommandJournal?
    /// What this transaction copied: of whose files, and what was made of which.
    var copies: [AccountID: [FileID: FileID]] = [:]
    // Nil when it has to be asked for, nil in it when no entry waits.
    private var pendingKnown: UInt64??
    /// Whether entries were refused that the log may have; nil when that has to be asked for.
    var refusedEntriesKnown: Bool?
    // Set where many ids are looked up that are mostly not here.
    private var presentIDs: Set<FileID>?

    init(db: Database, context: StoreContext) {
        self.db = db
        self.context = context
    }

    /// Reads what this device remembers of its disk, which the account's own store has for all.
    func ofDisk<Result>(_ body: (LocalTree) throws -> Result) throws -> Result {
        guard let own = context.accountStore else { return try body(self) }
        return try own.read(body)
    }

    // MARK: Rows

    func row(_ id: FileID) throws -> FileRow? {
        if let presentIDs, !presentIDs.contains(id) { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT \(FileRow.columns) FROM file WHERE id = ?"
        )
        return try statement.first([id.bytes.data], FileRow.init)
    }

    /// The child that is not itself deleted and has this tag.
    func row(tagged tag: Hash256, in parent: FileID) throws -> FileRow? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(FileRow.columns) FROM file
                WHERE parent = ? AND tag = ? AND deleted = 0
                """
        )
        return try statement.first([parent.bytes.data, tag.bytes.data], FileRow.init)
    }

    /// Learns which files are here, when more are to be looked up than there are.
    func expectLookups(of count: Int) throws {
        // Not by counting all of them: a sync that brings one note would read an index of thousands.
        guard try count > 0 && !holds(atLeast: count) else { return }
        var ids: Set<FileID> = []
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT id FROM file")
        )
        while let row = try rows.next() {
            if let id = FileID(row.bytes(0)) { ids.insert(id) }
        }
        presentIDs = ids
    }

    /// Forgets what was changed in the directory index.
    func discardBlocks() {
        blocks = [:]
        changedBlocks = [:]
    }

    /// Whether it is known without a look that a file is not here.
    func isKnownAbsent(_ id: FileID) -> Bool { presentIDs?.contains(id) == false }

    func notePresent(_ id: FileID) {
        presentIDs?.insert(id)
    }

    /// Goes through the files whose ids lie between two, by their ids.
    /// - Parameter goesOn: whether the next one is wanted, too.
    func visitRows(idsFrom low: FileID, to high: FileID, _ goesOn: (FileRow) throws -> Bool) throws
    {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT \(FileRow.columns) FROM file WHERE id BETWEEN ? AND ? ORDER BY id"
            ),
            arguments: [low.bytes.data, high.bytes.data]
        )
        while let row = try rows.next(), try goesOn(FileRow(row)) {}
    }

    /// Rows of this device's changes that were not pushed.
    func changedRows() throws -> [FileRow] {
        var rows: [FileRow] = []
        let statement = try db.cachedStatement(
            sql: "SELECT \(FileRow.columns) FROM file WHERE local IS NOT NULL"
        )
        let cursor = try Row.fetchCursor(statement)
        while let row = try cursor.next() { rows.append(try FileRow(row)) }
        return rows
    }

    /// Rows that were deleted on this device, which no push took along yet.
    func deletedRows() throws -> [FileRow] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(FileRow.columns) FROM file WHERE local IS NOT NULL AND deleted = 1
                    """
            )
        ).map(FileRow.init)
    }

    func holds(atLeast count: Int) throws -> Bool {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM file LIMIT 1 OFFSET ?"),
            arguments: [count - 1]
        ) != nil
    }

    /// Files that were agreed with the server.
    func agreedIDs() throws -> [FileID] {
        try db.cachedStatement(sql: "SELECT id FROM file WHERE base IS NOT NULL").fileIDs()
    }

    func changedRowIDs() throws -> [FileID] {
        try db.cachedStatement(sql: "SELECT id FROM file WHERE local IS NOT NULL").fileIDs()
    }

    /// Files that a push would tell of: those that were changed, and those that are to be gone for good.
    func unsyncedIDs() throws -> [FileID] {
        try db.cachedStatement(
            sql: "SELECT id FROM file WHERE local IS NOT NULL UNION SELECT file FROM purge"
        ).fileIDs()
    }

    func hasChanges() throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM file WHERE local IS NOT NULL)
                        OR EXISTS (SELECT 1 FROM purge)
                    """
            )
        ) ?? false
    }

    // MARK: The entry that was sent

    /// Whether an entry was sent whose fate is not known.
    func hasPending() throws -> Bool { try pendingPosition() != nil }

    /// Whether such an entry may have to be sent again with what stands in it: the one that makes the
    /// account, which waits for as long as nobody syncs, tells of the root alone.
    func hasPendingFiles() throws -> Bool { try pendingPosition() ?? 0 > 0 }

    func pendingChanged() { pendingKnown = nil }

    private func pendingPosition() throws -> UInt64? {
        if let pendingKnown { return pendingKnown }
        let found = try db.cachedStatement(sql: "SELECT header FROM pending")
            .first([]) { try EntryHeader($0.bytes(0)).position }
        pendingKnown = .some(found)
        return found
    }
}
