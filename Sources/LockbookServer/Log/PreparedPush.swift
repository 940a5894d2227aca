import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// A push whose every part was read, hashed and checked as far as that goes without the store.
struct PreparedPush: Sendable {
    /// One answer to a reader must be able to hold the groups of any entry, with a part of its records.
    static let maximumGroupByteCount = 12 << 20
    /// Pushes with less take no turns.
    static let smallGroupByteCount = 1 << 20

    let header: EntryHeader
    let headerHash: Hash256
    let groups: [(scope: FileID, bytes: [UInt8])]
    /// What is listed, and in the group of which scope.
    let listed: [(scope: FileID, reference: RecordReference)]
    /// What is purged, and in the group of which scope.
    let purged: [FileID: FileID]
    /// The groups without their records.
    let shares: [EntryGroup]
    /// Whether the scopes of the groups are part of what was signed.
    let isSharedForm: Bool
    let parcel: Parcel
    let authorKey: VerifyingKey
    /// Files of contents that get their rows with this push.
    private(set) var unnamed: [UnnamedFile] = []

    /// The contents that get their rows with this push.
    var contents: [NewBlob] { parcel.blobs + unnamed.map(\.blob) }

    /// The same push, with contents of which the files are here already.
    func takingOver(_ files: [UnnamedFile]) -> PreparedPush {
        var push = self
        push.unnamed = files
        return push
    }

    /// Each where it holds; what the scopes inside of that are told of it is the same again.
    var grants: [Grant] {
        shares.flatMap { group in group.grants.filter { $0.file == group.scope } }
    }

    /// - Parameters:
    ///   - author: who asks.
    ///   - account: whose log it is.
    init(
        _ request: Lockbook_V1_PushRequest,
        header: EntryHeader,
        by author: StoredAccount,
        for account: StoredAccount
    ) throws {
        self.header = header
        authorKey = author.signingKey
        headerHash = header.hash
        guard header.log == account.id, header.author == author.id else {
            throw Refusal(.notPermitted, "this account may not write to this log")
        }
        guard header.position > 0 else {
            throw Refusal(.malformed, "a log begins with its registration")
        }
        try header.verify(by: author.signingKey)
        guard !request.groups.isEmpty, request.groups.count <= EntryBody.maximumGroupCount else {
            throw VerificationFailure.hash
        }
        guard request.groups.reduce(0, { $0 + $1.count }) <= Self.maximumGroupByteCount else {
            throw Refusal(.tooLarge, "the groups of one push may be 12 MiB together")
        }
        isSharedForm = try Self.isSharedForm(request.groups, of: header)
        let pushed = try PushedGroups(request.groups)
        groups = pushed.groups
        listed = pushed.listed
        purged = pushed.purged
        shares = pushed.shares
        parcel = try Parcel(records: request.records, blobs: request.blobs)
    }

    /// Whether the scopes of the groups are part of what was signed; nothing else may be missing of it.
    private static func isSharedForm(_ groups: [Data], of header: EntryHeader) throws -> Bool {
        var body = EntryBody(groups: groups.map { .whole(Array($0)) })
        if body.hash == header.bodyHash { return false }
        body.scopes = try groups.map { try EntryGroup(Array($0)).scope }
        guard body.hash == header.bodyHash else { throw VerificationFailure.hash }
        return true
    }
}

/// What the groups of a push say, as it is looked up and stored.
private struct PushedGroups {
    private(set) var groups: [(scope: FileID, bytes: [UInt8])] = []
    private(set) var listed: [(scope: FileID, reference: RecordReference)] = []
    private(set) var purged: [FileID: FileID] = [:]
    private(set) var shares: [EntryGroup] = []

    init(_ groups: [Data]) throws {
        for bytes in groups { try take(Array(bytes)) }
        guard
            !listed.isEmpty || !purged.isEmpty
                || shares.contains(where: { !$0.grants.isEmpty })
        else {
            throw Refusal(.malformed, "an entry lists at least one record")
        }
        guard listed.count + purged.count <= EntryGroup.maximumRecordCount else {
            throw Refusal(
                .tooLarge,
                "one push may change \(EntryGroup.maximumRecordCount) files"
            )
        }
        guard listed.allSatisfy({ purged[$0.reference.file] == nil }) else {
            throw DecodingFailure.invalid(field: "purged")
        }
    }

    private mutating func take(_ bytes: [UInt8]) throws {
        let group = try EntryGroup(bytes)
        if let last = groups.last, last.scope >= group.scope {
            throw DecodingFailure.invalid(field: "groups")
        }
        // All but the extension has one form.
        try Refusal.requireShortExtension(bytes.count - group.bytes.count)
        guard group.wraps.allSatisfy(\.isSafe) else { throw VerificationFailure.publicKey }
        groups.append((group.scope, bytes))
        listed += group.records.map { (group.scope, $0) }
        for file in group.purged { purged[file] = group.scope }
        shares.append(
            EntryGroup(
                scope: group.scope,
                records: [],
                grants: group.grants,
                wraps: group.wraps,
                left: group.left,
                inner: group.inner,
                isMoved: group.isMoved
            )
        )
    }
}

/// Records and small blobs as they came, checked and named.
struct Parcel: Sendable {
    /// Larger blobs are files.
    static let rowByteCount = 64 << 10

    private(set) var records: [NewRecord] = []
    private(set) var facts: [FileFacts] = []
    /// What names the key of each record.
    private(set) var commitments: [Hash256] = []
    private(set) var blobs: [NewBlob] = []
    private(set) var files: [(name: BlobName, bytes: [UInt8])] = []

    init(records: [Data], blobs: [Lockbook_V1_Blob]) throws {
        guard records.count + blobs.count <= 2 * Wire.maximumNamesPerRequest else {
            throw Refusal(.tooLarge, "too many records and blobs in one request")
        }
        self.records.reserveCapacity(records.count)
        facts.reserveCapacity(records.count)
        commitments.reserveCapacity(records.count)
        for data in records {
            let record = try FileRecord(Array(data))
            self.records.append(NewRecord(hash: record.hash, bytes: record.bytes))
            facts.append(record.facts)
            commitments.append(record.keyCommitment)
        }
        self.blobs.reserveCapacity(blobs.count)
        for blob in blobs { try append(blob) }
    }

    private mutating func append(_ blob: Lockbook_V1_Blob) throws {
        let bytes = Array(blob.content)
        guard !bytes.isEmpty else { throw Refusal(.malformed, "a blob is not empty") }
        guard bytes.count <= Wire.smallBlobByteCount else {
            throw Refusal(.tooLarge, "a blob over 1 MiB goes in segments")
        }
        let segment = Hash256(sha256: bytes)
        let name = BlobName(length: UInt64(bytes.count), segments: [segment])
        // Compared as bytes: making a hash of each name would cost more than the comparison.
        guard blob.name == name.hash.data else {
            throw Refusal(.malformed, "a blob has another name than it should")
        }
        let isFile = bytes.count > Self.rowByteCount
        if isFile { files.append((name, bytes)) }
        blobs.append(
            NewBlob(
                name: name,
                size: UInt64(bytes.count),
                place: isFile ? .file(segments: [segment]) : .row(bytes)
            )
        )
    }
}
