import LockbookModel

/// Where links lead to in another account's store: also into something that is offered as a whole.
struct LinkedPlaces {
    private let links: [FileID: ShareLink]
    /// Paths in that store with those of their links, the longest first.
    private let inner: [(path: String, link: String)]
    /// Where files stood, by their ids, that moved to where no link leads.
    var left: [String: String] = [:]

    init(_ links: [FileID: ShareLink], in tree: LocalTree) throws {
        self.links = links
        inner = try links.values.compactMap { link in
            guard let row = try tree.row(link.target.file), row.parent != tree.root else {
                return nil
            }
            return (try tree.path(of: row), link.path)
        }
        .sorted { $0.path.utf8.count > $1.path.utf8.count }
    }

    /// A path of the other store as the user knows it.
    func own(_ path: String) -> String {
        for place in inner where path == place.path || path.isBelow(place.path) {
            return place.link + path.behind(place.path)
        }
        return SharedPath.own(path, links)
    }
}

/// Paths of what others share: `/ID/rest` in their store, and below a link in one's own tree.
enum SharedPath {
    static func own(_ path: String, _ links: [FileID: ShareLink]) -> String {
        guard let first = path.steps.first, let top = FileID(hex: first) else { return path }
        let rest = path.behind("/" + first)
        guard let link = links[top] else { return "id:\(top)" + rest }
        return link.path + rest
    }

    /// Whether a link leads there: what is only offered, or was left, has a path by its id.
    static func isReached(_ own: String) -> Bool { own.beginsWithSlash }

    /// Whether a path leads to something inside of what is shared.
    static func isBelow(_ path: String) -> Bool {
        path.utf8.dropFirst().contains(UInt8(ascii: "/"))
    }
}

extension LocalTree {
    /// Where something of this tree is, or was, for who uses it.
    ///
    /// Where no link leads any more it is named by where the share stood, or by what its owner calls
    /// that: an id would lead nowhere as soon as it is over.
    func knownPath(_ path: String, by places: LinkedPlaces) throws -> String {
        let own = places.own(path)
        guard !SharedPath.isReached(own), let first = path.steps.first,
            let top = FileID(hex: first),
            let title = try places.left[top.description] ?? self.title(of: top)
        else { return own }
        return title + path.behind("/" + first)
    }

    /// What its owner calls what stands at the top here; nil where nothing does, or it does not open.
    func title(of top: FileID) throws -> String? {
        guard let row = try row(top), try opened(row) != nil else { return nil }
        return try ownersName(of: row).text
    }
}
