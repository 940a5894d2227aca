/// The files whose paths end with the same names, and which of them is nearest to a note.
///
/// Capitals do not count, and `.md` may be left out. Files with the same name are told apart by the
/// folders in front of it, and by where they are, only when such a name is asked for; each is then
/// looked at once for all links.
final class PathEnd {
    private let items: [SearchItem]
    /// Of how many names this is the end.
    private let count: Int
    private lazy var longer: [String: PathEnd] = grouped()
    private lazy var nearest: [Substring: SearchItem] = spread()

    /// All of these; every path ends with no name.
    convenience init(of items: [SearchItem]) {
        self.init(items, count: 0)
    }

    private init(_ items: [SearchItem], count: Int) {
        self.items = items
        self.count = count
    }

    /// The file whose path ends with `steps` and that is nearest to a note.
    ///
    /// Several steps are a path that is looked for in each folder above the note, from its own to the
    /// root. Else it is the file in the deepest of these folders that has one anywhere in it; of several
    /// there, that with the fewest folders above it, then by path.
    func find(_ steps: [String], from note: String) -> SearchItem? {
        var end = self
        for step in steps.reversed() {
            guard let longer = end.longer[step.lowercased()] else { return nil }
            end = longer
        }
        return end.nearest(to: note)
    }

    private func nearest(to note: String) -> SearchItem? {
        guard items.count > 1 else { return items.first }
        var found: SearchItem?
        var folder = note[...].dropLastNames(1)
        while true {
            if let item = nearest[folder] {
                if count == 1 || item.path[...].dropLastNames(count) == folder { return item }
                found = found ?? item
            }
            guard !folder.isEmpty else { return found }
            folder = folder.dropLastNames(1)
        }
    }

    /// The ends with one more name in front.
    private func grouped() -> [String: PathEnd] {
        var ends: [String: [SearchItem]] = [:]
        for item in items {
            let rest = item.path[...].dropLastNames(count)
            guard !rest.isEmpty else { continue }
            let slash = rest.dropLastNames(1).endIndex
            let name = rest[rest.utf8.index(after: slash)...].lowercased()
            ends[name, default: []].append(item)
            if count == 0, name.hasSuffix(".md") {
                ends[String(name.dropLast(3)), default: []].append(item)
            }
        }
        return ends.mapValues { PathEnd($0, count: count + 1) }
    }

    /// For each folder that has one of these anywhere in it, the first one.
    private func spread() -> [Substring: SearchItem] {
        var nearest: [Substring: SearchItem] = [:]
        for item in sorted() {
            var folder = item.path[...].dropLastNames(count)
            // Where one is already, the folders above have one as well.
            while nearest[folder] == nil {
                nearest[folder] = item
                folder = folder.dropLastNames(1)
            }
        }
        return nearest
    }

    /// Those with the fewest folders above them first, then by path; what differs in capitals alone is
    /// in the other order, for a path that is looked up takes the last of these as well.
    private func sorted() -> [SearchItem] {
        let slash = UInt8(ascii: "/")
        let keyed = items.map { item in
            let depth = item.path.utf8.count { $0 == slash }
            return (depth: depth, folded: item.path.lowercased(), item: item)
        }
        return keyed.sorted { left, right in
            if left.depth != right.depth { return left.depth < right.depth }
            if left.folded != right.folded { return left.folded < right.folded }
            return right.item.path.utf8.lexicographicallyPrecedes(left.item.path.utf8)
        }.map(\.item)
    }
}

extension Substring {
    /// A path without its last names and the `/` in front of each; nothing is above nothing.
    func dropLastNames(_ count: Int) -> Substring {
        var rest = self
        for _ in 0..<count {
            rest = rest.utf8.lastIndex(of: UInt8(ascii: "/")).map { rest[..<$0] } ?? ""
        }
        return rest
    }
}
