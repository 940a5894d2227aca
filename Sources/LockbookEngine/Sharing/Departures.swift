import LockbookCrypto
import LockbookModel

/// Files that leave a share with the next push, and shared ones that come into another one or out of
/// one: they and all below them get new keys, and the scopes that they leave are told.
struct Departures {
    /// Records of what goes, as the server knows it but for its new place.
    var records: [FileRecord] = []
    /// By the scope that is left.
    var left: [FileID: [FileID]] = [:]
    /// What goes first, among the records, by a name that is free: new folders that something goes into,
    /// and what was moved out of what goes.
    var ahead: Set<FileID> = []
    /// The new keys of the scopes among them.
    var keys: [FileID: (key: FileKey, epoch: UInt32)] = [:]
    /// Folders, and what goes, as they are after the entry.
    var facts: [FileID: FileFacts] = [:]
    var notes: [SyncReport.Note] = []
    /// What is pushed only after them; nil where nothing goes.
    var wait: DepartureWait?
}

/// What stays back until departures have their new keys: they and all below them, and what wants the
/// place of such a thing.
struct DepartureWait {
    /// Where files stand for the server.
    let server: BaseFacts
    /// Everything that is another scope's here than at the server, or stands in another one.
    var crossing: Set<FileID> { didSet { above = waiting() } }
    /// What stays in its place at the server until they went, as it wants the place of one of them.
    var names: Set<FileID> {
        get { heldNames }
        set {
            heldNames = newValue
            above = waiting()
        }
    }
    private var heldNames: Set<FileID> = []
    /// Finds what of both is above a file.
    private var above: FilesAbove

    init(server: BaseFacts, crossing: Set<FileID>) {
        self.server = server
        self.crossing = crossing
        above = server.tree.filesAbove(where: crossing.contains)
    }

    private func waiting() -> FilesAbove {
        let (crossing, names) = (crossing, names)
        return server.tree.filesAbove { crossing.contains($0) || names.contains($0) }
    }

    /// Adds one that does not wait yet to what stays in its place.
    ///
    /// What is known of all others stays known: to find that out again for each of such names would
    /// take the depth of the tree as often.
    mutating func hold(_ file: FileID) {
        // Another plan may ask for what waits without it.
        if isKnownUniquelyReferenced(&above) {
            heldNames.insert(file)
            above.include(file)
        } else {
            names.insert(file)
        }
    }

    /// Whether a change has to wait, for itself or for a folder above it.
    func covers(_ row: FileRow) throws -> Bool { try above.nearest(from: row.id) != nil }

    /// Whether the server has something else at a place, which leaves it only after these departures.
    func holds(_ place: FileFacts) throws -> Bool {
        guard !place.isDeleted,
            let id = try server.undeletedChild(of: place.parent, tagged: place.nameTag),
            id != place.id, let row = try server.tree.row(id)
        else { return false }
        return try covers(row)
    }
}

extension LocalTree {
    /// Looks for what was moved out of shares here, and with what is shared by itself also into them.
    ///
    /// The rows stay as they are until the entry is in the log: what was changed besides is sealed
    /// for the new keys then, and pushed.
    /// - Parameter refused: what the server will not have, and why.
    func departures(without refused: [FileID: String] = [:]) throws -> Departures {
        guard try !isForeign && isShared(),
            let plan = try DeparturePlan(tree: self, refused: refused)
        else { return Departures() }
        return try plan.departures()
    }
}
