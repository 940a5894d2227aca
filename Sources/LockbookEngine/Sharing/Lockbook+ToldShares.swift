import LockbookModel

/// Of which links somebody was told that what is written there goes to another account.
extension Lockbook {
    /// The links to what others share that lead to these places, and that nobody was told of.
    ///
    /// Whoever shares something may choose what it is called here, and so where something goes that
    /// is written to a path which is always the same.
    /// - Parameter places: documents and folders, which need not be there.
    /// - Returns: the paths of the links.
    public func untoldShares(at places: [FileReference]) throws -> [String] {
        try store.read { tree -> [String] in
            let links = try tree.allLinks()
            guard !links.isEmpty else { return [] }
            let told = try Self.toldSeats(in: tree)
            let met = Set(try places.compactMap { try tree.link(to: $0) })
            return links.filter { met.contains($0.path) && !told.contains($0.seat) }.map(\.path)
        }
    }

    /// Notes that somebody was told of links, each as long as it stands where it stands.
    /// - Parameter paths: as `untoldShares` returned them.
    public func noteTold(shares paths: [String]) throws {
        guard !paths.isEmpty else { return }
        try store.write { tree in
            let told = try Self.toldSeats(in: tree)
            let links = try tree.allLinks()
                .filter { told.contains($0.seat) || paths.contains($0.path) }
            try tree.seal(links.map(\.seat).sorted(), as: .toldShares, for: Self.told)
        }
    }

    private static func toldSeats(in tree: LocalTree) throws -> Set<String> {
        try tree.sealed(.toldShares, for: told) ?? []
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
