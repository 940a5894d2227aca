import LockbookModel

/// This account's own tree, beside files that go behind one of its links.
///
/// Somebody else may own by the next import what stands at a path: what was taken in is remembered
/// by the paths that the user knows as well, in the one store that stays the same.
struct ImportOwnSide {
    private let store: LocalStore
    private let place: SharedPlace
    /// What was known of folders before this import, of which some may be forgotten by now.
    private let earlier: [ImportedKey: ImportedFolder]
    /// Where the other store's folders are remembered here.
    private var keys: [ImportedKey: ImportedKey] = [:]
    /// What was known of these, here and there.
    private var known: [ImportedKey: ImportedFolder] = [:]

    init(
        _ store: LocalStore,
        behind place: SharedPlace,
        earlier: [ImportedKey: ImportedFolder] = [:]
    ) {
        (self.store, self.place, self.earlier) = (store, place, earlier)
    }

    /// Adds to what the other store knows of a folder of the disk what this one knows.
    /// - Parameters:
    ///   - key: of the folder in the other store.
    ///   - target: in the other store.
    ///   - file: the one file of the folder that goes there; nil for all.
    ///   - seat: where it is remembered in this one; nil for where the target stands for the user.
    mutating func complete(
        _ folder: ImportedFolder,
        of source: [UInt8],
        as key: ImportedKey,
        at target: [FileName],
        file: String?,
        seat: [FileName]?
    ) throws -> ImportedFolder {
        guard let own = try self.key(source, at: target, seat: seat) else { return folder }
        let here = try earlier[own] ?? store.read { try $0.imported(own) }
        var complete = folder
        if let file {
            complete.files[file] = folder.files[file] ?? here.files[file]
        } else {
            for (name, taken) in here.files where folder.files[name] == nil {
                complete.files[name] = taken
            }
        }
        keys[key] = own
        known[key] = complete
        return complete
    }

    /// Whether an earlier import took a folder of the disk in where a target stands for the user.
    func hasImported(_ source: [UInt8], at target: [FileName]) throws -> Bool {
        guard let own = try key(source, at: target, seat: nil) else { return false }
        return try store.read { try $0.hasImported(own) }
    }

    /// Puts down what was learned of the files that went there, and what only the other store knew.
    func keep(_ remembered: [ImportedKey: ImportedFolder]) throws {
        var rows: [ImportedKey: ImportedFolder] = [:]
        var changed: Set<ImportedKey> = []
        for (key, folder) in remembered {
            guard let own = keys[key] else { continue }
            var row = try rows[own] ?? store.read { try $0.imported(own) }
            for (name, file) in folder.files
            where row.files[name] == nil || known[key]?.files[name] != file {
                row.files[name] = file
                changed.insert(own)
            }
            rows[own] = row
        }
        guard !changed.isEmpty else { return }
        try store.write { try $0.remember(rows.filter { changed.contains($0.key) }) }
    }

    private func key(_ source: [UInt8], at target: [FileName], seat: [FileName]?) throws
        -> ImportedKey?
    {
        let path = place.own("/" + target.map(\.text).joined(separator: "/"))
        // What no link leads to is known by its id alone.
        guard path.hasPrefix("/") else { return nil }
        return ImportedKey(
            source: source,
            target: try seat ?? LocalTree.names(of: path),
            device: store.context.account.deviceKey
        )
    }
}
