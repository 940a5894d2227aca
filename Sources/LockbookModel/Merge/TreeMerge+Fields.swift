extension TreeMerge {
    /// Lays the changes of both sides to one file over each other.
    mutating func mergeFields(of id: FileID) throws {
        let base = try view.base(id)
        bases[id] = base
        guard let local = local[id] else {
            plan.files[id] = remote[id]
            return
        }
        guard let remote = remote[id] else {
            plan.files[id] = local
            return
        }
        // Without a base the server's state stands for it: it was there first.
        let before = base ?? remote
        var file = remote
        let parent = ThreeWay(base: before.parent, local: local.parent, remote: remote.parent)
        let name = ThreeWay(base: before.name, local: local.name, remote: remote.name)
        let deleted = ThreeWay(
            base: before.isDeleted,
            local: local.isDeleted,
            remote: remote.isDeleted
        )
        file.parent = base == nil ? remote.parent : parent.merged
        file.name = base == nil ? remote.name : name.merged
        file.isDeleted = deleted.merged
        file.isExecutable =
            ThreeWay(
                base: before.isExecutable,
                local: local.isExecutable,
                remote: remote.isExecutable
            ).merged
        if base != nil, parent.isDecidedAgainstLocal { note(.moveUndone, id) }
        if base != nil, name.isDecidedAgainstLocal { note(.renameUndone, id, name: local.name) }
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

    private mutating func mergeContent(
        of id: FileID,
        base: Content?,
        local: Content?,
        remote: Content?
    ) throws {
        let versions = ThreeWay(
            base: base?.version,
            local: local?.version,
            remote: remote?.version
        )
        guard versions.isDecidedAgainstLocal else {
            plan.files[id]?.content = versions.merged == local?.version ? local : remote
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
            guard var file = self.local[id] else { return }
            file.id = copy
            file.parent = plan.files[id]?.parent ?? file.parent
            file.name = plan.files[id]?.name ?? file.name
            file.isDeleted = plan.files[id]?.isDeleted ?? false
            file.content = content
            plan.files[copy] = file
            note(.keptBoth, copy, name: plan.files[id]?.name)
        }
    }
}
