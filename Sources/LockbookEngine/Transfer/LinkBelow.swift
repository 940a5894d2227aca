import LockbookModel

/// A link below what is exported.
struct LinkBelow {
    let link: ShareLink
    /// Its steps from what is exported.
    let steps: [String]
    /// Where it leads; nil where that is not here.
    let place: SharedPlace?
    /// Of what it leads to; nil where that is not known.
    let type: FileType?

    /// The steps to the folder that it stands in.
    var folder: [String] { steps.dropLast() }

    /// What is said where it leads to what is not here.
    var problem: TransferReport.Problem {
        TransferReport.Problem(path: link.path, reason: "what its link leads to is not here")
    }
}

/// Where earlier exports may have put what links lead to that is not here: where these stand now,
/// and where they stood then.
///
/// The disk may have the only copy that this device can reach.
struct LinksBelow {
    private var folders: PathSet = []
    private var documents: PathSet = []
    private var targets: Set<FileID> = []

    init(_ links: [LinkBelow] = [], in memory: ExportMemory = ExportMemory()) {
        guard !links.isEmpty else { return }
        for link in links {
            let path = link.steps.joined(separator: "/")
            if link.type != .document { folders.insert(path) }
            if link.type != .folder { documents.insert(path) }
        }
        targets = Set(links.map(\.link.target.file))
        for folder in memory.folders.values {
            for child in folder.linked where targets.contains(child.id) {
                let path = folder.path.isEmpty ? child.name : "\(folder.path)/\(child.name)"
                folders.insert(path)
                documents.insert(path)
            }
        }
    }

    /// Whether one of them leads to a file.
    func leads(to file: FileID) -> Bool { targets.contains(file) }

    /// Whether a folder is, or is in, what may be behind one of them.
    func have(folder path: String) -> Bool {
        guard !folders.isEmpty else { return false }
        let steps = path.steps
        return steps.indices.contains { folders.contains(steps[...$0].joined(separator: "/")) }
    }

    func have(document path: String) -> Bool { documents.contains(path) }

    func have(document name: String, in folder: String) -> Bool {
        have(document: folder.isEmpty ? name : "\(folder)/\(name)")
    }
}

extension Lockbook {
    /// The links below what is exported, in the order of their paths.
    ///
    /// One to what its owner deleted is as if it were not there. One to what is not here, as after a
    /// sync that was cut off, is among them: its target is in the lockbook, and nothing shows it.
    func linksBelow(_ reference: FileReference) throws -> [LinkBelow] {
        guard !store.context.isForeign else { return [] }
        let links = try store.read { try $0.allLinks() }
        guard !links.isEmpty else { return [] }
        let top = try store.read { try $0.path(of: try $0.find(reference)) }
        let above = top == "/" ? "" : top
        // What another link leads to already is not written twice.
        let inward = try inwardLinks(below: reference)
        return try links.filter { $0.path.isBelow(above) && !inward.contains($0.path) }
            .compactMap { try linkBelow($0, $0.path.behind(above).steps) }
    }

    /// - Returns: nil where its owner deleted what it leads to.
    private func linkBelow(_ link: ShareLink, _ steps: [String]) throws -> LinkBelow? {
        guard let other = try shared(by: link.target.owner),
            let type = try other.store.read({ try $0.row(link.target.file)?.type })
        else { return LinkBelow(link: link, steps: steps, place: nil, type: nil) }
        do {
            let place = try place(behind: link.target, link: link.path)
            return LinkBelow(link: link, steps: steps, place: place, type: type)
        } catch LockbookError.leadsNowhere {
            return nil
        }
    }
}
