import LockbookCrypto
import LockbookModel

/// What a merge did that is told when all of it is done.
struct CarriedOut {
    /// Where files stood that the page has as deleted.
    let doomed: [FileID: String]
    /// What is gone besides, as it is told.
    let farewells: [String]
    /// What did not open before, and does now.
    let reopened: [FileID]
    /// Files that are here for the first time.
    let newcomers: Set<FileID>
}

extension LocalTree {
    /// Puts into the store what a merge made of a page and the changes here.
    /// - Parameter bookBefore: the address book that was agreed before the page.
    func carryOut(
        _ plan: MergePlan,
        _ sides: PageSides,
        after bookBefore: AddressBook?,
        isFirst: Bool,
        _ summary: inout MergeSummary
    ) throws -> CarriedOut {
        let (page, gone, news) = (sides.page, sides.gone, sides.news)
        let (remote, local) = (sides.remote, sides.local)
        try forfeitWishes(by: page.shares)
        try tell(gone: gone, by: page.shares, &summary)
        summary.moved = try paths(movedBy: news)
        let rescues = try rescues(of: gone, surviving: sides.survivors, told: page.shares)
        let farewells = try farewells(to: gone, besides: rescues, told: page.shares)
        summary.notes += try keepUntold(more: farewells.notes)
        let shutOut = try shutOut(by: remote.damaged)
        let doomed = try paths(deletedBy: news, local)
        try keepChanged(news)
        try noteArrivals(news, isFirst: isFirst)
        try noteUnseen(plan, news)
        let newcomers = try newcomers(in: news, plan.notes)
        let isMended = try !remote.later.isEmpty || news.keys.contains { try isDamaged($0) }
        let saves = try saves(joinedBy: plan, news)
        try noteLastOffers(of: page.shares, gone)
        let above = try forget(gone)
        let rotated = try sides.isReseated ? rotated(by: page.records) : []
        try keepKeys(before: remote.damaged)
        try apply(
            plan,
            news: news,
            records: page.records,
            local: sides.stored,
            keys: remote.later,
            over: sides.overruled,
            damaged: remote.damaged,
            saves: saves
        )
        try keepLiving()
        if let newRoot = sides.newRoot, let record = page.records[root] {
            try take(newRoot, record)
        }
        let read = try readBook(after: bookBefore)
        summary.disputed = read.disputed
        summary.notes += try keepUntold(more: read.overtaken)
        if sides.isReseated || !remote.later.isEmpty {
            try reseat(plan.files.filter { local[$0.key] != nil }, under: remote.later)
        }
        try keepGrants(of: page.shares)
        summary.notes += try keepUntold(more: forgetWishes(joinedBy: plan, local, news))
        summary.notes += try put(rescues, over: above, in: sides.folders.merged(by: plan))
        summary.notes += try notes(of: sides.folders)
        summary.notes += try notes(of: sides.overruled)
        // Not a folder in which something stays.
        for row in shutOut.new.reversed() where try subtree(of: row).count == 1 { try prune(row) }
        let damaged = try storeDamaged(remote.damaged)
        let left = try markLeftBehind(in: rotated, besides: news)
        summary.notes += try notes(ofDamaged: damaged + left)
        summary.notes += try put(shutOut.rescues, over: [:])
        let reopened = try isMended ? reopenDamaged() : []
        try dropKeptKeys()
        return CarriedOut(
            doomed: doomed,
            farewells: farewells.deleted,
            reopened: reopened,
            newcomers: newcomers
        )
    }

    /// Tells what is purged, and what another account took out of this one's reach.
    private func tell(gone: Set<FileID>, by shares: ShareNews?, _ summary: inout MergeSummary)
        throws
    {
        let tops = try topPaths(of: Array(gone)) { row, path in
            (path: path, isLeft: try hasMovedAway(row, shares))
        }
        summary.purged += tops.filter { !$0.isLeft }.map { $0.path }.sorted()
        summary.left += tops.filter { $0.isLeft }.map { $0.path }.sorted()
    }

    private func keepGrants(of shares: ShareNews?) throws {
        if let files = shares?.replaces {
            try keepOnly(shares?.grants ?? [], on: files)
            if !isForeign { try set(.wasShared, number: 1) }
            try noteNewAtCheckpoint()
        }
        try forgetMissed(in: shares?.grants ?? [])
        for grant in shares?.grants ?? [] { try keep(grant) }
        try keepTold(shares?.told ?? [:], anew: shares?.toldAnew ?? [])
    }

    /// Tells of a page that was merged, and notes what it left to be decided.
    func tell(
        _ plan: MergePlan,
        _ sides: PageSides,
        _ done: CarriedOut,
        _ summary: inout MergeSummary
    ) throws {
        let (news, local) = (sides.news, sides.local)
        summary.renewed = sides.page.shares?.renewed(for: author) ?? []
        summary.paths = try news.keys.filter { $0 != root }.map { id in
            try isForeign
                ? shownPath(of: id)
                : plan.files[id].map { try shownPath(of: $0) } ?? shownPath(of: id)
        }.sorted()
        summary.paths += try done.reopened.map { try shownPath(of: $0) }
        let deleted = try done.doomed.filter { try row($0.key)?.isDeleted ?? false }
        let unseen = deleted.filter { news[$0.key]?.diedUnseen == true }
        let seen = deleted.filter { unseen[$0.key] == nil }
        summary.deleted = (seen.map(\.value) + done.farewells).sorted()
        // What came out of the trash is listed from now on for the markers that are in it.
        try forgetRevived()
        try noteConflicts(plan.notes, local: local, newcomers: done.newcomers)
        summary.notes += try plan.notes.map { try describe($0, local: local) }
        summary.notes += try unseen.keys.sorted().compactMap { id in
            try news[id].map { try describe(unseen: $0) }
        }
    }

    /// Where live files stand that the news have as deleted, and of which no change here is in the way.
    ///
    /// Whoever deleted them need not have seen what was written last: who wrote it is to hear of it.
    private func paths(
        deletedBy news: [FileID: File],
        _ local: [FileID: File]
    ) throws -> [FileID: String] {
        var paths: [FileID: String] = [:]
        for (id, file) in news where file.isDeleted && local[id] == nil {
            guard let row = try row(id), !row.isDamaged, try !isDead(row) else { continue }
            paths[id] = try shownPath(of: row.id)
        }
        return paths
    }

    /// Where live files of another account stand that the news have in another folder.
    private func paths(movedBy news: [FileID: File]) throws -> [FileID: String] {
        guard isForeign else { return [:] }
        var paths: [FileID: String] = [:]
        for (id, file) in news {
            guard let row = try row(id), row.parent != file.parent, !row.isDamaged,
                try !isDead(row)
            else { continue }
            paths[id] = try shownPath(of: id)
        }
        return paths
    }

    private func storeDamaged(_ records: [FileID: FileRecord]) throws -> [FileID] {
        var stored: [FileID] = []
        for (id, record) in records.sorted(by: { $0.key < $1.key }) {
            let row = try row(id)
            guard row?.base != record.bytes else { continue }
            try giveWay(to: record)
            try storeDamaged(record, over: row)
            stored.append(id)
        }
        return stored
    }

    /// Made when all are stored: one may stand in another.
    private func notes(ofDamaged files: [FileID]) throws -> [SyncReport.Note] {
        try files.map { id in
            SyncReport.Note(
                kind: .damaged,
                id: id.description,
                path: try shownPath(of: id),
                detail: try row(id).map { try author(of: $0) } ?? ""
            )
        }
    }
}
