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
    /// Scopes around others, of which nothing else may be seen.
    var told: [FileID: Set<FileID>] = [:]
    /// Scopes of which what was told before holds no more.
    var toldAnew: Set<FileID> = []
    /// Scopes that moved out of what this account may see.
    var departed: Set<FileID> = []
    /// Files that moved out of what this account may see, where another one shares it.
    var left: Set<FileID> = []
    /// The last records of what is shared by itself and went out of sight, which no merge takes.
    var last: [FileID: FileRecord] = [:]
    /// Where shared files of another account stand from now on.
    var seats = ShareSeats()
    /// Files of which these are all the grants there are, as a checkpoint says; nil where no checkpoint
    /// was read.
    var replaces: Set<FileID>?

    /// What was taken back from an account and then shared with it again.
    func renewed(for account: AccountID) -> Set<FileID> {
        var (ended, renewed): (Set<FileID>, Set<FileID>) = ([], [])
        for grant in grants where AccountID(grant.grantee) == account {
            if grant.mode == .none {
                ended.insert(grant.file)
                renewed.remove(grant.file)
            } else if ended.contains(grant.file) {
                renewed.insert(grant.file)
            }
        }
        return renewed
    }
}

/// Which of the files that an account shares stand at the top of the store for it, and which of
/// those that were shared by themselves stand inside of another one.
struct ShareSeats {
    var tops: Set<FileID> = []
    var inside: Set<FileID> = []
}

/// What pages that were checked change, while they wait to be merged.
struct PageOverlay {
    /// Whether this is all that there is, as a checkpoint has it, and nothing of the tree holds besides.
    var isAll = false
    private(set) var facts: [FileID: FileFacts] = [:]
    /// What names the key of each of these.
    private(set) var commitments: [FileID: Hash256] = [:]
    var grants: [FileID: [AccountID: Grant]] = [:]
    var told: [FileID: Set<FileID>] = [:]
    /// Scopes of which what was told before these pages holds no more.
    var toldAnew: Set<FileID> = []
    /// Files that left what this account may see, or are gone for good.
    var left: Set<FileID> = []
    /// Of those, what was not to be seen for a while and was not told of since, with its scope.
    private(set) var lapsed: [FileID: FileID] = [:]
    /// The scopes of that, with those that were around them and what was in them.
    private(set) var lapsedScopes: [FileID: (around: [FileID], files: [FileID])] = [:]
    /// The files of each scope, and such as were of it at an earlier entry; nil until they are asked for.
    private var members: [FileID: [FileID]]?

    /// Takes a page of a time in which nothing was shared.
    mutating func take(_ page: VerifiedPage) {
        for (file, record) in page.records {
            take(record)
            left.remove(file)
        }
        for file in page.purged {
            (facts[file], commitments[file]) = (nil, nil)
            left.insert(file)
        }
    }

    mutating func take(_ record: FileRecord) {
        facts[record.facts.id] = record.facts
        commitments[record.facts.id] = record.keyCommitment
        members?[record.facts.scope, default: []].append(record.facts.id)
    }

    /// A file is not to be seen any more, and what becomes of it is not told.
    /// - Parameter around: its scope, and those that are around that.
    mutating func lapse(_ file: FileID, of scope: FileID, around: [FileID]) {
        left.insert(file)
        lapsed[file] = scope
        lapsedScopes[scope, default: (around, [])].files.append(file)
        lapsedScopes[scope]?.around = around
    }

    /// A record of a file came, which may have left, or been taken away, before.
    mutating func takeBack(_ file: FileID) {
        left.remove(file)
        lapsed[file] = nil
    }

    /// A scope is seen again, and all that there is of it is told.
    /// - Returns: what was in it, and is not.
    mutating func endLapse(of scope: FileID) -> [FileID] {
        let gone = lapsedScopes.removeValue(forKey: scope)?.files ?? []
        return gone.filter { file in
            guard lapsed[file] == scope else { return false }
            lapsed[file] = nil
            return true
        }
    }

    /// All files by their scopes, also such as left those: gone through once for all entries.
    mutating func members(in tree: LocalTree) throws -> [FileID: [FileID]] {
        if let members { return members }
        var found: [FileID: [FileID]] = [:]
        for (id, facts) in facts { found[facts.scope, default: []].append(id) }
        for id in isAll ? [] : try tree.agreedIDs() where facts[id] == nil {
            guard let base = try tree.row(id)?.base else { continue }
            found[try FileRecord(base).facts.scope, default: []].append(id)
        }
        members = found
        return found
    }

    /// Nothing of a scope is seen any more, until a record of it comes.
    mutating func forgetMembers(of scope: FileID) { members?[scope] = nil }
}

/// The tree at one position of the log, as the rules of sharing ask for it.
struct PageView: ShareView {
    let tree: LocalTree
    var overlay = PageOverlay()

    func facts(_ id: FileID) throws -> FileFacts? {
        if overlay.left.contains(id) { return nil }
        if let facts = overlay.facts[id] { return facts }
        if overlay.isAll { return nil }
        return try tree.row(id)?.base.map { try FileRecord($0).facts }
    }

    /// What a file is, and what names its key.
    func step(_ id: FileID) throws -> (facts: FileFacts, keyCommitment: Hash256)? {
        if overlay.left.contains(id) { return nil }
        if let facts = overlay.facts[id], let commitment = overlay.commitments[id] {
            return (facts, commitment)
        }
        if overlay.isAll { return nil }
        return try tree.row(id)?.base.map { bytes in
            let record = try FileRecord(bytes)
            return (record.facts, record.keyCommitment)
        }
    }

    func grants(of file: FileID) throws -> [Grant] {
        let newer = overlay.grants[file] ?? [:]
        if overlay.isAll { return Array(newer.values) }
        return try tree.grants(of: file).filter { newer[AccountID($0.grantee)] == nil }
            + Array(newer.values)
    }

    func grant(of file: FileID, to account: AccountID) throws -> Grant? {
        try grants(of: file).first { AccountID($0.grantee) == account }
    }

    func sharedFiles() throws -> [FileID] {
        var shared = Set(try allGrants().filter { $0.mode > .none }.map(\.file))
        for file in overlay.grants.keys {
            if try grantees(of: file).isEmpty { shared.remove(file) } else { shared.insert(file) }
        }
        return shared.sorted()
    }

    func toldScopes(around scope: FileID) throws -> [FileID] {
        let isAnew = overlay.isAll || overlay.toldAnew.contains(scope)
        let before = isAnew ? [] : try tree.told(around: scope)
        return before.union(overlay.told[scope] ?? []).sorted()
    }

    /// The files that an account holds a grant on, as far as they are seen: of one that is told in
    /// the group of another scope alone, the account was let out again before it came here.
    func held(by account: AccountID) throws -> Set<FileID> {
        try granted(to: account).filter { try facts($0) != nil }
    }

    /// The files that an account holds a grant on, seen or not.
    func granted(to account: AccountID) throws -> Set<FileID> {
        var granted: Set<FileID> = []
        let known = try overlay.isAll ? [] : tree.grants(to: account)
        for grant in known where grant.mode > .none { granted.insert(grant.file) }
        for (file, grants) in overlay.grants {
            guard let grant = grants[account] else { continue }
            if grant.mode > .none { granted.insert(file) } else { granted.remove(file) }
        }
        return granted
    }

    func seats(of account: AccountID) throws -> ShareSeats {
        let held = try held(by: account)
        var seats = ShareSeats()
        // One that was taken back by itself may be seen all the same, inside of another one.
        let known = try Set(allGrants().map(\.file)).union(overlay.grants.keys)
        for file in held.union(known) where try facts(file) != nil {
            let isInside = try scopes(around: file).dropFirst().contains { held.contains($0) }
            if isInside {
                seats.inside.insert(file)
            } else if held.contains(file) {
                seats.tops.insert(file)
            }
        }
        return seats
    }

    /// What the tree says besides the overlay.
    private func allGrants() throws -> [Grant] { overlay.isAll ? [] : try tree.allGrants() }

    // That nothing was left out of a push is for the server to see, which has all of the tree; a
    // reader loses nothing by it.
    func children(of folder: FileID) -> [FileID] { [] }
    func undeletedChildren(of folder: FileID) -> [FileID] { [] }
    func undeletedChild(of parent: FileID, tagged tag: Hash256) -> FileID? { nil }
}

extension Sync {
    /// Checks a part of a log that is shared, entry by entry: chain, signatures, hashes, that each
    /// author was allowed to at that point, and that nothing was kept back that this account may
    /// see.
    ///
    /// It waits for the rest: what the server still lets this account read is what it may see at the
    /// end of the log.
    /// - Returns: the last entry.
    mutating func checkShared(
        _ update: Lockbook_V1_LogUpdate,
        after known: LogHead?,
        _ waiting: [VerifiedPage]
    ) throws -> LogHead? {
        var records: [Hash256: FileRecord] = [:]
        for bytes in update.records {
            let record = try FileRecord(Array(bytes))
            records[record.hash] = record
        }
        let context = store.context
        let before = checked ?? CheckedEntries(after: waiting)
        checked = nil
        let (head, after) = try store.read { tree in
            var check = PageCheck(tree: tree, context: context, checked: before, records: records)
            var head = known
            for entry in update.entries { head = try check.take(entry, after: head) }
            return (head, check.checked)
        }
        try countUnseen(
            update.entries.count,
            upTo: head,
            after: after.entries.count > before.entries.count ? after.entries.last : nil
        )
        checked = after
        return head
    }

    /// All that was checked of a shared log and not merged yet; nil when there is nothing.
    mutating func takeShared() throws -> VerifiedPage? {
        guard let checked else { return nil }
        self.checked = nil
        guard checked.begun != nil || !checked.entries.isEmpty else { return nil }
        let context = store.context
        return try store.read { tree in
            try PageCheck(tree: tree, context: context, checked: checked, records: [:]).page()
        }
    }
}
