import FoundationEssentials
import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What checked entries say of shares.
struct ShareNews {
    /// In the order of the log.
    var grants: [Grant] = []
    /// Those for this account.
    var wraps: [GranteeWrap] = []
}

/// What pages that were checked change, while they wait to be merged.
struct PageOverlay {
    var facts: [FileID: FileFacts] = [:]
    var grants: [FileID: [AccountID: Grant]] = [:]
}

/// The tree at one position of the log, as the rules of sharing ask for it.
private struct PageView: ShareView {
    let tree: LocalTree
    let overlay: PageOverlay

    func facts(_ id: FileID) throws -> FileFacts? {
        if let facts = overlay.facts[id] { return facts }
        return try tree.row(id)?.base.map { try FileRecord($0).facts }
    }

    func grants(of file: FileID) throws -> [Grant] {
        let newer = overlay.grants[file] ?? [:]
        return try tree.grants(of: file).filter { newer[AccountID($0.grantee)] == nil }
            + Array(newer.values)
    }

    func grant(of file: FileID, to account: AccountID) throws -> Grant? {
        try grants(of: file).first { AccountID($0.grantee) == account }
    }

    // That nothing was left out of a push is for the server to see, which has all of the tree; a
    // reader loses nothing by it.
    func undeletedChildren(of folder: FileID) -> [FileID] { [] }
    func undeletedChild(of parent: FileID, tagged tag: Hash256) -> FileID? { nil }
}

extension Sync {
    /// Checks a page of a log that is shared, entry by entry: chain, signatures, hashes, that each
    /// author was allowed to at that point, and that nothing was kept back that this account may
    /// see.
    mutating func verifyShared(
        _ update: Lockbook_V1_LogUpdate,
        after known: LogHead?,
        _ waiting: [VerifiedPage]
    ) throws -> VerifiedPage {
        for page in waiting where page.shares == nil {
            for record in page.records.values { overlay.facts[record.facts.id] = record.facts }
        }
        var records: [Hash256: FileRecord] = [:]
        for bytes in update.records {
            let record = try FileRecord(Array(bytes))
            records[record.hash] = record
        }
        let context = store.context
        let overlay = overlay
        let (page, after) = try store.read { tree in
            var check = PageCheck(tree: tree, context: context, overlay: overlay, records: records)
            var head = known
            for entry in update.entries { head = try check.take(entry, after: head) }
            return (try check.page(), check.overlay)
        }
        self.overlay = after
        return page
    }
}

/// Checks entries one after the other.
private struct PageCheck {
    let tree: LocalTree
    let context: StoreContext
    var overlay: PageOverlay
    let records: [Hash256: FileRecord]

    private var entries: [EntryHeader] = []
    private var newest: [FileID: FileRecord] = [:]
    private var origins: [FileID: EntryHeader] = [:]
    private var purged: Set<FileID> = []
    private var listed = 0
    private var news = ShareNews()

    init(
        tree: LocalTree,
        context: StoreContext,
        overlay: PageOverlay,
        records: [Hash256: FileRecord]
    ) {
        self.tree = tree
        self.context = context
        self.overlay = overlay
        self.records = records
    }

    func page() throws -> VerifiedPage {
        guard let last = entries.last else { throw VerificationFailure.misplaced }
        return VerifiedPage(
            entries: entries,
            newest: last,
            records: newest,
            origins: origins,
            listed: listed,
            purged: purged,
            shares: news
        )
    }

    mutating func take(_ entry: Lockbook_V1_Entry, after head: LogHead?) throws -> LogHead {
        let header = try EntryHeader(Array(entry.header))
        if head == nil, context.isForeign {
            // A member starts where he was let in.
            guard header.log == context.owner else { throw VerificationFailure.misplaced }
        } else {
            try header.verify(after: head, in: context.owner)
        }
        let groups = try seen(entry, header)
        let mine = try visible(groups.whole)
        guard groups.hidden.allSatisfy({ !mine.contains($0) }) else {
            throw VerificationFailure.hash
        }
        if head == nil, context.isForeign, groups.whole.isEmpty || mine.isEmpty {
            throw VerificationFailure.misplaced
        }
        let shown = groups.whole.filter { !context.isForeign || mine.contains($0.scope) }
        guard let key = try key(of: header.author) else {
            // Somebody who may write elsewhere in this tree: nothing of it is for this account.
            guard context.isForeign, shown.isEmpty else { throw VerificationFailure.author }
            entries.append(header)
            return LogHead(header)
        }
        try header.verify(by: key)
        try take(shown, header, key)
        entries.append(header)
        return LogHead(header)
    }

    private mutating func take(_ shown: [EntryGroup], _ header: EntryHeader, _ key: VerifyingKey)
        throws
    {
        var changes: [FileFacts] = []
        var found: [FileRecord] = []
        for group in shown {
            for reference in group.records {
                // Nothing is left out of a shared log: each entry is judged by itself.
                guard let record = records[reference.hash] else { throw VerificationFailure.hash }
                let facts = record.facts
                guard facts.id == reference.file, facts.scope == group.scope,
                    facts.author == header.author, facts.device == header.device,
                    facts.owner == header.log
                else { throw VerificationFailure.author }
                changes.append(facts)
                found.append(record)
            }
        }
        var validator = ShareValidator(
            before: PageView(tree: tree, overlay: overlay),
            owner: context.owner,
            isPartial: context.isForeign
        )
        try validator.validate(changes, shown, by: header.author, key: key)
        try takePurges(shown, header)
        let lost = Set(shown.filter(takesBack).map(\.scope))
        for record in found {
            overlay.facts[record.facts.id] = record.facts
            // New keys for who stays are none of this account's business.
            guard !lost.contains(record.facts.scope) else { continue }
            newest[record.facts.id] = record
            purged.remove(record.facts.id)
            origins[record.facts.id] = header
        }
        for group in shown {
            for grant in group.grants {
                overlay.grants[grant.file, default: [:]][AccountID(grant.grantee)] = grant
            }
            news.grants += group.grants
            news.wraps += group.wraps.filter { $0.grantee == context.author }
        }
        listed += found.count
    }

    /// Only the owner purges, and a file in the group of its scope.
    private mutating func takePurges(_ shown: [EntryGroup], _ header: EntryHeader) throws {
        for group in shown where !group.purged.isEmpty {
            guard header.author == context.owner else { throw VerificationFailure.author }
            let view = PageView(tree: tree, overlay: overlay)
            for id in group.purged {
                if let facts = try view.facts(id), facts.scope != group.scope {
                    throw VerificationFailure.misplaced
                }
                purged.insert(id)
                newest[id] = nil
                origins[id] = nil
            }
            listed += group.purged.count
        }
    }

    /// Whether a group ends what this account may see.
    private func takesBack(_ group: EntryGroup) -> Bool {
        context.isForeign
            && group.grants.contains {
                AccountID($0.grantee) == context.author && $0.mode == .none
            }
    }

    /// The groups of an entry, which are those that were signed.
    private func seen(_ entry: Lockbook_V1_Entry, _ header: EntryHeader) throws
        -> (whole: [EntryGroup], hidden: Set<FileID>)
    {
        var whole: [EntryGroup] = []
        var hidden: Set<FileID> = []
        var body = EntryBody(groups: [], scopes: [])
        for group in entry.groups {
            switch group.content {
            case .whole(let bytes):
                let group = try EntryGroup(Array(bytes))
                whole.append(group)
                body.groups.append(.whole(Array(bytes)))
                body.scopes?.append(group.scope)
            case .hidden(let bytes):
                let bytes = Array(bytes)
                guard bytes.count == 48, let scope = FileID(bytes[..<16]),
                    let hash = Hash256(bytes[16...])
                else { throw VerificationFailure.hash }
                hidden.insert(scope)
                body.groups.append(.hidden(hash))
                body.scopes?.append(scope)
            case nil: throw VerificationFailure.hash
            }
        }
        if header.position == 0 { body.certificate = Array(entry.certificate) }
        let scopes = body.scopes ?? []
        guard zip(scopes, scopes.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw VerificationFailure.hash
        }
        if body.hash != header.bodyHash {
            // From the time before anything was shared; a member was not there yet.
            body.scopes = nil
            guard !context.isForeign, hidden.isEmpty, body.hash == header.bodyHash else {
                throw VerificationFailure.hash
            }
        }
        guard context.isForeign || hidden.isEmpty else { throw VerificationFailure.hash }
        return (whole, hidden)
    }

    /// The scopes that this account may see before the entry or after it.
    private func visible(_ groups: [EntryGroup]) throws -> Set<FileID> {
        var mine: Set<FileID> = []
        for (file, mode) in try tree.held() where mode > .none { mine.insert(file) }
        for (file, grants) in overlay.grants {
            guard let grant = grants[context.author] else { continue }
            if grant.mode > .none { mine.insert(file) } else { mine.remove(file) }
        }
        for group in groups {
            let isGranted = group.grants.contains {
                AccountID($0.grantee) == context.author && $0.mode > .none
            }
            if isGranted { mine.insert(group.scope) }
        }
        return mine
    }

    /// The key of an author who may write something here; nil for nobody known.
    private func key(of author: AccountID) throws -> VerifyingKey? {
        if author == context.author { return context.keys.signing.publicKey }
        if author == context.owner { return try tree.contact(author)?.keys.signing }
        for grants in overlay.grants.values {
            if let grant = grants[author], grant.mode >= .write { return grant.grantee.signing }
        }
        return try tree.allGrants().first {
            AccountID($0.grantee) == author && $0.mode >= .write
                && overlay.grants[$0.file]?[author] == nil
        }?.grantee.signing
    }
}
