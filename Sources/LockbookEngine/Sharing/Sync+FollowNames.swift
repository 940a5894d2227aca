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

extension Sync {
    /// Renames links that have the owner's name for what they lead to, when he has renamed it.
    ///
    /// A link with a name of its own keeps it.
    func followNames(of shared: LocalStore, before: [FileID: FileName]) throws {
        let after = try shared.read { try $0.ownersNames() }
        let renamed = after.filter { file, name in before[file].map { $0 != name } ?? false }
        guard !renamed.isEmpty else { return }
        try store.write { tree in
            let links = try tree.links(to: shared.context.owner)
            for (id, name) in renamed.sorted(by: { $0.key < $1.key }) {
                guard let old = before[id], let link = links[id], let row = try tree.row(link.id),
                    let folder = try tree.row(row.parent)
                else { continue }
                var file = try tree.file(row)
                // With a number it is the same name, which something else had.
                let isOwners =
                    file.name == old || (1...99).contains { file.name == old.numbered($0) }
                guard isOwners else { continue }
                file.name = try tree.freeName(name, in: folder)
                try tree.put(file)
            }
        }
    }
}
