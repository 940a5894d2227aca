package import LockbookCrypto
package import LockbookModel

/// Where accounts, logs, records and small blobs are kept.
///
/// Both closures run inside one transaction of their own: what they read belongs together, and what
/// `write` changes is durable when it returns, or has not happened when it throws. The rules of the
/// protocol stand outside, so that every implementation keeps the same ones.
package protocol MetadataStore: Sendable {
    func read<Value: Sendable>(_ body: @Sendable (any MetadataReading) throws -> Value)
        async throws -> Value
    func write<Value: Sendable>(_ body: @Sendable (any MetadataWriting) throws -> Value)
        async throws -> Value
    /// Brings what was written to its place, so that what it took on its way is used again.
    func settle() async throws
    func close() throws
}

/// Why a store cannot be used.
package enum StoreFailure: Error, Equatable, Sendable {
    /// Written by a newer program.
    case newer(found: Int, known: Int)
    /// Written by an older program, and only to be read.
    case older
    /// There are contents, and no database that names them.
    case lostDatabase
    /// Another server has the data folder open.
    case inUse
    /// A row does not hold what this program wrote.
    case damaged
    /// What was read before the transaction is not there any more; begin again.
    case collected
    /// No space is left for the change.
    case full

    /// Whether a store or a file system had no room.
    static func isFull(_ error: any Error) -> Bool {
        switch error {
        case StoreFailure.full: true
        case let failure as SystemFailure: failure.isFull
        default: false
        }
    }
}

/// What a transaction can be asked.
package protocol MetadataReading {
    func account(requestKey: Hash256) throws -> StoredAccount?
    func account(id: AccountID) throws -> StoredAccount?
    func account(named username: Username) throws -> StoredAccount?
    func accounts() throws -> [StoredAccount]
    /// Of all accounts, also of those whose rows are damaged.
    func logs() throws -> [AccountKey]
    /// What is left of an account that was deleted; nil for one that is here, or never was.
    func end(of account: AccountID) throws -> StoredEnd?
    func end(requestKey: Hash256) throws -> StoredEnd?
    func end(named username: Username) throws -> StoredEnd?
    /// The deleted accounts of which rows or large blobs may be left.
    func unfinishedEnds() throws -> [AccountID]

    func entry(_ position: UInt64, of log: AccountKey) throws -> StoredEntry?
    /// Canonical groups in the order of their scopes; empty once they were collected.
    func groups(_ position: UInt64, of log: AccountKey) throws -> [[UInt8]]
    func headers(_ positions: ClosedRange<UInt64>, of log: AccountKey) throws -> [[UInt8]]

    /// In the order asked; nil for what is not here.
    func records(_ hashes: [Hash256], of owner: AccountKey) throws -> [StoredRecord?]
    func absentRecords(_ hashes: [Hash256], of owner: AccountKey) throws -> [Hash256]
    func blobs(_ names: [BlobName], of owner: AccountKey) throws -> [StoredBlob?]
    /// The first blobs of an account whose names come after one.
    func blobs(of owner: AccountKey, after name: BlobName?, limit: Int) throws -> [StoredBlob]
    /// The bytes of a small blob; nil for one that is a file.
    func content(of blob: StoredBlob) throws -> [UInt8]?
    func segments(of blob: StoredBlob) throws -> [Hash256]

    func currentFiles(_ ids: [FileID], in log: AccountKey) throws -> [CurrentFile?]
    func undeletedChild(of parent: FileID, tagged tag: Hash256, in log: AccountKey) throws
        -> FileID?
    /// The files whose folder this is now, deleted ones too.
    func children(of parent: FileID, in log: AccountKey) throws -> [FileID]
    /// What a file was when it was purged, as far as the log of before is kept; nil where it was not.
    func purgedFile(_ id: FileID, in log: AccountKey) throws -> CurrentFile?
    /// The files of the tree as it was at a position, by rising id.
    func state(of log: AccountKey, at position: UInt64, after file: FileID?, limit: Int) throws
        -> [StateItem]
    func content(of item: StateItem) throws -> [UInt8]

    /// The newest versions of these files before a position, the newest first.
    func versions(of files: [FileID], in log: AccountKey, before: UInt64, limit: Int) throws
        -> (versions: [StoredVersion], hasMore: Bool)

    /// The newest checkpoint of a log that is of no later entry.
    func newestCheckpoint(of log: AccountKey, upTo position: UInt64) throws -> StoredCheckpoint?
    func checkpoint(at position: UInt64, of log: AccountKey) throws -> StoredCheckpoint?
    /// What came with a checkpoint of each scope, in its order; nothing where nothing was shared.
    func states(at position: UInt64, of log: AccountKey) throws -> [[UInt8]]

    /// Whether an entry of the log ever carried a grant.
    func isShared(_ log: AccountKey) throws -> Bool
    /// The position of the first grant of a log; nil when nothing of it was ever shared.
    func firstGrant(in log: AccountKey) throws -> UInt64?
    /// The grants that hold on a file, those that take one back too.
    func grants(of file: FileID, in log: AccountKey) throws -> [Grant]
    /// All grants that held after an entry, those that took one back too.
    func grants(in log: AccountKey, at position: UInt64) throws -> [Grant]
    /// What a grant lets an account do with a file now; nothing where there is none.
    func mode(of account: AccountID, on file: FileID, in log: AccountKey) throws -> ShareMode
    /// Every grant that an account ever had in a log, in the order of the log.
    func memberships(of account: AccountID, in log: AccountKey) throws -> [StoredMembership]
    /// The files of a log on which somebody holds a grant.
    func sharedFiles(in log: AccountKey) throws -> [FileID]
    /// The scope around another one after an entry; none for the root's, and for what is no scope.
    func surrounding(of scope: FileID, after position: UInt64, in log: AccountKey) throws
        -> StoredSurrounding
    /// The logs of which something is shared with an account now.
    func logs(sharedWith account: AccountID) throws -> [AccountKey]
    /// How many grants hold for an account in a log.
    func grantCount(to account: AccountID, in log: AccountKey) throws -> Int
    /// How many accounts hold a grant on a file.
    func memberCount(of file: FileID, in log: AccountKey) throws -> Int
    func account(key: AccountKey) throws -> StoredAccount?
    func undeletedChildren(of parent: FileID, in log: AccountKey) throws -> [FileID]
    /// The scopes of the records that name a blob.
    func scopes(naming blob: BlobKey) throws -> [FileID]

    /// An invitation by its 16 bytes; nil for one that was never made, or is long over.
    func invitation(_ id: FileID, of owner: AccountKey) throws -> StoredInvitation?
    /// How many invitations of an account can be used after a moment, in milliseconds.
    func openInvitationCount(of owner: AccountKey, at time: Int64) throws -> Int
    /// The claims on invitations of which nobody said how they ended, expired ones too.
    func claims(to owner: AccountKey) throws -> [[UInt8]]
    /// What an account said of another one.
    func acquaintance(of account: AccountKey, with other: AccountID) throws -> Acquaintance
    /// How many accounts of which it said nothing share something with an account.
    func strangerCount(sharingWith account: AccountID) throws -> Int
    /// With how many accounts a log is shared that said nothing of its owner.
    func strangerCount(in log: AccountKey) throws -> Int

    func upload(_ name: BlobName, of owner: AccountKey) throws -> StoredUpload?
    func uploadCount(of owner: AccountKey) throws -> Int
    /// Files of contents without a row, and when that was noted first, in seconds.
    func unnamed(of owner: AccountKey) throws -> [BlobName: Int64]
    /// The bytes kept of an account: log, records, contents with their history, and what was announced.
    func usage(of owner: AccountKey) throws -> UInt64
    /// Rises whenever something is collected; a row found under one number may be gone under another.
    ///
    /// What goes with a deleted account does not count: nobody writes to its log any more.
    func collectionMark() throws -> Int64
    /// By which time the last collection judged, in seconds; of a server that has none behind it, when
    /// its newest entry came. Nil where there is neither.
    func collectionTime() throws -> Int64?
    /// The next records and contents that no version names and the limits let go, a bounded number.
    /// - Parameter last: those that were found before.
    func loose(_ limits: CollectionLimits, after last: LooseRows) throws -> LooseRows
    /// Superseded versions of a log that the limits let go, a bounded number, and none of entries whose
    /// groups are kept.
    func oldVersions(_ limits: CollectionLimits, of log: AccountKey) throws -> OldVersions
}

/// What a transaction can do.
package protocol MetadataWriting: MetadataReading {
    func insert(_ certificate: AccountCertificate, head: LogHead) throws -> AccountKey
    /// Takes an account out of sight for good: from now on nobody finds it, and its name and keys are
    /// taken.
    func end(_ account: StoredAccount, with end: AccountEnd, at time: Int64) throws
    /// Deletes some of the rows that are left of a deleted account.
    /// - Parameter count: how many at most; of large ones it is fewer, but one at least.
    /// - Returns: whether there may be more.
    func deleteRows(of ended: AccountID, atMost count: Int) throws -> Bool
    /// Notes that nothing is left of a deleted account but its name, its keys and its statement.
    func finishEnd(of account: AccountID) throws
    /// Appends an entry and makes it the head.
    func append(_ entry: NewEntry, to log: AccountKey) throws
    /// Makes these the current versions of their files.
    func apply(_ versions: [NewVersion], at position: UInt64, to log: AccountKey) throws
    /// Takes files out of the tree and lets go of every content they ever had.
    func purge(_ files: [FileID], at position: UInt64, in log: AccountKey) throws
    /// Makes these the grants that hold.
    func apply(_ grants: [Grant], at position: UInt64, to log: AccountKey) throws

    /// Keeps records; for those already here only notes the time.
    /// - Returns: their keys in the order given.
    @discardableResult
    func insert(_ records: [NewRecord], of owner: AccountKey, at time: Int64) throws -> [RecordKey]
    @discardableResult
    func insert(_ blobs: [NewBlob], of owner: AccountKey, at time: Int64) throws -> [BlobKey]

    /// - Parameter states: of each scope, where something is or was shared.
    func insert(
        _ checkpoint: Checkpoint,
        _ states: [SeenScopeState],
        of log: AccountKey,
        at time: Int64
    ) throws
    func insert(_ upload: StoredUpload, of owner: AccountKey, at time: Int64) throws
    func deleteUpload(_ name: BlobName, of owner: AccountKey) throws
    /// Notes that these are all files of contents without a row.
    func note(unnamed names: [BlobName], of owner: AccountKey, at time: Int64) throws

    /// Makes an invitation, or the one of its id what it is now.
    func put(_ invitation: StoredInvitation, of owner: AccountKey) throws
    func set(_ acquaintance: Acquaintance, of account: AccountKey, with other: AccountID) throws
    func deleteInvitations(expiredBefore time: Int64) throws
    /// Forgets invitations of an account that nobody can use any more after a moment, in milliseconds,
    /// but those that would have lasted the longest.
    func deleteEndedInvitations(of owner: AccountKey, at time: Int64, keeping count: Int) throws

    func note(collectionTime time: Int64) throws
    /// Deletes checkpoints that were replaced, and groups of a log that nobody can be sent any more, a
    /// bounded number.
    func collect(_ limits: CollectionLimits, of log: AccountKey) throws -> Collected
    /// Deletes these versions.
    func collect(_ versions: OldVersions, of log: AccountKey) throws -> Collected
    /// Deletes those of these rows that still may go, and a bounded number of uploads.
    func collect(_ loose: LooseRows, _ limits: CollectionLimits) throws -> Collected
}
