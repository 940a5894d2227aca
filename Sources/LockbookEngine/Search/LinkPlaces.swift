import LockbookModel

/// All files, to find what a link means.
///
/// A path is looked for below the folder of the note that has the link. The path of a wiki link is
/// looked for below each folder above as well, then wherever a path ends with it, and so is a name
/// alone, the nearest first (`PathEnd`); folders only where no document has the name. `.md` may be
/// left out, and where nothing has these very letters, capitals do not count.
struct LinkPlaces {
    private var paths: [String: SearchItem] = [:]
    private var folded: [String: SearchItem] = [:]
    private let documents: PathEnd
    private let others: PathEnd
    /// The links that lead to a document.
    private let linked: Set<String>

    /// - Parameter items: of all trees; a link to a document is in them twice, as both.
    init(_ items: [SearchItem]) {
        let links = Set(items.filter { $0.entry.type == .link }.map(\.path))
        linked = Set(
            items.filter { $0.entry.type != .link && links.contains($0.path) }.map(\.path)
        )
        // Of the two, the link is what stands there.
        let items = items.filter { $0.entry.type == .link || !links.contains($0.path) }
        for item in items {
            paths[item.path] = item
            folded[item.path.lowercased()] = item
        }
        documents = PathEnd(of: items.filter { [linked] in Self.isDocument($0, linked) })
        others = PathEnd(of: items.filter { [linked] in !Self.isDocument($0, linked) })
    }

    func find(_ link: NoteMarks.Link, from note: String) -> SearchItem? {
        let steps = Self.steps(link.target)
        guard !link.target.beginsWithSlash else { return find(steps) }
        if !link.isWiki || steps.contains(".") || steps.contains("..") {
            let found = find(Self.steps(note).dropLast() + steps)
            return found ?? (link.isWiki ? find(steps) : nil)
        }
        let found = documents.find(steps, from: note) ?? others.find(steps, from: note)
        return found.map { spelled(steps, $0) }
    }

    private static func steps(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    private static func isDocument(_ item: SearchItem, _ linked: Set<String>) -> Bool {
        item.entry.type == .document || item.entry.type == .link && linked.contains(item.path)
    }

    /// What has these very letters where another one was found, if anything there has.
    private func spelled(_ steps: [String], _ found: SearchItem) -> SearchItem {
        let folder = found.path[...].dropLastNames(steps.count)
        let whole = "\(folder)/\(steps.joined(separator: "/"))"
        let isDocument = Self.isDocument(found, linked)
        return [whole, whole + ".md"].lazy.compactMap { paths[$0] }
            .first { Self.isDocument($0, linked) == isDocument } ?? found
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
}

extension NoteMarks.Link {
    /// Whether it can lead to a file of this name.
    ///
    /// What `LinkPlaces` finds for it has its last step as a name, but for capitals and `.md`.
    /// - Parameter name: in small letters.
    func mayMean(_ name: String) -> Bool {
        guard let last = target.steps.last, last != ".", last != ".." else { return true }
        let folded = last.lowercased()
        return folded == name || folded + ".md" == name || (last + ".md").lowercased() == name
    }
}
