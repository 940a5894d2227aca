import LockbookModel

extension Meeting {
    /// Everything that a merge promises and this one broke, in words.
    package func broken(table: FileTable) -> [String] {
        var broken: [String] = []
        if let defect = result.defect { broken.append("no tree: \(defect)") }
        broken += violations(table: table)
        if plan.rounds > plan.files.count + 3 { broken.append("\(plan.rounds) rounds") }
        for id in Set(base.files.keys).union(local.files.keys).union(remote.files.keys).sorted()
        where id != table.root {
            broken += deletions(of: id) + localEdits(of: id) + remoteEdits(of: id)
        }
        if remoteChanges.isEmpty {
            if !result.isSame(as: local.settled(over: base)) {
                broken.append("nothing to merge changed something")
            }
            if !plan.notes.isEmpty { broken.append("nothing to merge is reported") }
        }
        if localChanges.isEmpty {
            if !result.isSame(as: remote) { broken.append("nothing changed here kept something") }
            if !plan.notes.isEmpty { broken.append("nothing changed here is reported") }
        }
        if local.settled(over: base).isSame(as: remote) {
            if !result.isSame(as: remote) { broken.append("the same change is not that change") }
            if !plan.notes.isEmpty { broken.append("the same change is a conflict") }
        }
        return broken
    }

    /// What further merges must not change: the same one with its files in another order, the next
    /// sync of this device, and the other device's, which finds what this one pushed.
    package func brokenAgain(table: FileTable) throws -> [String] {
        var broken: [String] = []
        let shuffled = try Meeting(
            base: base,
            first: remote,
            second: local,
            answer: answer,
            table: table,
            spacious: true
        )
        if shuffled.result != result || Set(shuffled.plan.notes) != Set(plan.notes) {
            broken.append("the order of the files matters")
        }
        for (first, second) in [(remote, result), (result, remote)] {
            let next = try Meeting(
                base: remote,
                first: first,
                second: second,
                answer: answer,
                table: table
            )
            if !next.result.isSame(as: result) { broken.append("the next sync changes the tree") }
            if !next.plan.notes.isEmpty { broken.append("the next sync reports something") }
        }
        return broken
    }

    /// The model's own validator, asked as the server asks it.
    private func violations(table: FileTable) -> [String] {
        let pushed = result.changes(since: remote)
        guard !pushed.isEmpty else { return [] }
        var broken: [String] = []
        if !result.settled(over: remote).isSame(as: result) {
            broken.append("a change below what is dead")
        }
        var validator = PushValidator(before: remote, owner: table.owner)
        do {
            let changes = pushed.keys.sorted().compactMap { result.facts($0) }
            try validator.validate(changes, by: table.owner) { _ in true }
        } catch {
            broken.append("refused: \(error)")
        }
        return broken
    }

    private func deletions(of id: FileID) -> [String] {
        let after = result.files[id]
        guard let after else {
            // Forgotten is only what was never pushed.
            return base.files[id] == nil && remote.files[id] == nil ? [] : ["\(id) is gone"]
        }
        let sides = [local.files[id], remote.files[id]]
        if sides.contains(where: { $0?.isDeleted == true && $0?.diedWithFolder == false }) {
            return after.isDeleted ? [] : ["\(id) was deleted and is not"]
        }
        if sides.contains(where: { $0?.diedWithFolder == true }), !after.isDeleted {
            // Out of a folder that was deleted elsewhere a move rescues.
            let isMoved = sides.contains { side in
                guard let side, !side.isDeleted else { return false }
                return side.parent != base.files[id]?.parent
            }
            let isRescued = isMoved && base.isLive(id) || wentWithRescued(id)
            return isRescued ? [] : ["\(id) died with its folder and is back"]
        }
        if base.files[id] != nil, !base.isLive(id), result.isLive(id) {
            return ["\(id) was dead and lives"]
        }
        return []
    }

    /// Whether a file died with a folder further up than one that the other device moved out of there: what
    /// was made, written or moved into that one before lives with it.
    private func wentWithRescued(_ id: FileID) -> Bool {
        for (side, other) in [(local, remote), (remote, local)]
        where side.files[id]?.diedWithFolder == true {
            var next = side.files[id].flatMap { side.files[$0.parent] }
            while let folder = next, folder.parent != folder.id,
                !folder.isDeleted || folder.diedWithFolder
            {
                if let before = base.files[folder.id], base.isLive(folder.id),
                    other.isLive(folder.id), result.isLive(folder.id),
                    other.files[folder.id]?.parent != before.parent
                {
                    return true
                }
                next = side.files[folder.parent]
            }
        }
        return false
    }

    private func isNoted(_ id: FileID, _ kinds: Set<MergeNote.Kind>) -> Bool {
        plan.notes.contains { $0.file == id && kinds.contains($0.kind) }
    }

    /// Every change made here is in the result, or the report says what became of it.
    private func localEdits(of id: FileID) -> [String] {
        guard let file = local.files[id] else { return [] }
        let before = base.files[id]
        guard let after = result.files[id] else { return vanished(id, file) }
        var broken: [String] = []
        if file.content?.version != before?.content?.version, !holds(file.content, of: id) {
            broken.append("\(id): a content written here is lost")
        }
        let died = local.isLive(id) && !result.isLive(id)
        let isChanged = before.map { !file.isSame(as: $0) } ?? true
        if died, isChanged || remote.isLive(id) {
            if !isNoted(id, [.deleted, .trashed]) { broken.append("\(id) died unreported") }
            return broken
        }
        guard local.isLive(id), result.isLive(id) else { return broken }
        if before?.name != file.name, after.name != file.name, remote.files[id]?.name != file.name,
            !isNoted(id, [.renamed, .renameUndone, .keptBoth])
        {
            broken.append("\(id) lost its name unreported")
        }
        if before?.parent != file.parent, after.parent != file.parent,
            !isNoted(id, [.moveUndone]), !isNoted(after.parent, [.folded])
        {
            broken.append("\(id) lost its place unreported")
        }
        return broken
    }

    /// A file that was never pushed may become another one, when nothing of it is lost.
    private func vanished(_ id: FileID, _ file: File) -> [String] {
        if file.type == .folder {
            return plan.notes.contains { $0.kind == .folded } ? [] : ["\(id) vanished"]
        }
        return holds(file.content, of: id) ? [] : ["\(id) vanished"]
    }

    /// Whether a content is in a document, by itself or joined with another.
    private func holds(_ content: Content?, of id: FileID) -> Bool {
        let versions = Set(result.files.values.compactMap { $0.content?.version })
        guard let content, !versions.contains(content.version) else { return true }
        return questions.contains { question in
            guard question.local == id, answer != .keepBoth else { return false }
            let other = remote.files[question.remote]?.content
            let joined = joined(question)
            return versions.contains { $0 == joined?.version }
                || (answer == .same && versions.contains { $0 == other?.version })
        }
    }

    private func joined(_ question: ContentQuestion) -> Content? {
        guard answer == .merged else { return nil }
        return result.files[question.remote]?.content
    }

    /// What the server has already stands: it came first.
    private func remoteEdits(of id: FileID) -> [String] {
        guard let file = remote.files[id] else { return [] }
        guard let after = result.files[id] else { return ["\(id) is gone"] }
        let before = base.files[id]
        var broken: [String] = []
        // Only a file that was moved here, too, or back here, may meet another of its new name.
        let isMovedHere =
            local.files[id].map { $0.parent != before?.parent } ?? false
            || isNoted(id, [.moveUndone])
        if before?.name != file.name, after.name != file.name,
            !(isMovedHere && isNoted(id, [.renamed]))
        {
            broken.append("\(id): the server's name does not stand")
        }
        if before?.parent != file.parent, after.parent != file.parent, !isNoted(id, [.moveUndone]) {
            broken.append("\(id): the server's place does not stand")
        }
        if file.content?.version != before?.content?.version {
            let kept = after.content?.version
            let isJoined = questions.contains { $0.remote == id }
            if kept != file.content?.version, !isJoined {
                broken.append("\(id): the server's content is lost")
            }
        }
        if remote.isLive(id), !result.isLive(id) {
            let isChanged = before.map { !file.isSame(as: $0) } ?? true
            if isChanged, !isNoted(id, [.deleted, .trashed]) {
                broken.append("\(id): a change from the server died unreported")
            }
        }
        return broken
    }
}
