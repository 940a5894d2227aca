import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What was checked of a log that is shared, and waits for the rest of it.
struct CheckedEntries {
    var overlay = PageOverlay()
    /// The entry of whose time a checkpoint's state is that they begin with.
    var begun: EntryHeader?
    /// Those whose authors are known to have had a right to them.
    var entries: [EntryHeader] = []
    var newest: [FileID: FileRecord] = [:]
    var origins: [FileID: EntryHeader] = [:]
    var purged: Set<FileID> = []
    var listed = 0
    var news = ShareNews()
    /// What this account holds after the last entry; nil where that is to be asked for.
    var held: HeldFiles?

    /// - Parameter waiting: pages of the time before anything was shared, not merged yet.
    init(after waiting: [VerifiedPage]) {
        for page in waiting { overlay.take(page) }
    }
}

/// What an account holds in another one's tree, which few entries change.
struct HeldFiles {
    /// Grants on these files hold.
    let granted: Set<FileID>
    /// Those of them that are seen.
    let seen: Set<FileID>

    /// Whether an entry with these groups changes nothing of it.
    func stays(after groups: [EntryGroup]) -> Bool {
        groups.allSatisfy { group in
            group.grants.isEmpty && group.left.isEmpty && group.purged.isEmpty
                && group.inner.isEmpty && !group.isMoved
                && group.records.allSatisfy { !granted.contains($0.file) }
        }
    }
}

/// Checks entries one after the other.
struct PageCheck {
    let tree: LocalTree
    let context: StoreContext
    var checked: CheckedEntries
    let records: [Hash256: FileRecord]

    var view: PageView { PageView(tree: tree, overlay: checked.overlay) }

    /// All that was checked, as one page: what was taken back again since needs no place any more.
    func page() throws -> VerifiedPage {
        guard let last = checked.entries.last ?? checked.begun else {
            throw VerificationFailure.misplaced
        }
        var page = checked
        if context.isForeign {
            page.news.seats = try view.seats(of: context.author)
            let held = try view.held(by: context.author)
            var scopes: [FileID: Bool] = [:]
            for (id, record) in checked.newest {
                let scope = record.facts.scope
                let isSeen = try scopes[scope] ?? isSeen(scope, held)
                scopes[scope] = isSeen
                if !isSeen { page.newest[id] = nil }
            }
            page.purged.formUnion(try strayed(held))
        }
        return VerifiedPage(
            entries: page.entries,
            newest: last,
            records: page.newest,
            origins: page.origins,
            listed: page.listed,
            purged: page.purged,
            shares: page.news
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
        let held = try heldFiles()
        let shown = try mine(groups.whole, groups.hidden, held.seen)
        checked.held = held.stays(after: groups.whole) ? held : nil
        guard !context.isForeign || head != nil || !shown.isEmpty else {
            throw VerificationFailure.misplaced
        }
        guard let key = try key(of: header.author, shown) else {
            // Somebody who may write elsewhere in this tree: nothing of it is for this account.
            guard context.isForeign, shown.isEmpty else { throw VerificationFailure.author }
            return LogHead(header)
        }
        try header.verify(by: key)
        let told = checked.news.grants.count
        try take(shown, header, key)
        try takeEnds(groups.whole, besides: shown)
        // One in which nothing asks for a right of its author is as good as one of somebody unknown: both
        // count once an entry that does comes after them, and are not kept till then, as there may be any
        // number.
        if !shown.isEmpty || checked.news.grants.count > told || isTrusted(header.author) {
            checked.entries.append(header)
        }
        return LogHead(header)
    }

    /// What this account holds now: of one's own tree that is not asked.
    func heldFiles() throws -> HeldFiles {
        if let held = checked.held { return held }
        guard context.isForeign else { return HeldFiles(granted: [], seen: []) }
        let view = view
        let granted = try view.granted(to: context.author)
        return HeldFiles(granted: granted, seen: try granted.filter { try view.facts($0) != nil })
    }

    /// Whether an account signs nothing here that it may not.
    private func isTrusted(_ author: AccountID) -> Bool {
        author == context.owner || author == context.author
    }

    private mutating func take(_ shown: [EntryGroup], _ header: EntryHeader, _ key: VerifyingKey)
        throws
    {
        let found = try listed(in: shown, of: header)
        guard let ownerKey = try self.key(of: context.owner, []) else {
            throw VerificationFailure.author
        }
        var validator = ShareValidator(
            before: view,
            owner: context.owner,
            ownerKey: ownerKey,
            isPartial: context.isForeign
        )
        try validator.validate(found.map(\.facts), shown, by: header.author, key: key)
        try requireSteps(found, in: header)
        try takePurges(shown, header)
        for record in found {
            checked.overlay.take(record)
            // What had left may be shared again, by itself or where it is now.
            checked.overlay.takeBack(record.facts.id)
        }
        // Where these went is not seen, and nothing stands in them any more.
        let known = Set(found.map(\.facts.id))
        for group in shown {
            for id in group.left where !known.contains(id) { forget(id) }
            takeShares(group)
        }
        try lapse(shown)
        try depart(shown)
        try keepSeen(found, shown, header)
        checked.listed += found.count
    }

    /// The records of an entry, which are of its author and stand where it says.
    private func listed(in shown: [EntryGroup], of header: EntryHeader) throws -> [FileRecord] {
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
                found.append(record)
            }
        }
        return found
    }

    /// Keeps what may be seen after an entry, and lets go of what left that.
    private mutating func keepSeen(
        _ found: [FileRecord],
        _ shown: [EntryGroup],
        _ header: EntryHeader
    ) throws {
        let held = try heldFiles().seen
        checked.purged.formUnion(try returned(held))
        var scopes: [FileID: Bool] = [:]
        var seen: Set<FileID> = []
        for record in found {
            let scope = record.facts.scope
            let isSeen = try scopes[scope] ?? isSeen(scope, held)
            scopes[scope] = isSeen
            // New keys for who stays are none of this account's business.
            guard isSeen else { continue }
            seen.insert(record.facts.id)
            checked.newest[record.facts.id] = record
            checked.news.last[record.facts.id] = nil
            checked.purged.remove(record.facts.id)
            checked.news.left.remove(record.facts.id)
            checked.origins[record.facts.id] = header
        }
        for group in shown {
            for id in group.left where !seen.contains(id) {
                forget(id)
                if context.isForeign { checked.news.left.insert(id) }
            }
        }
    }

    /// A file is gone from what this account may see.
    mutating func forget(_ id: FileID) {
        checked.overlay.left.insert(id)
        checked.purged.insert(id)
        drop(id)
    }

    /// Merges nothing of a file that is not seen any more.
    mutating func drop(_ id: FileID) {
        if let record = checked.newest[id], record.facts.scope == id {
            checked.news.last[id] = record
        }
        checked.newest[id] = nil
        checked.origins[id] = nil
    }

    /// Whether a file of this scope may be seen, with what is held now.
    func isSeen(_ scope: FileID, _ held: Set<FileID>) throws -> Bool {
        try !context.isForeign || view.scopes(around: scope).contains { held.contains($0) }
    }

    private mutating func takeShares(_ group: EntryGroup) {
        if group.isMoved { forgetTold(group.scope) }
        for grant in group.grants {
            checked.overlay.grants[grant.file, default: [:]][AccountID(grant.grantee)] = grant
            guard grant.file != group.scope, context.isForeign else { continue }
            checked.overlay.told[group.scope, default: []].insert(grant.file)
            checked.news.told[group.scope, default: []].insert(grant.file)
        }
        checked.news.grants += group.grants
        checked.news.wraps += group.wraps.filter { $0.grantee == context.author }
    }

    /// Notes the end of a grant of this account on what is not here, of which it was told in another
    /// scope: else it would hold once that comes into sight in another way.
    private mutating func takeEnds(_ whole: [EntryGroup], besides shown: [EntryGroup]) throws {
        guard context.isForeign, let ownerKey = try key(of: context.owner, []) else { return }
        let scopes = Set(shown.map(\.scope))
        for group in whole where !scopes.contains(group.scope) {
            for grant in group.grants
            where grant.file == group.scope && grant.mode == .none
                && grant.grantor == context.owner && AccountID(grant.grantee) == context.author
            {
                guard let old = try view.grant(of: grant.file, to: context.author),
                    old.mode > .none, grant.mayFollow(old)
                else { continue }
                try grant.verify(by: ownerKey)
                checked.overlay.grants[grant.file, default: [:]][context.author] = grant
                checked.news.grants.append(grant)
            }
        }
    }

    /// Only the owner purges, and a file in the group of its scope.
    private mutating func takePurges(_ shown: [EntryGroup], _ header: EntryHeader) throws {
        for group in shown where !group.purged.isEmpty {
            guard header.author == context.owner else { throw VerificationFailure.author }
            let view = PageView(tree: tree, overlay: checked.overlay)
            for id in group.purged {
                if let facts = try view.facts(id), facts.scope != group.scope {
                    throw VerificationFailure.misplaced
                }
                forget(id)
            }
            checked.listed += group.purged.count
        }
    }
}
