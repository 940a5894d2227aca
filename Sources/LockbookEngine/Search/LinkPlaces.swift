import LockbookModel

/// All files, to find what a link means.
///
/// A path is looked for below the folder of the note that has the link, then from the root; a name
/// alone of a wiki link anywhere, the nearest to the root first. `.md` may be left out, and where
/// nothing has these very letters, capitals do not count.
struct LinkPlaces {
    private var paths: [String: SearchItem] = [:]
    private var folded: [String: SearchItem] = [:]
    private var names: [String: SearchItem] = [:]

    init(_ items: [SearchItem]) {
        // In the order of paths: what is nearer to the root comes later here, and stays.
        let byDepth = items.sorted { Self.depth($0) > Self.depth($1) }
        for item in byDepth {
            paths[item.path] = item
            folded[item.path.lowercased()] = item
            // What a link leads to is called as the link is.
            let start = item.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let name = start.map { item.path[item.path.utf8.index(after: $0)...] } ?? ""
            names[name.lowercased()] = item
        }
    }

    func find(_ link: NoteMarks.Link, from note: String) -> SearchItem? {
        let folder = note.utf8.split(separator: UInt8(ascii: "/")).dropLast().map {
            String(Substring($0))
        }
        let steps = link.target.utf8.split(separator: UInt8(ascii: "/")).map {
            String(Substring($0))
        }
        let isRooted = link.target.hasPrefix("/")
        if let found = find(isRooted ? steps : folder + steps) { return found }
        guard link.isWiki, !isRooted else { return nil }
        if let found = find(steps) { return found }
        guard steps.count == 1, let name = steps.first?.lowercased() else { return nil }
        return names[name + ".md"] ?? names[name]
    }

    private func find(_ steps: [String]) -> SearchItem? {
        var path: [String] = []
        for step in steps where step != "." {
            if step == ".." { _ = path.popLast() } else { path.append(step) }
        }
        let whole = "/" + path.joined(separator: "/")
        return paths[whole] ?? paths[whole + ".md"] ?? folded[whole.lowercased()]
            ?? folded[(whole + ".md").lowercased()]
    }

    private static func depth(_ item: SearchItem) -> Int {
        item.path.utf8.count { $0 == UInt8(ascii: "/") }
    }
}
