import LockbookModel

extension Sync {
    /// Stops before anything is changed, when that would be much that nobody here asked for.
    func checkGuards(_ pages: [VerifiedPage]) throws {
        guard !options.acceptDeletions else { return }
        let stop = try store.read { tree in
            // On a device that has next to nothing there is nothing to lose.
            guard try tree.holds(atLeast: SyncStop.harmlessCount) else { return nil as SyncStop? }
            try tree.expectLookups(of: pages.reduce(0) { $0 + $1.records.count })
            return try tree.pulledDeletions(pages) ?? tree.replacedTree(pages)
                ?? tree.unaskedDeletions(
                    believesNotes: !pages.contains { try tree.isOfLaterTime($0) }
                )
        }
        if let stop { throw LockbookError.stopped(stop) }
    }

    /// Remembers why the exchange stopped, for `status`, until one comes through.
    mutating func rememberingStops(_ exchange: (inout Sync) async throws -> Void) async throws {
        do {
            try await exchange(&self)
        } catch let error as LockbookError {
            if let stop = error.stop { try store.write { try $0.remember(stop) } }
            throw error
        }
        // A sync with nothing to do writes nothing.
        if try store.read({ try $0.lastStop() }) != nil {
            try store.write { try $0.remember(nil) }
        }
    }
}

extension LockbookError {
    /// Why the sync waits for somebody to decide.
    fileprivate var stop: SyncStop? {
        switch self {
        case .stopped(let stop): stop
        case .several(let errors): errors.lazy.compactMap(\.stop).first
        default: nil
        }
    }
}

extension LocalTree {
    /// Files that are live here and would be dead after these pages, besides what was given away.
    func pulledDeletions(_ pages: [VerifiedPage]) throws -> SyncStop? {
        var news: [FileID: FileRecord] = [:]
        for page in pages { news.merge(page.records) { _, later in later } }
        var lost = try self.lost(by: pages, news)
        guard lost.count > SyncStop.harmlessCount else { return nil }
        var total = try liveCount { _ in true }
        guard SyncStop.isMassDeletion(lost.count, of: total) else { return nil }
        let given = try givenAway(news)
        if !given.isEmpty {
            let all = (lost: lost.count, live: total)
            lost = try self.lost(by: pages, news, besides: given)
            // What was given away makes the rest no smaller part of what is here.
            total -= all.lost - lost.count
            guard lost.count > SyncStop.harmlessCount,
                SyncStop.isMassDeletion(lost.count, of: total)
                    || SyncStop.isMassDeletion(lost.count, of: all.live)
            else { return nil }
        }
        return SyncStop(.pulledDeletions, count: lost.count, of: total)
    }

    /// - Parameter given: deleted files that do not count, nor what is lost with them alone.
    private func lost(
        by pages: [VerifiedPage],
        _ news: [FileID: FileRecord],
        besides given: Set<FileID> = []
    ) throws -> Set<FileID> {
        var lives = LivesAfter(tree: self, news: news.mapValues(\.facts))
        var lost: Set<FileID> = []
        for (id, record) in news where record.facts.isDeleted && !given.contains(id) {
            guard let row = try row(id), try !isDead(row) else { continue }
            lost.insert(id)
            // What was moved out before is not lost with its folder.
            try walk(below: row) { if try !lives.isLive($0.id) { lost.insert($0.id) } }
        }
        for page in pages {
            for id in try purged(by: page) where news[id] == nil {
                if let row = try row(id), try !isDead(row) { lost.insert(id) }
            }
        }
        return lost
    }

    /// Documents to which one entry gives another content, or another name where they are.
    ///
    /// By entry: a device that was away for a year may find every note edited, one by one; so a
    /// checkpoint's state, which is of no entry, is not asked about. What the two contents have in
    /// common is not looked at: an honest change of all notes at once asks as well.
    func replacedTree(_ pages: [VerifiedPage]) throws -> SyncStop? {
        var total: Int?
        for page in pages {
            var replaced: [UInt64: Int] = [:]
            for (id, origin) in page.origins {
                guard let facts = page.records[id]?.facts, facts.type == .document,
                    !facts.isDeleted, let row = try row(id), let bytes = row.current
                else { continue }
                let here = try FileRecord(bytes).facts
                if facts.replaces(here), try !isDead(row) {
                    replaced[origin.position, default: 0] += 1
                }
            }
            for (position, count) in replaced.sorted(by: { $0.key < $1.key })
            where count > SyncStop.harmlessCount {
                let all = try total ?? liveCount { $0 == .document }
                total = all
                guard SyncStop.isReplacedTree(count, of: all) else { continue }
                let device = page.entries.first { $0.position == position }?.device
                return SyncStop(
                    .replacedTree,
                    count: count,
                    of: all,
                    device: device?.description
                )
            }
        }
        return nil
    }

    /// Files that a push would delete although no command on this device deleted them lately: a
    /// data folder was put back, or a merge went wrong.
    /// - Parameter believesNotes: whether the notes of the commands are of this time.
    func unaskedDeletions(believesNotes: Bool) throws -> SyncStop? {
        var deletions = 0
        for row in try deletedRows() {
            guard let base = row.base, try !FileRecord(base).facts.isDeleted,
                try !(believesNotes && wasDeletedLately(row.id))
            else { continue }
            deletions += 1
            try walk(below: row) { _ in deletions += 1 }
        }
        guard deletions > SyncStop.harmlessCount else { return nil }
        let total = try liveCount { _ in true } + deletions
        guard SyncStop.isMassDeletion(deletions, of: total) else { return nil }
        return SyncStop(.pushedDeletions, count: deletions, of: total)
    }

    func liveCount(_ isCounted: (FileType) -> Bool) throws -> Int {
        var count = 0
        try walk(below: try rootRow()) { if isCounted($0.type) { count += 1 } }
        return count
    }
}

extension FileFacts {
    /// Whether the document has another content or another name than these facts say.
    ///
    /// A tag says nothing about the name after a move or under other keys.
    fileprivate func replaces(_ old: FileFacts) -> Bool {
        if let blob = old.blob, blob != self.blob { return true }
        return parent == old.parent && epoch == old.epoch && parentEpoch == old.parentEpoch
            && nameTag != old.nameTag
    }
}

/// Which files will be live when these facts are the tree's, each folder looked up once.
private struct LivesAfter {
    let tree: LocalTree
    let news: [FileID: FileFacts]
    private var known: [FileID: Bool]

    init(tree: LocalTree, news: [FileID: FileFacts]) {
        self.tree = tree
        self.news = news
        known = [tree.root: true]
    }

    mutating func isLive(_ start: FileID) throws -> Bool {
        var path: [FileID] = []
        var id = start
        while known[id] == nil {
            path.append(id)
            // What is met again on the way up is in a cycle, which is no tree.
            known[id] = false
            if let facts = news[id] {
                if facts.isDeleted { break }
                id = facts.parent
            } else {
                guard let row = try tree.row(id), !row.isDeleted else { break }
                id = row.parent
            }
        }
        let isLive = known[id] ?? false
        for id in path { known[id] = isLive }
        return isLive
    }
}
