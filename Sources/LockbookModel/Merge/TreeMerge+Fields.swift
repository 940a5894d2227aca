extension TreeMerge {
    /// Lays the changes of both sides to one file over each other.
    mutating func mergeFields(of id: FileID) throws {
        let base = try base(id)
        guard var local = local[id] else {
            plan.files[id] = remote[id]
            return
        }
        if try !local.isDeleted && view.mayPlace(local) && !isLiveHere(id) {
            // What was changed and then deleted with its folder counts as it would be pushed, or
            // it would matter who comes first.
            local = local.settledBelowDead(base: base)
        }
        guard let remote = remote[id] else {
            plan.files[id] = local
            return
        }
        let living = try base == nil ? livingTwin(of: id, local, remote) : nil
        var file = remote
        file.parent = living?.parent ?? merged(base, local, remote, \.parent)
        file.name = living?.name ?? merged(base, local, remote, \.name)
        file.isExecutable = merged(base, local, remote, \.isExecutable)
        // Deleting is not taken back by changing the file elsewhere, but by restoring it.
        file.isDeleted =
            living == nil && !isRescued(base, local, remote)
            && (ThreeWay(
                base: base?.isDeleted ?? false,
                local: local.isDeleted,
                remote: remote.isDeleted
            ).merged || isDeletedItself(base, local, remote))
        file.diedWithFolder = file.isDeleted && diedWithFolder(base, local, remote)
        file.diedUnseen =
            file.isDeleted
            && (ThreeWay(
                base: base?.diedUnseen ?? false,
                local: local.diedUnseen,
                remote: remote.diedUnseen
            ).merged || isDecidedUnseen(base, local, remote)
                || local.diedByMerge && remote.diedByMerge)
        // What only a merge has deleted nobody had moved or renamed.
        if living == nil {
            if file.parent != local.parent, local.parent != base?.parent { note(.moveUndone, id) }
            if file.name != local.name, local.name != base?.name {
                note(.renameUndone, id, name: local.name)
            }
        }
        plan.files[id] = file
        try mergeContent(
            of: id,
            base: base?.content,
            local: local.content,
            remote: remote.content
        )
        if file.isSame(as: remote) == false || plan.files[id]?.content != remote.content {
            plan.files[id]?.modified = max(local.modified, remote.modified)
        }
    }

    /// Whether a side moved the file out of the folder with which it died for the other one.
    ///
    /// What was not written to when its folder was deleted has no mark, and is rescued by the move
    /// alone: so is this.
    private func isRescued(_ base: File?, _ local: File, _ remote: File) -> Bool {
        guard let base, !base.isDeleted else { return false }
        return [(local, remote), (remote, local)].contains { dead, moved in
            dead.diedWithFolder && dead.parent == base.parent
                && !moved.isDeleted && moved.parent != base.parent
        }
    }

    /// Of what is new on both sides, as in a copied data folder, the side that took it out of the folder
    /// with which it died on the other one.
    ///
    /// Only where nobody deleted it: a merge put it into the trash, and its record says so.
    private mutating func livingTwin(of id: FileID, _ local: File, _ remote: File) throws -> File? {
        guard local.parent != remote.parent else { return nil }
        if local.diedByMerge, try isLiveThere(id) { return remote }
        if remote.diedByMerge, try isLiveHere(id) { return local }
        return nil
    }

    /// Whether a side deleted the file itself while it was dead with its folder for the other: it does
    /// not come back with that.
    private func isDeletedItself(_ base: File?, _ local: File, _ remote: File) -> Bool {
        base?.diedWithFolder == true
            && [local, remote].contains { $0.isDeleted && !$0.diedWithFolder }
    }

    /// Whether one side decided that the words of a deleted file stay so, and the other has words in it that
    /// this side has not seen.
    private func isDecidedUnseen(_ base: File?, _ local: File, _ remote: File) -> Bool {
        [(local, remote), (remote, local)].contains { decided, written in
            !decided.diedUnseen && written.diedUnseen
                && written.content?.identity != base?.content?.identity
        }
    }

    /// Whether the file is dead because its folder was deleted: it is not when a side deleted it.
    private func diedWithFolder(_ base: File?, _ local: File, _ remote: File) -> Bool {
        func isNew(_ file: File) -> Bool {
            guard let base else { return true }
            return base.isDeleted != file.isDeleted || base.diedWithFolder != file.diedWithFolder
        }
        let deaths = [local, remote].filter { $0.isDeleted && isNew($0) }
        guard !deaths.isEmpty else { return base?.diedWithFolder == true }
        return deaths.allSatisfy(\.diedWithFolder)
    }

    /// Without a base the server's state stands for it: it was there first.
    private func merged<Value: Equatable>(
        _ base: File?,
        _ local: File,
        _ remote: File,
        _ field: KeyPath<File, Value>
    ) -> Value {
        guard let base else { return remote[keyPath: field] }
        return ThreeWay(
            base: base[keyPath: field],
            local: local[keyPath: field],
            remote: remote[keyPath: field]
        ).merged
    }

    private mutating func mergeContent(
        of id: FileID,
        base: Content?,
        local: Content?,
        remote: Content?
    ) throws {
        let versions = ThreeWay(
            base: base?.identity,
            local: local?.identity,
            remote: remote?.identity
        )
        guard versions.isDecidedAgainstLocal else {
            plan.files[id]?.content = versions.merged == local?.identity ? local : remote
            return
        }
        let question = ContentQuestion(local: id, remote: id)
        switch outcomes[question] {
        case nil: plan.questions.insert(question)
        case .same: plan.files[id]?.content = remote
        case .merged(let content, let conflicts):
            plan.files[id]?.content = content
            note(conflicts > 0 ? .markers : .merged, id)
        case .keepBoth(let copy, let content):
            plan.files[id]?.content = remote
            guard var file = self.local[id], let first = plan.files[id] else { return }
            file.id = copy
            file.parent = first.parent
            file.name = first.name
            file.isDeleted = first.isDeleted
            file.content = content
            plan.files[copy] = file
            copies[copy] = id
            note(.keptBoth, copy, name: first.name)
        }
    }
}
