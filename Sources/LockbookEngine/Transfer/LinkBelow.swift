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
    /// What it leads to was these files of the owners that it had before.
    var former: [FileID] = []

    /// The steps to the folder that it stands in.
    var folder: [String] { steps.dropLast() }

    /// What it leads to, under the ids that this has and had.
    var files: [FileID] { [link.target.file] + former }

    /// What is said where it leads to what is not here.
    var problem: TransferReport.Problem {
        TransferReport.Problem(path: link.path, reason: "what its link leads to is not here")
    }
}

/// Where earlier exports may have put what links lead to that cannot be had: where these stand now,
/// and where they stood then.
///
/// The disk may have the only copy that this device can reach.
struct LinksBelow {
    private var folders: PathSet = []
    private var documents: PathSet = []

    init() {}

    /// What is not here does not say what it was to an owner that it had when it was exported.
    ///
    /// So all that links once led to stays, unless that is known to be something else.
    /// - Parameter links: all that are below what is exported, also those to what is here.
    /// - Parameter given: own files that were given to others.
    init(notHere links: [LinkBelow], given: [FileID], in memory: ExportMemory) {
        let missing = links.filter { $0.place == nil }
        guard !missing.isEmpty else { return }
        // An owner may have chosen an id that is another's, too.
        let others = Set(links.filter { $0.place != nil }.flatMap(\.files))
            .subtracting(missing.map(\.link.target.file))
        add(missing, in: memory) { !others.contains($0) }
        let given = Set(given).subtracting(others)
        for folder in memory.folders.values where given.contains(folder.id) {
            folders.insert(folder.path)
        }
    }

    /// Adds links to what is here, and does not open.
    mutating func add(_ links: [LinkBelow], in memory: ExportMemory) {
        let files = Set(links.flatMap(\.files))
        add(links, in: memory) { files.contains($0) }
    }

    /// - Parameter isBehind: whether one of the links led to a file.
    private mutating func add(
        _ links: [LinkBelow],
        in memory: ExportMemory,
        _ isBehind: (FileID) -> Bool
    ) {
        guard !links.isEmpty else { return }
        for link in links {
            let path = link.steps.joined(separator: "/")
            if link.type != .document { folders.insert(path) }
            if link.type != .folder { documents.insert(path) }
        }
        for folder in memory.folders.values {
            for child in folder.linked where isBehind(child.id) {
                folders.insert(folder.subpath(of: child.name))
                documents.insert(folder.subpath(of: child.name))
            }
        }
    }

    /// Whether a folder is, or is in, what may be behind one of them.
    func have(folder path: String) -> Bool {
        guard !folders.isEmpty else { return false }
        let steps = path.steps
        return steps.indices.contains { folders.contains(steps[...$0].joined(separator: "/")) }
    }

    func have(document path: String) -> Bool { documents.contains(path) }
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
        let shares = OpenShares(of: self)
        let inward = try inwardLinks(below: reference, in: shares)
        return try links.filter { $0.path.isBelow(above) && !inward.contains($0.path) }
            .compactMap { try LinkBelow($0, $0.path.behind(above).steps, in: shares) }
    }
}

extension LinkBelow {
    /// - Returns: nil where its owner deleted what it leads to.
    fileprivate init?(_ link: ShareLink, _ steps: [String], in shares: OpenShares) throws {
        guard let other = try shares.shared(by: link.target.owner),
            let type = try other.store.read({ try $0.row(link.target.file)?.type })
        else {
            self.init(link: link, steps: steps, place: nil, type: nil)
            return
        }
        do {
            let place = try shares.place(behind: link.target, link: link.path)
            let former = try other.store.read { try $0.former(of: link.target) }
            self.init(link: link, steps: steps, place: place, type: type, former: former)
        } catch LockbookError.leadsNowhere {
            return nil
        }
    }
}

extension LocalTree {
    /// What a file of this tree was to the owners that it had before.
    fileprivate func former(of target: LinkTarget) throws -> [FileID] {
        guard let row = try row(target.file), let mark = try openMark(of: row) else { return [] }
        return mark.sources(of: target).map(\.offer.source.file)
    }
}
