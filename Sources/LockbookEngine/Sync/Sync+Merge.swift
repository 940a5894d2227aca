import LockbookCrypto
import LockbookModel

extension Sync {
    /// Merges one page in one transaction; contents that have to be joined are joined before.
    mutating func merge(_ page: VerifiedPage) async throws {
        progress(.merging)
        try await rememberClock()
        var sealed: [(blob: BlobName, file: FileID)] = []
        do { try await merge(page, sealing: &sealed) } catch {
            // The next sync answers anew, under other keys; what failed is what is told.
            try? store.write { try $0.letGo(sealed) }
            throw error
        }
    }

    /// - Parameter sealed: contents that were made for answers, with the files that they are for.
    private mutating func merge(
        _ page: VerifiedPage,
        sealing sealed: inout [(blob: BlobName, file: FileID)]
    ) async throws {
        let isFirst = isFirstPull
        var answers: [ContentQuestion: ContentAnswer] = [:]
        // Each round answers what the one before asked; somebody typing meanwhile may ask anew.
        for _ in 0..<16 {
            let result = try store.write { tree in
                let result = try tree.merge(page, answers, isFirst: isFirst)
                // Not of an answer that a later one took the place of, or that was not asked for again.
                if case .done = result { try tree.letGo(sealed) }
                return result
            }
            switch result {
            case .done(let pulled): return take(pulled)
            case .questions(let questions, let confirmed):
                take(confirmed)
                for question in questions {
                    let answer = try await answer(question)
                    answers[question.question] = answer
                    if let content = answer?.sealed(for: question) { sealed.append(content) }
                }
            }
        }
        throw LockbookError.busy(what: "a document that keeps changing while it is merged")
    }

    private mutating func take(_ pulled: MergeSummary) {
        report.pulled.append(contentsOf: pulled.paths)
        report.notes.append(contentsOf: pulled.notes)
        report.pushed.append(contentsOf: pulled.confirmed)
        report.purged.append(contentsOf: pulled.purged)
        report.left.append(contentsOf: pulled.left)
        moved.merge(pulled.moved) { first, _ in first }
        report.deleted.append(contentsOf: pulled.deleted)
        renewed.formUnion(pulled.renewed)
        if pulled.people { report.people = true }
        for name in pulled.disputed {
            failures.add(LockbookError.keyChanged(username: name))
        }
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
        let isOurs = try pending().map { page.entries.contains($0.header) } ?? false
        let entryHead = try head()
        if isOurs {
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
        let sides = try sides(of: page)
        var merge = TreeMerge(
            view: StoreView(
                tree: self,
                gone: sides.gone,
                again: try pushedAgain(sides.news, sides.local),
                remade: sides.folders.new
            ),
            root: root,
            remote: sides.news,
            local: sides.local,
            outcomes: try outcomes(answers, local: sides.local, remote: sides.news)
        )
        var plan = try merge.run()
        guard plan.questions.isEmpty else {
            // That our own entry is in the log stays true; it can only be the first of the page.
            for wrap in replaced { try keep(wrap) }
            return .questions(
                try open(plan.questions, sides, told: page.shares?.grants ?? []),
                summary
            )
        }
        let late = try wordsBelowDead(plan, page, sides.news)
        plan.unseen.formUnion(late)
        plan.markUnseen(mayPlace)
        // They are dead already: a push that says so deletes nothing that anybody would miss.
        for id in late { try noteDeletion(of: id) }
        let names = try ownersNames(in: sides.news)
        let done = try carryOut(plan, sides, after: bookBefore, isFirst: isFirst, &summary)
        try keepNames(names)
        let sinceBefore = isOurs ? 0 : page.listed
        if entryHead != page.head { try advance(to: page.newest, records: sinceBefore) }
        try tell(plan, sides, done, &summary)
        return .done(summary)
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
            if isStill { outcomes[question] = answer.outcome }
        }
        return outcomes
    }

    /// - Parameter grants: what came and is not kept yet: it names who is met by it.
    private func open(
        _ questions: Set<ContentQuestion>,
        _ sides: PageSides,
        told grants: [Grant]
    ) throws -> [OpenQuestion] {
        // In an order of their own, so that the same merge draws the same ids in every process.
        let sorted = questions.sorted { ($0.remote, $0.local) < ($1.remote, $1.local) }
        return try sorted.map { question in
            let row = try row(question.remote)
            let base = try row.flatMap { try self.base($0) }
            guard let mine = sides.local[question.local],
                let theirs = sides.news[question.remote] ?? base
            else { throw LockbookError.store(reason: "a file of the merge is missing") }
            return OpenQuestion(
                question: question,
                base: question.local == question.remote ? base : nil,
                local: mine,
                remote: theirs,
                writer: try username(of: theirs.author, told: grants)
            )
        }
    }
}
