package import LockbookModel

/// How two contents come together whenever a merge asks.
package enum Answer: Int, Sendable, CaseIterable {
    case same, merged, keepBoth
}

/// Two devices that start from one tree, change it apart, and sync one after the other.
package struct Meeting: Sendable {
    package let base: SmallTree
    /// What the first device pushed.
    package let remote: SmallTree
    /// What the second device had when it pulled that.
    package let local: SmallTree
    package let answer: Answer
    package let localChanges: [FileID: File]
    package let remoteChanges: [FileID: File]
    package private(set) var plan: MergePlan
    /// What the merge made of the second device's tree.
    package private(set) var result = SmallTree()
    package private(set) var questions: Set<ContentQuestion> = []

    package init(
        base: SmallTree,
        first: SmallTree,
        second: SmallTree,
        answer: Answer,
        table: FileTable,
        spacious: Bool = false
    ) throws {
        plan = MergePlan()
        self.base = base
        self.answer = answer
        remote = first.settled(over: base)
        local = second
        localChanges = local.changes(since: base)
        remoteChanges = remote.changes(since: base)
        var outcomes: [ContentQuestion: ContentOutcome] = [:]
        repeat {
            var merge = TreeMerge(
                view: SmallView(local: local, agreed: base),
                root: table.root,
                remote: remoteChanges.in(spacious: spacious),
                local: localChanges.in(spacious: spacious),
                outcomes: outcomes
            )
            plan = try merge.run()
            questions.formUnion(plan.questions)
            for question in plan.questions { outcomes[question] = outcome(of: question, table) }
        } while !plan.questions.isEmpty
        result = local
        for (id, file) in plan.files { result.files[id] = file }
        for id in plan.removed { result.files[id] = nil }
    }

    private func outcome(of question: ContentQuestion, _ table: FileTable) -> ContentOutcome {
        let number = table.ids.firstIndex(of: question.remote) ?? 0
        switch answer {
        case .same: return .same
        case .merged: return .merged(table.mergedContent(of: number), conflicts: 0)
        case .keepBoth:
            guard question.local == question.remote else {
                return .keepBoth(copy: question.local, nil)
            }
            return .keepBoth(copy: table.copies[number], local.files[question.local]?.content)
        }
    }
}

extension SmallTree {
    /// What is pushed: changes below what is dead as a server takes them.
    package func settled(over base: SmallTree) -> SmallTree {
        var settled = self
        for (id, file) in changes(since: base)
        where !file.isDeleted && file.parent != id && !isLive(file.parent) {
            settled.files[id] = file.settledBelowDead(base: base.files[id])
        }
        return settled
    }
}

extension Dictionary {
    /// The same in a table of another size, whose order is another one.
    fileprivate func `in`(spacious: Bool) -> Self {
        guard spacious else { return self }
        var other = Self(minimumCapacity: 64)
        for (key, value) in self { other[key] = value }
        return other
    }
}
