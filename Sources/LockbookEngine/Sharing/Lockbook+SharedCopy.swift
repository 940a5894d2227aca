import LockbookModel

/// Copies between trees: all of it is made in one transaction of the tree that it goes to.
private struct TreeCopy {
    let ends: TreeEnds
    /// Where the copies go.
    let tree: LocalTree
    let folder: FileRow
    let name: FileName?
    /// Links into what other ones below the same source lead to.
    let inward: Set<String>
    /// Opened beside what the ends are in, which may be what is written to.
    private let shares: OpenShares

    init(_ lockbook: Lockbook, _ ends: TreeEnds, _ tree: LocalTree, _ inward: Set<String>) throws {
        (self.ends, self.tree, self.inward) = (ends, tree, inward)
        shares = OpenShares(of: lockbook)
        (folder, name) = try ends.place(in: tree)
    }

    func copy(_ source: SharedPlace) throws -> FileInfo {
        try source.naming {
            try read(source.lockbook.store) { other in
                let row = try other.find(source.reference)
                let newName = try name ?? source.name(of: row, in: other)
                return try ends.target.naming {
                    try tree.requireFree(newName, in: folder)
                    let copy = try tree.copy(
                        row,
                        of: other,
                        to: folder,
                        as: newName,
                        following: { link, copy in
                            try inward.contains(link.link) ? nil : follow(link, copy)
                        }
                    )
                    return ends.target.own(try tree.info(copy, path: try tree.path(of: copy)))
                }
            }
        }
    }

    private func follow(
        _ link: CrossesLink,
        _ copy: (_ tree: LocalTree, _ row: FileRow) throws -> FileRow
    ) throws -> FileRow {
        let place = try shares.place(behind: link.target, link: link.link)
        return try place.naming {
            try read(place.lockbook.store) { try copy($0, $0.find(place.reference)) }
        }
    }

    /// The tree that is written to is read as it is in that transaction.
    private func read<Result>(_ store: LocalStore, _ body: (LocalTree) throws -> Result) throws
        -> Result
    {
        try store.directory == ends.target.lockbook.store.directory
            ? body(tree) : store.read(body)
    }
}

extension Lockbook {
    /// Copies between trees: all or nothing.
    func copyAcross(_ sources: [FileReference], to destination: String) throws -> [FileInfo] {
        let ends = try ends(of: sources, destination)
        let inward = try ends.sources.filter { $0.lockbook.store.directory == store.directory }
            .reduce(into: Set<String>()) { try $0.formUnion(inwardLinks(below: $1.reference)) }
        return try ends.target.lockbook.store.change { tree in
            let copy = try TreeCopy(self, ends, tree, inward)
            return try ends.sources.map { try copy.copy($0) }
        }
    }

    /// Whether a path leads to a folder, also behind a link.
    public func isFolder(_ path: String) throws -> Bool {
        do {
            return try across(.path(path)) {
                try store.read { tree in
                    guard let row = try tree.find(path: path) else { return false }
                    if let crossing = try tree.crossing(row) { throw crossing }
                    return row.type == .folder
                }
            } there: { place in
                guard case .path(let below) = place.reference else { return false }
                return try place.lockbook.store.read { try $0.find(path: below)?.type == .folder }
            }
        } catch LockbookError.notFound { return false }
    }
}
