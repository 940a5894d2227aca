import LockbookModel

/// Files and where they are to go, each in the tree that it stands in.
struct TreeEnds {
    /// Each file once.
    let sources: [SharedPlace]
    /// How many were named.
    let count: Int
    let target: SharedPlace
    /// Whether it is one source, and that a folder.
    let isFolder: Bool

    /// Where something is to be made comes first.
    var stores: [LocalStore] {
        LocalStore.each([target.lockbook.store] + sources.map(\.lockbook.store))
    }

    /// Where the sources go.
    /// - Parameter tree: that of the target.
    func place(in tree: LocalTree) throws -> (folder: FileRow, name: FileName?) {
        try target.naming {
            try tree.place(for: target.reference.text, of: count, isFolder: isFolder)
        }
    }
}

extension LocalStore {
    /// Each of these stores once, by its directory.
    static func each(_ stores: [LocalStore]) -> [LocalStore] {
        var seen: Set<String> = []
        return stores.filter { seen.insert($0.directory).inserted }
    }
}

extension SharedPlace {
    /// The name that a file is called by when it goes elsewhere.
    func name(of row: FileRow, in tree: LocalTree) throws -> FileName {
        // What is shared stands in its store by its id.
        try tree.isForeign && row.parent == tree.root
            ? tree.ownersName(of: row) : tree.name(of: row)
    }

    /// What is there.
    func file() throws -> LinkTarget {
        let store = lockbook.store
        let id = try naming { try store.read { try $0.find(reference).id } }
        return LinkTarget(owner: store.context.owner, file: id)
    }

    /// Whether it is a folder, or a link, which may lead to one.
    func isFolder() throws -> Bool {
        try naming { try lockbook.store.read { try $0.find(reference).type != .document } }
    }

    /// Does something there; what goes wrong is told with the paths that the user has.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as LockbookError { throw error.renamed(own) }
    }
}

extension Lockbook {
    /// Finds files and where they are to go, in this account's tree or behind its links.
    func ends(of sources: [FileReference], _ destination: String) throws -> TreeEnds {
        let end = FileReference(destination)
        var taken: Set<LinkTarget> = []
        let shares = OpenShares(of: self)
        let places = try sources.map { try place(of: $0, in: shares) }.filter {
            taken.insert(try $0.file()).inserted
        }
        let isFolder = try sources.count == 1 && places.allSatisfy { try $0.isFolder() }
        return TreeEnds(
            sources: places,
            count: sources.count,
            target: try across(end, in: shares) {
                _ = try store.read { try $0.place(for: destination, isFolder: isFolder) }
                return SharedPlace(lockbook: self, reference: end)
            } there: {
                $0
            },
            isFolder: isFolder
        )
    }

    /// A file in the tree that it stands in.
    func place(of reference: FileReference, in shares: OpenShares) throws -> SharedPlace {
        try across(reference, in: shares) {
            _ = try store.read { try $0.find(reference) }
            return SharedPlace(lockbook: self, reference: reference)
        } there: { place in
            _ = try place.lockbook.store.read { try $0.find(place.reference) }
            return place
        }
    }
}
