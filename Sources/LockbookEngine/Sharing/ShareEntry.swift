import LockbookCrypto
import LockbookModel

extension PushPlan.Item {
    /// A record whose content the server has.
    init(_ record: FileRecord, hash: Hash256? = nil) {
        self.init(
            reference: RecordReference(file: record.facts.id, hash: hash ?? record.hash),
            scope: record.facts.scope,
            recordByteCount: record.bytes.count,
            record: record.bytes,
            blob: record.facts.blob,
            sendsBlob: false
        )
    }
}

/// What an entry about shares says, scope by scope.
struct ShareEntry {
    let file: FileID
    let sealed: SealedScopes
    /// Whether somebody is let in who was not there before.
    var isNew = false
    /// Grants on the scope itself.
    var own: [FileID: [Grant]] = [:]
    /// Grants on scopes around it.
    var told: [FileID: [Grant]] = [:]
    var wrapped: [FileID: [AccountPublicKeys]] = [:]
    /// The scopes inside of the file's.
    var inner: Set<FileID> = []

    init(file: FileID, sealed: SealedScopes) {
        self.file = file
        self.sealed = sealed
    }

    /// The groups of the entry, by rising scope.
    func groups(of owner: AccountID) throws -> [EntryGroup] {
        let references = sealed.references
        let scopes = Set(references.keys).union(own.keys).union(told.keys)
        return try scopes.sorted().map { scope in
            var wraps: [GranteeWrap] = []
            if let key = sealed.keys[scope] {
                wraps = try (wrapped[scope] ?? []).map {
                    try GranteeWrap(
                        key.key,
                        owner: owner,
                        file: scope,
                        epoch: key.epoch,
                        grantee: $0
                    )
                }
            }
            return EntryGroup(
                scope: scope,
                records: references[scope] ?? [],
                grants: (own[scope] ?? []) + (told[scope] ?? []),
                wraps: wraps,
                inner: scope == file ? inner.sorted() : []
            )
        }
    }
}
