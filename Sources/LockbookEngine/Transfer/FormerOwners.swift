import LockbookModel

/// Who had what stands in a tree before it got the owner that it has.
///
/// A share that is given away is made anew in the tree of its new owner, under other ids. What the disk
/// has of it is known by who owned it then: imports and exports ask here whether that goes on at a place.
final class FormerOwners {
    private let tree: LocalTree
    private var known: [FileID: Set<LinkTarget>] = [:]

    init(_ tree: LocalTree) {
        self.tree = tree
    }

    /// Whether an owner gave away what stands at a path, or what that is in.
    ///
    /// Where nothing stands, nothing goes on: of what he gave away this would be another part, or another
    /// thing altogether that has its name now.
    func include(_ owner: AccountID, at path: [FileName]) throws -> Bool {
        try given(at: path).contains { $0.owner == owner }
    }

    /// What earlier owners gave away of what stands at a path, and of what that is in.
    ///
    /// Nothing where nothing stands.
    func given(at path: [FileName]) throws -> Set<LinkTarget> {
        var row = try tree.rootRow()
        var given: Set<LinkTarget> = []
        // Into a document that is shared by itself a file goes by the name of its link, too.
        for name in path where row.type != .document {
            guard let next = try tree.child(name, of: row), !next.isDamaged else { return [] }
            row = next
            given.formUnion(try sources(of: row))
        }
        return given
    }

    /// What its owners, who signed that, gave away as this very file.
    private func sources(of row: FileRow) throws -> Set<LinkTarget> {
        if let sources = known[row.id] { return sources }
        let sources = Set(try tree.sources(of: row).map(\.offer.source))
        known[row.id] = sources
        return sources
    }
}

extension LocalTree {
    /// What a file of this tree continues, the last owner's first.
    func sources(of row: FileRow) throws -> [Succession] {
        try mark(of: row).sources(of: LinkTarget(owner: owner, file: row.id))
    }
}
