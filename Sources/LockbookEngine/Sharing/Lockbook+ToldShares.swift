import LockbookModel

/// Of which links somebody was told that what is written there goes to another account.
extension Lockbook {
    /// The links to what others share that lead to these places, and were not asked for before.
    ///
    /// Whoever shares something may choose what it is called here, and so where something goes that
    /// is written to a path which is always the same. Once asked for, a link is none of them as long
    /// as it stands where it stood.
    /// - Parameter places: documents and folders, which need not be there.
    /// - Returns: the paths of the links.
    public func takeUntoldShares(at places: [FileReference]) throws -> [String] {
        let (links, told) = try store.read { tree -> ([ShareLink], Set<String>) in
            let links = try tree.allLinks()
            return try (links, links.isEmpty ? [] : tree.sealed(.toldShares, for: Self.told) ?? [])
        }
        guard !links.isEmpty else { return [] }
        let met = try store.read { tree in Set(try places.compactMap { try tree.link(to: $0) }) }
        let new = links.filter { met.contains($0.path) && !told.contains($0.seat) }
        guard !new.isEmpty else { return [] }
        let seats = told.intersection(links.map(\.seat)).union(new.map(\.seat))
        try store.write { try $0.seal(seats.sorted(), as: .toldShares, for: Self.told) }
        return new.map(\.path)
    }

    private static let told: StaticString = "told shares"
}

extension ShareLink {
    /// Where it stands, which is another place for what leads somewhere else.
    fileprivate var seat: String { "\(id) \(path)" }
}

extension LocalTree {
    /// The path of the link that leads to a place; nil where none does.
    fileprivate func link(to place: FileReference) throws -> String? {
        do { return try crossing(find(place))?.link } catch let crossed as CrossesLink {
            return crossed.link
        } catch is LockbookError {
            return nil
        }
    }
}
