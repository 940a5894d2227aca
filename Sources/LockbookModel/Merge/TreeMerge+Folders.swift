extension TreeMerge {
    /// Folds folders that were made here into new ones of the server of the same name, from the top
    /// down.
    mutating func foldFolders() throws -> Bool {
        var changed = false
        var children: [FileID: [FileID]] = [:]
        var taken: [NamedPlace: FileID] = [:]
        var new: Set<FileID> = []
        for (id, file) in plan.files where id != root && !plan.removed.contains(id) {
            children[file.parent, default: []].append(id)
            guard file.type == .folder, !file.isDeleted else { continue }
            if try remoteFile(id) == nil {
                new.insert(id)
            } else if try base(id) == nil {
                taken[NamedPlace(file.name, in: file.parent)] = id
            }
        }
        var queue = try new.filter { try remoteFile(plan.files[$0]?.parent ?? root) != nil }
            .sorted()
        while let id = queue.popLast() {
            guard let file = plan.files[id] else { continue }
            let inside = (children[id] ?? []).sorted()
            queue.append(contentsOf: inside.filter { new.contains($0) })
            let place = NamedPlace(file.name, in: file.parent)
            guard let other = taken[place] else { continue }
            for child in inside { plan.files[child]?.parent = other }
            plan.removed.insert(id)
            plan.joined[id] = other
            note(.folded, other)
            changed = true
        }
        return changed
    }
}
