import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// What owners call what they share with this account, by file.
    func ownersNames() throws -> [FileID: FileName] {
        var names: [FileID: FileName] = [:]
        for file in try held().keys {
            guard let row = try row(file), !row.isDamaged else { continue }
            names[file] = try ownersName(of: row)
        }
        return names
    }
}

extension FileName {
    /// Whether it is a name, or that with a number, which it has where something else had the name.
    fileprivate func stands(for name: FileName) -> Bool {
        self == name || (1...99).contains { self == name.numbered($0) }
    }
}

extension Sync {
    /// Renames links that have the owner's name for what they lead to, when he has renamed it.
    ///
    /// A link with a name of its own keeps it, also where another device of this account, which did not
    /// know that name, came first with the owner's new one.
    mutating func followNames(of shared: LocalStore, before: [FileID: FileName]) throws {
        let after = try shared.read { try $0.ownersNames() }
        let renamed = after.filter { file, name in before[file].map { $0 != name } ?? false }
        guard !renamed.isEmpty else { return }
        let undone = report.notes.filter { $0.kind == .renameUndone }
        let kept = try store.write { tree -> [(note: SyncReport.Note, path: String)] in
            let links = try tree.links(to: shared.context.owner)
            var kept: [(note: SyncReport.Note, path: String)] = []
            for (id, name) in renamed.sorted(by: { $0.key < $1.key }) {
                guard let old = before[id], let link = links[id], let row = try tree.row(link.id),
                    let folder = try tree.row(row.parent)
                else { continue }
                var file = try tree.file(row)
                if file.name.stands(for: old) {
                    file.name = try tree.freeName(name, in: folder)
                    try tree.put(file)
                    continue
                }
                guard file.name.stands(for: name),
                    let note = undone.first(where: { $0.id == link.id.description })
                else { continue }
                let own = try FileName(note.detail)
                guard !own.stands(for: old), !own.stands(for: name),
                    try tree.child(own, of: folder) == nil
                else { continue }
                file.name = own
                try tree.put(file)
                kept.append((note, try tree.path(of: link.id)))
            }
            return kept
        }
        for (note, path) in kept {
            report.notes.removeAll { $0 == note }
            report.pulled = report.pulled.map { $0 == note.path ? path : $0 }
        }
        try noteFollowed(renamed, of: shared.context.owner)
    }

    /// Tells which links have the owner's new names, also where another device of this account gave them
    /// these: whoever shares something chooses so what a path leads to here.
    private mutating func noteFollowed(_ names: [FileID: FileName], of owner: AccountID) throws {
        let before = linksBefore(to: owner)
        let links = try store.read { try $0.links(to: owner) }
        for (id, name) in names.sorted(by: { $0.key < $1.key }) {
            guard let link = links[id], let old = before[id]?.path,
                let step = link.path.steps.last, step != old.steps.last,
                try FileName(step).stands(for: name)
            else { continue }
            try noteNews(.linkRenamed, link.id, link.path, old) {
                $0.kind == .linkRenamed && $0.id == link.id.description
            }
        }
    }
}
