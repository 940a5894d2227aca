import LockbookModel

/// Who had what stands in a tree before it got the owner that it has.
///
/// A share that is given away is made anew in the tree of its new owner, under other ids. What the disk
/// has of it is known by who owned it then: imports and exports ask here whether that goes on at a place.
final class FormerOwners {
    private let tree: LocalTree
    private var known: [FileID: Set<AccountID>] = [:]

    init(_ tree: LocalTree) {
        self.tree = tree
    }

    /// Whether an owner gave away what stands at a path, or what that is in.
    ///
    /// Where nothing stands, nothing goes on: of what he gave away this would be another part, or another
    /// thing altogether that has its name now.
    func include(_ owner: AccountID, at path: [FileName]) throws -> Bool {
        var row = try tree.rootRow()
        var isGiven = false
        // Into a document that is shared by itself a file goes by the name of its link, too.
        for name in path where row.type != .document {
            guard let next = try tree.child(name, of: row), !next.isDamaged else { return false }
            row = next
            isGiven = try isGiven || owners(of: row).contains(owner)
        }
        return isGiven
    }

    /// Those who signed that they gave this very file away.
    private func owners(of row: FileRow) throws -> Set<AccountID> {
        if let owners = known[row.id] { return owners }
        let owners = Set(try tree.sources(of: row).map(\.offer.source.owner))
        known[row.id] = owners
        return owners
    }
}

extension LocalTree {
    /// What a file of this tree continues, the last owner's first.
    func sources(of row: FileRow) throws -> [Succession] {
        try openMark(of: row)?.sources(of: LinkTarget(owner: owner, file: row.id)) ?? []
    }
}
