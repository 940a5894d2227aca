import LockbookModel

/// What the disk has where a link of the lockbook stands: it goes to what that leads to.
struct LinkedImport {
    enum Source {
        case folder(ImportFolder)
        case file(name: [UInt8], parent: DiskFile)
    }

    let source: Source
    /// On the disk, for reports.
    let path: String
    let link: ShareLink

    var isDocument: Bool {
        if case .file = source { true } else { false }
    }
}

/// The live links of an account, by where they stand, as names are compared.
struct ImportLinks {
    private var links: [[UInt8]: ShareLink] = [:]

    init() {}

    init(_ tree: LocalTree) throws {
        for link in try tree.allLinks() {
            links[ImportPath(try LocalTree.names(of: link.path)).normalized] = link
        }
    }

    func link(at target: ImportPath) -> ShareLink? {
        links.isEmpty ? nil : links[target.normalized]
    }
}

extension DiskImport {
    /// Puts off what goes to a place where a link stands.
    mutating func goesBehindLink(
        _ item: LinkedImport.Source,
        at target: ImportPath,
        _ path: String
    ) -> Bool {
        guard let link = links.link(at: target) else { return false }
        linked.append(LinkedImport(source: item, path: path, link: link))
        return true
    }

    /// Takes in what goes behind links to one owner's files; documents first, which are one batch.
    ///
    /// What is known of the disk is put down after the last of them: many may stand in one folder.
    /// - Parameter places: where they lead, all in the store.
    mutating func take(
        _ places: [(linked: LinkedImport, place: SharedPlace)],
        to store: LocalStore
    ) throws {
        var other = behindLinks(to: store)
        defer { goOn(after: other) }
        for (linked, place) in places.sorted(by: { $0.linked.isDocument && !$1.linked.isDocument })
        {
            other.link = place
            other.own = place.own
            try other.take(linked, at: place)
        }
        try other.flush()
        other.tellOnlyRead()
    }

    private mutating func take(_ linked: LinkedImport, at place: SharedPlace) throws {
        guard case .path(let path) = place.reference else { return }
        let target = ImportPath(try LocalTree.names(of: path))
        switch linked.source {
        case .folder(var folder):
            folder.target = target
            try flush()
            tellOnlyRead()
            let earlier = taken
            try walk(from: folder)
            try flush()
            // Where nothing of it is in, that is told of this folder alone.
            tellOnlyRead(in: taken == earlier ? linked.path : nil)
        case .file(let name, let parent):
            // Another link may lead to what this one is in.
            guard claim(target, for: linked.path) else { return }
            let text = String(decoding: name, as: UTF8.self)
            let known = try self.place(of: parent, at: target, file: text)
            try take(name, in: parent, at: target, source: linked.path, known)
        }
    }

    /// How many files are in, be it from an earlier import.
    private var taken: Int { report.created + report.updated + report.unchanged }

    /// Names what was to go to where this account may only read; the rest of it is in.
    /// - Throws: `.readOnly` where nothing is.
    mutating func leaveOnlyRead() throws {
        if taken == 0, let first = onlyRead.first { throw first.error }
        tellOnlyRead()
    }

    /// - Parameter folder: what all of it stands in, to be named alone.
    private mutating func tellOnlyRead(in folder: String? = nil) {
        guard !onlyRead.isEmpty else { return }
        for path in folder.map({ [$0] }) ?? onlyRead.map(\.source) {
            problem(path, "you may only read what is shared with you there")
        }
        onlyRead = []
    }
}
