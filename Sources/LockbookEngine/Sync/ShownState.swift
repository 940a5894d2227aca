import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What a log says the tree was up to one of its entries.
///
/// Each entry is one that its author has signed, in its place, so a server cannot go on for ever.
struct ShownState {
    let common: LogHead
    /// Whether files that a later entry changes, or takes out of it, count as well.
    let isAll: Bool
    private(set) var known: LogHead?
    /// The newest record of each file; without `isAll` of files that no later entry changes.
    private(set) var records: [FileID: FileRecord] = [:]
    /// Who may have signed entries, as those before say.
    private var checked = CheckedEntries(after: [])

    init(common: LogHead, isAll: Bool) { (self.common, self.isAll) = (common, isAll) }

    /// - Returns: whether more follows that counts.
    mutating func take(_ update: Lockbook_V1_LogUpdate, in store: LocalStore) throws -> Bool {
        var sent: [Hash256: FileRecord] = [:]
        for bytes in update.records {
            let record = try FileRecord(Array(bytes))
            sent[record.hash] = record
        }
        try store.read { tree in
            for entry in update.entries { try take(entry, sent, store.context, in: tree) }
        }
        guard !update.more || !update.entries.isEmpty else {
            throw LockbookError.integrity(reason: "the server announces entries it does not send")
        }
        let isThere = known.map { $0.position >= common.position } ?? false
        return update.more && !(isAll && isThere)
    }

    /// Takes what a checkpoint says: what the entries before it said is in that.
    mutating func take(_ state: CheckpointState) {
        records = state.records
        known = state.head
        note(state.scopes?.grants ?? [])
    }

    private mutating func take(
        _ entry: Lockbook_V1_Entry,
        _ sent: [Hash256: FileRecord],
        _ context: StoreContext,
        in tree: LocalTree
    ) throws {
        let header = try EntryHeader(Array(entry.header))
        let groups = try verified(entry, header, context, in: tree)
        let isThen = header.position <= common.position
        for group in isThen || !isAll ? groups : [] {
            for reference in group.records {
                records[reference.file] = isThen ? sent[reference.hash] : nil
            }
            for file in group.purged + group.left { records[file] = nil }
        }
        known = LogHead(header)
    }

    /// - Returns: what an entry says; nothing of one by somebody who writes elsewhere in the tree.
    private mutating func verified(
        _ entry: Lockbook_V1_Entry,
        _ header: EntryHeader,
        _ context: StoreContext,
        in tree: LocalTree
    ) throws -> [EntryGroup] {
        if known == nil, context.isForeign {
            // A member starts where he was let in.
            guard header.log == context.owner else { throw VerificationFailure.misplaced }
        } else {
            try header.verify(after: known, in: context.owner)
        }
        guard header.position != common.position || LogHead(header) == common else {
            throw VerificationFailure.misplaced
        }
        let check = PageCheck(tree: tree, context: context, checked: checked, records: [:])
        let groups = try check.seen(entry, header).whole
        guard let key = try check.key(of: header.author, []) ?? key(of: header, groups, check)
        else {
            guard context.isForeign else { throw VerificationFailure.author }
            return []
        }
        try header.verify(by: key)
        note(groups.flatMap(\.grants))
        return groups
    }

    /// The key of somebody whom the owner let in, as the entry itself shows.
    private func key(of header: EntryHeader, _ groups: [EntryGroup], _ check: PageCheck) throws
        -> VerifyingKey?
    {
        let grant = groups.flatMap(\.grants).first {
            $0.grantor == header.log && AccountID($0.grantee) == header.author
        }
        guard let grant, let ownerKey = try check.key(of: header.log, []) else { return nil }
        try grant.verify(by: ownerKey)
        return grant.grantee.signing
    }

    private mutating func note(_ grants: [Grant]) {
        for grant in grants {
            checked.overlay.grants[grant.file, default: [:]][AccountID(grant.grantee)] = grant
        }
    }
}
