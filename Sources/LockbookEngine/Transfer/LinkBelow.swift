import LockbookModel

/// A link below what is exported.
struct LinkBelow {
    let link: ShareLink
    /// Its steps from what is exported.
    let steps: [String]
    /// Where it leads; nil where that is not here, or does not open.
    let place: SharedPlace?
    /// Of what it leads to; nil where that is not known.
    let type: FileType?
    /// What it leads to was these files of the owners that it had before.
    var former: [LinkTarget] = []
    /// Why nothing can be read of what is here of the owner's.
    var obstacle: String?

    /// What it leads to, as the file that this is and was.
    var files: [ExportedID] {
        ([link.target] + former).map { ExportedID($0.file, of: $0.owner) }
    }

    /// What is said where it leads to what is not here, or does not open.
    var problem: TransferReport.Problem {
        TransferReport.Problem(
            path: link.path,
            reason: "what its link leads to " + (obstacle ?? "is not here")
        )
    }
}

/// Where earlier exports may have put what links lead to that cannot be had: where these stand now,
/// and where they stood then.
///
/// The disk may have the only copy that this device can reach.
struct LinksBelow {
    private var folders = PathTops()
    private var documents: PathSet = []

    /// What is not here does not say what it was to an owner that it had when it was exported.
    ///
    /// So all that links once led to stays then, and all that was given away, unless that is known to be
    /// something else. Of what an earlier program remembered without its owner nothing is known.
    /// - Parameters:
    ///   - links: all that are below what is exported, by where they stand.
    ///   - unread: where those stand that lead to what is here, and does not open.
    ///   - given: own files that were given to others.
    init(
        _ links: PathMap<LinkBelow>,
        unread: PathSet,
        given: [ExportedID],
        in memory: ExportMemory
    ) {
        let shut = links.filter { links[$0]?.place == nil || unread.contains($0) }
        guard !shut.isEmpty else { return }
        var folders: PathSet = []
        for (path, link) in shut {
            if link.type != .document { folders.insert(path) }
            if link.type != .folder { documents.insert(path) }
        }
        let isMissing = shut.values.contains { $0.place == nil }
        let files = Set(shut.values.flatMap(\.files))
        let others = Set(links.values.filter { $0.place != nil }.flatMap(\.files))
        func mayBeBehind(_ id: ExportedID) -> Bool {
            id.owner == nil || files.contains(id) || isMissing && !others.contains(id)
        }
        for folder in memory.folders.values {
            for child in folder.linked where mayBeBehind(child.id) {
                folders.insert(folder.subpath(of: child.name))
                documents.insert(folder.subpath(of: child.name))
            }
            if isMissing, given.contains(where: folder.id.isSame(as:)), mayBeBehind(folder.id) {
                folders.insert(folder.path)
            }
        }
        self.folders = PathTops(folders)
    }

    /// Whether a folder is, or is in, what may be behind one of them.
    func have(folder path: String) -> Bool { folders.above(path) != nil }

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
        let known: (other: Lockbook, type: FileType)?
        do {
            known = try shares.shared(by: link.target.owner).flatMap { other in
                let type = try other.store.read { try $0.row(link.target.file)?.type }
                return type.map { (other, $0) }
            }
        } catch LockbookError.damagedStore(let directory) {
            // All else is wanted out of here all the more.
            let obstacle = "does not open: the database in \(directory) is damaged"
            self.init(link: link, steps: steps, place: nil, type: nil, obstacle: obstacle)
            return
        }
        guard let (other, type) = known else {
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
    fileprivate func former(of target: LinkTarget) throws -> [LinkTarget] {
        try row(target.file).map { try sources(of: $0).map(\.offer.source) } ?? []
    }
}
