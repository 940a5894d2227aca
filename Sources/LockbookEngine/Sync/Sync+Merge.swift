import LockbookCrypto
import LockbookModel

extension Sync {
    /// Merges one page in one transaction; contents that have to be joined are joined before.
    mutating func merge(_ page: VerifiedPage) async throws {
        progress(.merging)
        try await rememberClock()
        let isFirst = isFirstPull
        var answers: [ContentQuestion: ContentAnswer] = [:]
        // Each round answers what the one before asked; somebody typing meanwhile may ask anew.
        for _ in 0..<16 {
            switch try store.write({ try $0.merge(page, answers, isFirst: isFirst) }) {
            case .done(let pulled):
                report.pulled.append(contentsOf: pulled.paths)
                report.notes.append(contentsOf: pulled.notes)
                report.pushed.append(contentsOf: pulled.confirmed)
                report.purged.append(contentsOf: pulled.purged)
                report.deleted.append(contentsOf: pulled.deleted)
                renewed.formUnion(pulled.renewed)
                if pulled.people { report.people = true }
                for name in pulled.disputed {
                    failure = failure ?? LockbookError.keyChanged(username: name)
                }
                return
            case .questions(let questions):
                for question in questions {
                    answers[question.question] = try await answer(question)
                }
            }
        }
        throw LockbookError.busy(what: "a document that keeps changing while it is merged")
    }
}

extension LocalTree {
    /// Merges one page, or asks what has to be known of contents before.
    /// - Parameter isFirst: whether this device had nothing of the log when it began to pull.
    func merge(
        _ page: VerifiedPage,
        _ answers: [ContentQuestion: ContentAnswer],
        isFirst: Bool = false
    ) throws -> MergeResult {
        var summary = MergeSummary()
        isMerging = true
        if try isOfLaterTime(page) { try forgetDeletionNotes() }
        // Keys come first; what they are worth is decided with the grants, at the end.
        let replaced = try keepWraps(page.shares?.wraps ?? [], for: page.records)
        try expectLookups(of: page.records.count)
        try takeUpRefused(among: page.entries)
        let ours = try pending().map { page.entries.contains($0.header) } ?? false
        let entryHead = try head()
        if ours {
            summary.purged = try topPaths(of: pending()?.purged ?? [])
            let accepted = try acceptPendingNews()
            summary.confirmed = try accepted.files.map { try path(of: $0) }
            summary.people = accepted.people
        }
        // What was sent was sent from where files stood then: a folder that is around one of them
        // now may come with this page.
        if let seats = page.shares?.seats { try take(seats) }
        try unwriteBook()
        let bookBefore = try agreedBook()
        let gone = try purged(by: page)
        try validate(page, gone)
        var remote = try RemoteRecords(page.records, in: self)
        let overruled = try remote.takeOverruled(by: self)
        let isReseated = try page.shares != nil && changesSeats(page.records)
        let changed = try changedRows().filter { !$0.isDamaged && !gone.contains($0.id) }
        for row in changed where page.records[row.id].map({ $0.bytes != row.base }) ?? false {
            try requireReadable(row)
        }
        var rows = changed.filter { remote.damaged[$0.id] == nil }
        let giving = try givingWay(rows.filter { remote.files[$0.id] != nil })
        rows.removeAll { giving.contains($0.id) }
        var local: [FileID: File] = [:]
        for row in rows {
            // What stands below a folder that does not open stays as it is.
            guard let file = try opened(row) else { continue }
            local[row.id] = file
            // What was deleted here with a folder that is gone now must not come to life without it.
            if try gone.contains(row.parent) && !row.isDeleted && isDead(row) {
                local[row.id] = file.settledBelowDead(base: try base(row))
            }
        }
        for record in overruled where !gone.contains(record.record.facts.id) {
            let facts = record.record.facts
            guard let row = try row(facts.id) else { continue }
            if local[facts.id] == nil { local[facts.id] = try file(row) }
            if record.laterKey != nil { local[facts.id]?.epoch = facts.epoch }
        }
        // What is agreed already is no news.
        var news = try remote.files.filter { try row($0.key)?.base != page.records[$0.key]?.bytes }
        // Of a root that is here only what its body says may be new, which needs no merging.
        let newRoot = try row(root) == nil ? nil : news.removeValue(forKey: root)
        let survivors = try survivors(of: gone, told: page.shares)
        let stored = local
        let folders = try remake(survivors, of: gone, news, told: page.shares, in: &local)
        var merge = TreeMerge(
            view: StoreView(
                tree: self,
                gone: gone,
                again: try pushedAgain(news, local),
                remade: folders.new
            ),
            root: root,
            remote: news,
            local: local,
            outcomes: try outcomes(answers, local: local, remote: news)
        )
        var plan = try merge.run()
        guard plan.questions.isEmpty else {
            // That our own entry is in the log stays true; it can only be the first of the page.
            for wrap in replaced { try keep(wrap) }
            return .questions(try open(plan.questions, local: local, remote: news))
        }
        let late = try wordsBelowDead(plan, page, news)
        plan.unseen.formUnion(late)
        plan.markUnseen(mayPlace)
        // They are dead already: a push that says so deletes nothing that anybody would miss.
        for id in late { try noteDeletion(of: id) }
        try forfeitWishes(by: page.shares)
        summary.purged += try topPaths(of: Array(gone))
        let rescues = try rescues(of: gone, surviving: survivors, told: page.shares)
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
        let above = try forget(gone)
        try keepKeys(before: remote.damaged)
        try apply(
            plan,
            news: news,
            records: page.records,
            local: stored,
            keys: remote.later,
            over: overruled,
            damaged: remote.damaged,
            saves: saves
        )
        try keepLiving()
        if let newRoot, let record = page.records[root] { try take(newRoot, record) }
        let read = try readBook(after: bookBefore)
        summary.disputed = read.disputed
        summary.notes += try keepUntold(more: read.overtaken)
        if isReseated || !remote.later.isEmpty {
            try reseat(plan.files.filter { local[$0.key] != nil }, under: remote.later)
        }
        if let files = page.shares?.replaces {
            try keepOnly(page.shares?.grants ?? [], on: files)
            if !isForeign { try set(.wasShared, number: 1) }
            try noteNewAtCheckpoint()
        }
        try forgetMissed(in: page.shares?.grants ?? [])
        for grant in page.shares?.grants ?? [] { try keep(grant) }
        try keepTold(page.shares?.told ?? [:], anew: page.shares?.toldAnew ?? [])
        summary.notes += try keepUntold(more: forgetWishes(joinedBy: plan, local, news))
        summary.notes += try put(rescues, over: above, in: folders.merged(by: plan))
        summary.notes += try notes(of: folders)
        summary.notes += try notes(of: overruled)
        // Not a folder in which something stays.
        for row in shutOut.new.reversed() where try subtree(of: row).count == 1 { try prune(row) }
        try storeDamaged(remote.damaged, &summary)
        summary.notes += try put(shutOut.rescues, over: [:])
        let reopened = try isMended ? reopenDamaged() : []
        try dropKeptKeys()
        let sinceBefore = ours ? 0 : page.listed
        if entryHead != page.head { try advance(to: page.newest, records: sinceBefore) }
        summary.renewed = page.shares?.renewed(for: author) ?? []
        summary.paths = try news.keys.filter { $0 != root }.map { id in
            try isForeign
                ? shownPath(of: id)
                : plan.files[id].map { try shownPath(of: $0) } ?? shownPath(of: id)
        }.sorted()
        summary.paths += try reopened.map { try shownPath(of: $0) }
        let deleted = try doomed.filter { try row($0.key)?.isDeleted ?? false }
        let unseen = deleted.filter { news[$0.key]?.diedUnseen == true }
        let seen = deleted.filter { unseen[$0.key] == nil }
        summary.deleted = (seen.map(\.value) + farewells.deleted).sorted()
        // What came out of the trash is listed from now on for the markers that are in it.
        try forgetRevived()
        try noteConflicts(plan.notes, local: local, newcomers: newcomers)
        summary.notes += try plan.notes.map { try describe($0, local: local) }
        summary.notes += try unseen.keys.sorted().compactMap { id in
            try news[id].map { try describe(unseen: $0) }
        }
        return .done(summary)
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

    /// Client and server run the same validator.
    ///
    /// A checkpoint also brings what this device has already, its root for one: that is no change.
    private func validate(_ page: VerifiedPage, _ gone: Set<FileID>) throws {
        let changes = try page.records.values.filter {
            try row($0.facts.id)?.base != $0.bytes
        }
        var validator = PushValidator(
            before: try BaseFacts(tree: self),
            owner: owner,
            refusesDead: false,
            tops: try Set(changes.map(\.facts).filter(isTop).map(\.id)).union(try tops()),
            entryCount: page.newest.position &+ 1
        )
        // Who wrote what was looked at entry by entry where several people do.
        let author = page.shares == nil ? owner : nil
        try validator.validate(changes.map(\.facts), purging: gone, by: author) { _ in true }
    }

    /// The answers that are about the contents as they are now: a document written since has to
    /// be asked about again.
    private func outcomes(
        _ answers: [ContentQuestion: ContentAnswer],
        local: [FileID: File],
        remote: [FileID: File]
    ) throws -> [ContentQuestion: ContentOutcome] {
        var outcomes: [ContentQuestion: ContentOutcome] = [:]
        for (question, answer) in answers {
            let theirs =
                try remote[question.remote] ?? row(question.remote).flatMap { try base($0) }
            let isStill =
                local[question.local].map { $0.content?.identity == answer.local } ?? false
                && theirs?.content?.identity == answer.remote
            if isStill {
                outcomes[question] = answer.outcome
            } else if let content = answer.outcome.ownContent {
                try dropBlob(content.blob)
            }
        }
        return outcomes
    }

    private func open(
        _ questions: Set<ContentQuestion>,
        local: [FileID: File],
        remote: [FileID: File]
    ) throws -> [OpenQuestion] {
        // In an order of their own, so that the same merge draws the same ids in every process.
        let sorted = questions.sorted { ($0.remote, $0.local) < ($1.remote, $1.local) }
        return try sorted.map { question in
            let row = try row(question.remote)
            let base = try row.flatMap { try self.base($0) }
            guard let mine = local[question.local], let theirs = remote[question.remote] ?? base
            else { throw LockbookError.store(reason: "a file of the merge is missing") }
            return OpenQuestion(
                question: question,
                base: question.local == question.remote ? base : nil,
                local: mine,
                remote: theirs
            )
        }
    }

    private func storeDamaged(_ records: [FileID: FileRecord], _ summary: inout MergeSummary)
        throws
    {
        var stored: [FileID] = []
        for (id, record) in records.sorted(by: { $0.key < $1.key }) {
            let row = try row(id)
            guard row?.base != record.bytes else { continue }
            try giveWay(to: record)
            try storeDamaged(record, over: row)
            stored.append(id)
        }
        // One may stand in another.
        for id in stored {
            summary.notes.append(
                SyncReport.Note(
                    kind: .damaged,
                    id: id.description,
                    path: try shownPath(of: id),
                    detail: try self.row(id).map { try author(of: $0) } ?? ""
                )
            )
        }
    }
}
