import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// How this device stands; asks nobody.
    /// - Parameter unread: gets the links behind which cannot be looked, and why.
    public func status(
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> StatusReport {
        let shut = UnreadTrees()
        var status = try statusHere()
        status.changes = try changes(shut)
        var wishes = try store.read { try $0.wishes().count + $0.owedInvitations().count }
        let others = try askOthers(shut) { other in
            let wishes = try other.lockbook.store.read { try $0.wishes().count }
            return (conflicts: try other.conflicts().count, wishes: wishes)
        }
        for other in others {
            status.conflicts += other.conflicts
            wishes += other.wishes
        }
        // The address book tells of some of these as well.
        let shares = try max(wishes, store.read { try $0.hasUnsyncedDecisions() } ? 1 : 0)
        if shares > 0 { status.shares = shares }
        let offers = try offers(shut)
        try store.read { try shut.tell(in: $0, unread) }
        if !offers.isEmpty { status.offers = offers.count }
        let givers = Set(offers.filter(\.transfer).map(\.from)).sorted()
        if !givers.isEmpty { status.givers = givers }
        try store.read { tree in
            let open = try tree.openInvitations().count
            if open > 0 { status.invitations = open }
            let awaited = try tree.awaited().map { try tree.info($0) }
            if !awaited.isEmpty {
                status.awaited = Set(awaited.map(\.by)).sorted()
                status.awaitedShares = awaited.sorted { ($0.by, $0.id) < ($1.by, $1.id) }
            }
            let held = try tree.heldShares()
            if !held.isEmpty { status.heldShares = held }
            let transfers = try tree.wholeTransfers().count
            if transfers > 0 { status.transfers = transfers }
        }
        return status
    }

    /// What a sync would push, here and to what others share, by path.
    private func changes(_ unread: UnreadTrees) throws -> [StatusReport.Change] {
        try (store.read { try $0.changes() } + sharedChanges(unread)).sorted { $0.path < $1.path }
    }

    private func statusHere() throws -> StatusReport {
        try store.read { tree in
            let head = try tree.head()
            var documents = 0
            var folders = 0
            var links = 0
            // An account that was just brought here has no tree yet, nor one whose database was lost.
            let root = try tree.row(tree.root)
            if let root {
                try tree.walk(below: root) { entry in
                    switch entry.type {
                    case .folder: folders += 1
                    case .document: documents += 1
                    case .link: links += 1
                    }
                }
            }
            let lock = try? Disk.status(Sync.lockPath(account.directory))
            return StatusReport(
                username: account.username,
                server: account.server.url,
                registered: try tree.setting(.registered) != nil,
                unfetched: root == nil ? true : nil,
                deleted: try tree.deletionTime(),
                lastSync: head == nil ? nil : lock?.modified.milliseconds,
                position: head?.position,
                head: head.map { String($0.hash.description.prefix(16)) },
                newest: try tree.setting(.newestHeader).map { NewestEntry(try EntryHeader($0)) },
                changes: [],
                documents: documents,
                folders: folders,
                links: links > 0 ? links : nil,
                notHere: try tree.absentCount(),
                stopped: try tree.lastStop(),
                background: try tree.backgroundSync(),
                failed: try tree.failedSync(),
                conflicts: try tree.conflicts().count
            )
        }
    }
}

extension LocalTree {
    /// What a sync would push, in the order of the paths.
    func changes() throws -> [StatusReport.Change] {
        let purged = try purgedIDs()
        let refused = try refusedContents()
        let gone = try topPaths(of: Array(purged)) { row, path in
            StatusReport.Change(kind: .purged, id: row.id.description, path: path)
        }
        let changed = try changes(besides: purged).map { change in
            var change = change
            change.refused = refused[change.id]
            return change
        }
        return gone + changed.sorted { $0.path < $1.path }
    }

    private func changes(besides purged: Set<FileID>) throws -> [StatusReport.Change] {
        let waiting = try waitingForOwner()
        let words: [FileID: [UInt8]] = try waiting.isEmpty ? [:] : wordsOfOthers()
        let reason = try waiting.isEmpty ? nil : waitingReason()
        let held = try heldBack()
        let rows = try changedRows().filter { row in
            guard row.id != root, !purged.contains(row.id) else { return false }
            guard waiting.contains(row.id) else { return true }
            // What others wrote there is theirs to push again.
            return try opened(row).map { !isOfOthers($0, in: words) } ?? false
        }
        func told(_ row: FileRow) throws -> StatusReport.Change {
            var change = try self.change(of: row)
            change.heldBack = try refusal(of: row, held)
            if waiting.contains(row.id) { change.heldBack = change.heldBack ?? reason }
            return change
        }
        guard try hasDeleted() else { return try rows.map(told) }
        var dead: [FileID: Bool] = [:]
        return try rows.filter { row in
            guard row.base == nil, !row.isDamaged else { return true }
            // What no sync can push, since what is in it is not here, nobody misses elsewhere.
            if row.isDeleted, let local = row.local {
                return try obstacle(to: FileRecord(local)) == nil
            }
            // What was made here and deleted with its folder is told of as that.
            return try !isDead(below: row.parent, &dead)
        }.map(told)
    }

    /// What was done here with the files of an entry that is not agreed yet.
    func changes(in plan: PushPlan) throws -> [StatusReport.Change] {
        try plan.entry.records.compactMap { reference in
            guard reference.file != root, let row = try row(reference.file), row.local != nil else {
                return nil
            }
            return try change(of: row)
        }
    }

    /// What was done with a file here since the last sync.
    func change(of row: FileRow) throws -> StatusReport.Change {
        let path = try path(of: row)
        let kind: StatusReport.Change.Kind
        if row.isDeleted {
            kind = .deleted
        } else if let base = try base(row), !row.isDamaged {
            let file = try file(row)
            if base.parent != file.parent {
                kind = .moved
            } else if !(base.name == file.name) {
                kind = .renamed
            } else {
                kind = .changed
            }
        } else {
            // What goes back over a record that does not open is not new.
            kind = row.base == nil || row.isDamaged ? .new : .changed
        }
        return StatusReport.Change(kind: kind, id: row.id.description, path: path)
    }
}
