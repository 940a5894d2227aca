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

    /// Takes in what goes behind a link, into the store of what that leads to.
    ///
    /// What is known of the disk is put down after the last of them: many may stand in one folder.
    mutating func take(_ linked: LinkedImport, to place: SharedPlace) throws {
        guard case .path(let path) = place.reference else { return }
        let target = ImportPath(try LocalTree.names(of: path))
        let earlier = report.created + report.updated
        var other = behindLink(to: place)
        defer {
            goOn(after: other)
            report.noteShared(at: linked.link.path, since: earlier)
        }
        switch linked.source {
        case .folder(let folder):
            var inner = folder
            inner.target = target
            try other.walk(from: inner)
        case .file(let name, let parent):
            // Another link may lead to what this one is in.
            guard other.claim(target, for: linked.path) else { return }
            let text = String(decoding: name, as: UTF8.self)
            let known = try other.place(of: parent, at: target, file: text)
            try other.take(name, in: parent, at: target, source: linked.path, known)
        }
        try other.flush()
    }
}
