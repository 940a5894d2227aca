import LockbookCrypto
import LockbookModel

extension FileName {
    /// Whether it is a name, or that with a number, which it has where something else had the name.
    fileprivate func stands(for name: FileName) -> Bool {
        self == name || (1...99).contains { self == name.numbered($0) }
    }
}

/// What owners of shares gave other names.
private struct RenamedShares {
    let before: [FileID: FileName]
    /// Of what has another name now.
    let names: [FileID: FileName]

    init(before: [FileID: FileName], after: [FileID: FileName]) {
        self.before = before
        names = after.filter { file, name in before[file].map { $0 != name } ?? false }
    }
}

extension Sync {
    /// Renames links that have the owner's name for what they lead to, when he has renamed it.
    ///
    /// A link with a name of its own keeps it, also where another device of this account, which did not
    /// know that name, came first with the owner's new one. What there is to say of it is noted with it.
    mutating func followNames(of shared: LocalStore, before: [FileID: FileName]) throws {
        let after = try shared.read { try $0.ownersNames() }
        let renamed = RenamedShares(before: before, after: after)
        if !renamed.names.isEmpty { try follow(renamed, of: shared.context.owner) }
        guard try shared.read({ try $0.hasNamesGivenUp() }) else { return }
        try shared.write { try $0.forgetNamesGivenUp() }
    }

    private mutating func follow(_ renamed: RenamedShares, of owner: AccountID) throws {
        let undone = report.notes.filter { $0.kind == .renameUndone }
        let before = linksBefore(to: owner)
        let (kept, followed) = try store.write { tree in
            let kept = try tree.follow(renamed, of: owner, undone)
            let followed = try tree.followed(renamed, of: owner, since: before)
            if !followed.isEmpty {
                let untold = try tree.untoldNotes().filter { !$0.isOvertaken(by: followed) }
                try tree.keepUntold(untold + followed)
            }
            return (kept, followed)
        }
        for (note, path) in kept {
            report.notes.removeAll { $0 == note }
            report.pulled = report.pulled.map { $0 == note.path ? path : $0 }
        }
        report.notes.removeAll { $0.isOvertaken(by: followed) }
        report.notes += followed
    }
}

extension SyncReport.Note {
    /// Whether another note tells the newer name of the same link.
    fileprivate func isOvertaken(by followed: [SyncReport.Note]) -> Bool {
        kind == .linkRenamed && followed.contains { $0.id == id }
    }
}

extension LocalTree {
    /// - Parameter undone: what was told of links that lost a name of their own to the owner's.
    /// - Returns: those of these notes that do not hold any more, with the paths of the links.
    fileprivate func follow(
        _ renamed: RenamedShares,
        of owner: AccountID,
        _ undone: [SyncReport.Note]
    ) throws -> [(note: SyncReport.Note, path: String)] {
        let links = try links(to: owner)
        var kept: [(note: SyncReport.Note, path: String)] = []
        for (id, name) in renamed.names.sorted(by: { $0.key < $1.key }) {
            guard let old = renamed.before[id], let link = links[id],
                let row = try self.row(link.id), let folder = try self.row(row.parent)
            else { continue }
            var file = try file(row)
            // A name with a number may stand for both.
            if file.name.stands(for: old), file.name != name {
                file.name = try freeName(name, in: folder)
                try put(file)
                continue
            }
            guard file.name.stands(for: name),
                let note = undone.first(where: { $0.id == link.id.description })
            else { continue }
            let own = try FileName(note.detail)
            guard !own.stands(for: old), !own.stands(for: name),
                try child(own, of: folder) == nil
            else { continue }
            file.name = own
            try put(file)
            kept.append((note, try path(of: link.id)))
        }
        return kept
    }

    /// Which links have the owner's new names, also where another device of this account gave them
    /// these: whoever shares something chooses so what a path leads to here.
    fileprivate func followed(
        _ renamed: RenamedShares,
        of owner: AccountID,
        since before: [FileID: ShareLink]
    ) throws -> [SyncReport.Note] {
        let links = try links(to: owner)
        return try renamed.names.sorted { $0.key < $1.key }.compactMap { id, name in
            guard let link = links[id], let old = before[id]?.path,
                let step = link.path.steps.last, step != old.steps.last,
                try FileName(step).stands(for: name)
            else { return nil }
            return SyncReport.Note(
                kind: .linkRenamed,
                id: link.id.description,
                path: link.path,
                detail: old
            )
        }
    }
}
