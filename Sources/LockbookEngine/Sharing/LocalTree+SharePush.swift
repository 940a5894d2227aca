import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// A record to be sealed for an entry of shares.
private struct ShareSeal: Sendable {
    let file: File
    let key: FileKey
    let previous: FileKey?
    let folder: FolderKeys
}

extension LocalTree {
    /// Signs an entry that makes one file's shares what commands here want them to be.
    ///
    /// Rows stay as they are until the entry is in the log: when somebody else's comes first, it is
    /// made again over the newer state.
    /// - Returns: nil when nothing is left to do, and what cannot be done with the reason.
    func planShare() throws -> (plan: PushPlan?, notes: [SyncReport.Note]) {
        var notes: [SyncReport.Note] = []
        guard try !hasPending() else { return (nil, notes) }
        for (file, wishes) in try wishesByFile() {
            do {
                guard let entry = try shareEntry(for: file, wishes) else { continue }
                return (entry, notes)
            } catch LockbookError.badShare(let path, let reason) {
                notes.append(
                    SyncReport.Note(
                        kind: .notPushed,
                        id: file.description,
                        path: path,
                        detail: reason
                    )
                )
            }
        }
        return (nil, notes)
    }

    private func wishesByFile() throws -> [(FileID, [ShareWish])] {
        Dictionary(grouping: try wishes(), by: \.file).sorted { $0.key < $1.key }
    }

    private func shareEntry(for id: FileID, _ wishes: [ShareWish]) throws -> PushPlan? {
        guard let row = try row(id), try !isDead(row) else {
            for wish in wishes { try forget(wish) }
            return nil
        }
        var holding: [AccountID: Grant] = [:]
        for grant in try grants(of: id) { holding[AccountID(grant.grantee)] = grant }
        func mode(_ account: AccountID) -> ShareMode { holding[account]?.mode ?? .none }
        var open: [ShareWish] = []
        for wish in wishes {
            if wish.mode == mode(wish.grantee) { try forget(wish) } else { open.append(wish) }
        }
        // Taking back comes first, in an entry of its own.
        let revoked = open.filter { $0.mode == .none }
        if !revoked.isEmpty { open = revoked }
        guard !open.isEmpty else { return nil }
        let isNew = open.contains { $0.mode > .none && mode($0.grantee) == .none }
        var granted: [AccountID: ShareMode] = [:]
        // Who is let in learns from this entry who else is there.
        if isNew {
            for (account, grant) in holding where grant.mode > .none {
                granted[account] = grant.mode
            }
        }
        for wish in open { granted[wish.grantee] = wish.mode }
        let (records, keys) =
            isNew || !revoked.isEmpty
            ? try records(below: row, rotating: !revoked.isEmpty) : ([], nil)
        var wrapped: [AccountPublicKeys] = []
        var grants: [Grant] = []
        for (account, new) in granted.sorted(by: { $0.key < $1.key }) {
            let known = holding[account]
            guard
                let (publicKeys, name) = try known.map({ ($0.grantee, $0.granteeName) })
                    ?? contact(account).map({ ($0.keys, $0.username) })
            else { throw badShare(row, "the keys of the other account are not known here") }
            if new > .none, mode(account) == .none { wrapped.append(publicKeys) }
            grants.append(
                try Grant(
                    owner: owner,
                    file: id,
                    grantee: publicKeys,
                    named: name,
                    mode: new,
                    grantor: owner,
                    serial: (known?.serial ?? 0) + 1,
                    created: environment.now(),
                    signedBy: self.keys.signing
                )
            )
        }
        if !revoked.isEmpty {
            let gone = Set(revoked.map(\.grantee))
            wrapped = holding.values.filter {
                $0.mode > .none && !gone.contains(AccountID($0.grantee))
            }.map(\.grantee)
        }
        var wraps: [GranteeWrap] = []
        if let keys {
            wraps = try wrapped.map {
                try GranteeWrap(keys.key, owner: owner, file: id, epoch: keys.epoch, grantee: $0)
            }
        }
        return try sign(id, records, grants: grants, wraps: wraps)
    }

    private func sign(
        _ scope: FileID,
        _ records: [FileRecord],
        grants: [Grant],
        wraps: [GranteeWrap]
    ) throws -> PushPlan {
        let references = records.map { RecordReference(file: $0.facts.id, hash: $0.hash) }
        let group = EntryGroup(scope: scope, records: references, grants: grants, wraps: wraps)
        try makePending([group], after: try head(), isShared: true)
        let keep = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO pushed (file, record) VALUES (?, ?)"
        )
        for record in records { try keep.run(record.facts.id.bytes.data, record.bytes.data) }
        guard let entry = try pending() else {
            throw LockbookError.store(reason: "the entry to push is missing")
        }
        let items = records.map { record in
            PushPlan.Item(
                reference: RecordReference(file: record.facts.id, hash: record.hash),
                scope: scope,
                recordByteCount: record.bytes.count,
                blob: record.facts.blob,
                sendsBlob: false
            )
        }
        return PushPlan(entry: entry, items: items)
    }

    /// Records of a file and all below it, deleted ones too, for the file's own scope.
    /// - Parameter rotating: whether each gets a new key, with the old one sealed under it.
    private func records(below top: FileRow, rotating: Bool) throws
        -> ([FileRecord], (key: FileKey, epoch: UInt32))
    {
        var seals: [ShareSeal] = []
        var first: (key: FileKey, epoch: UInt32)?
        var pending: [(row: FileRow, folder: FolderKeys, parentEpoch: UInt32?)] = [
            (top, try folderKeys(above: top), nil)
        ]
        while let next = pending.popLast() {
            // What no server has yet is no part of it.
            guard next.row.base != nil else { continue }
            guard next.row.local == nil, !next.row.isDamaged, let old = try base(next.row) else {
                throw badShare(next.row, "something in it is damaged, or waits to be pushed")
            }
            guard old.type != .link, next.row.id == top.id || old.scope != old.id else {
                throw badShare(next.row, "there is a link or another share in it")
            }
            let oldKey = try key(of: next.row)
            let key = rotating ? FileKey(random: environment.random) : oldKey
            var previous = rotating ? oldKey : nil
            if !rotating, old.epoch > 1 { previous = try record(of: next.row).previousKey(oldKey) }
            var file = old
            file.scope = top.id
            file.author = author
            file.device = account.device
            if rotating { file.epoch += 1 }
            if let parentEpoch = next.parentEpoch { file.parentEpoch = parentEpoch }
            seals.append(ShareSeal(file: file, key: key, previous: previous, folder: next.folder))
            if first == nil { first = (key, file.epoch) }
            guard file.type == .folder else { continue }
            let keys = FolderKeys(of: key)
            for child in try children(of: file.id) { pending.append((child, keys, file.epoch)) }
        }
        guard let first, seals.count <= EntryGroup.maximumRecordCount else {
            throw badShare(
                top,
                seals.isEmpty
                    ? "it was not synced yet"
                    : "a share holds at most \(EntryGroup.maximumRecordCount) files"
            )
        }
        let (owner, random) = (owner, environment.random)
        let records = try concurrentMap(seals) { seal in
            try FileRecord(
                sealing: seal.file,
                owner: owner,
                key: seal.key,
                previous: seal.previous,
                in: seal.folder,
                random: random
            )
        }
        return (records, first)
    }

    private func badShare(_ row: FileRow, _ reason: String) -> LockbookError {
        .badShare(path: (try? path(of: row)) ?? "id:\(row.id)", reason: reason)
    }

    /// The entry of shares is in the log: its records are what is agreed, its grants hold, and what
    /// was changed here meanwhile is sealed for them.
    func acceptShares(_ pending: PendingEntry) throws -> [FileID] {
        var changed: [FileID: File] = [:]
        for row in try changedRows() where !row.isDamaged {
            do { changed[row.id] = try file(row) } catch is DamagedRecord { continue }
        }
        // Keys of what was made here and no server knows stay the same.
        let kept = fileKeys
        let agree = try db.cachedStatement(
            sql: "UPDATE file SET base = ?, local = NULL, tag = ? WHERE number = ?"
        )
        let listed = Set(pending.records.map(\.file))
        for reference in pending.records {
            guard let row = try row(reference.file),
                let record = try pushedRecord(of: reference.file), record.hash == reference.hash
            else { continue }
            try agree.run(record.bytes.data, tagColumn(row, record), row.number)
        }
        fileKeys = [:]
        folderKeys = [:]
        for (id, _) in changed where try row(id)?.base == nil { fileKeys[id] = kept[id] }
        for grant in pending.groups.flatMap(\.grants) {
            try keep(grant)
            let mode = try wishes().first {
                $0.file == grant.file && $0.grantee == AccountID(grant.grantee)
            }
            if let mode, mode.mode == grant.mode { try forget(mode) }
        }
        try forgetPending()
        try sweepDeletionNotes()
        try advance(to: pending.header, records: pending.records.count)
        for (id, file) in changed.sorted(by: { $0.key < $1.key }) {
            guard id != root, let row = try row(id) else { continue }
            let isUnder = try self.row(file.parent).map { listed.contains($0.id) } ?? false
            guard listed.contains(id) || isUnder else { continue }
            var file = file
            if let base = row.base { file.epoch = try FileRecord(base).facts.epoch }
            try put(try file.placed(in: self))
        }
        return pending.records.map(\.file)
    }
}

extension LocalTree {
    /// A name that was changed here has its tag when it is sealed again.
    private func tagColumn(_ row: FileRow, _ record: FileRecord) -> Data {
        (row.local == nil ? record.facts.nameTag : row.tag).bytes.data
    }
}

extension Sync {
    /// Sends what was changed here, then what is wanted of shares.
    /// - Returns: false when somebody else's entry came first and has to be merged before.
    mutating func pushAll() async throws -> Bool {
        // Who used an invitation stands in the log before he is let in.
        if try store.read({ try $0.isBookStale() }) { try store.write { try $0.writeBook() } }
        guard try await push() else { return false }
        guard !options.isDryRun else { return true }
        while true {
            guard try store.read({ try !$0.wishes().isEmpty }) else { return true }
            let (plan, notes) = try store.write { try $0.planShare() }
            for note in notes where !report.notes.contains(note) { report.notes.append(note) }
            guard let plan else { return true }
            do {
                guard try await send(plan, resuming: false) == .accepted else { return false }
            } catch LockbookError.refused(let reason) where plan.onlyGrants {
                try giveUp(plan, reason)
                continue
            }
            let files = try store.write { try $0.acceptPending() }
            if !files.isEmpty {
                let scope = plan.entry.groups[0].scope
                report.pushed.append(try store.read { try $0.path(of: scope) })
            }
        }
    }
}
