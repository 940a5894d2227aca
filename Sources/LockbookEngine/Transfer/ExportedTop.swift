import LockbookCrypto
import LockbookModel

extension ExportMemory {
    /// Takes all that exports of one folder wrote for what exports of another wrote, which has its
    /// place in the lockbook now.
    /// - Returns: what has to be put down for that.
    mutating func takeOver(from former: ExportedID, by source: ExportedID) -> [ExportedFolder] {
        var taken: [ExportedFolder] = []
        for var folder in folders.values where folder.source.isSame(as: former) {
            folder.source = source
            if folder.path.isEmpty {
                folder.id = source
                folder.directory = []
            }
            folders[folder.path] = folder
            encoded[folder.path] = folder.encoded()
            taken.append(folder)
        }
        return taken
    }
}

extension LocalTree {
    /// No folder on disk has this name.
    private static let top = "\0top"

    /// Notes where in the lockbook the folder stood that is copied to a place on disk.
    func rememberTop(_ top: ExportTop, at identity: [UInt8]) throws {
        try putExportNote(Array(top.path.utf8), Self.top, at: identity)
    }

    /// Whether a place on disk is the copy of a folder that stood where this one stands in the
    /// lockbook: of this one, or of one that was deleted, or moved away, and was made anew.
    func isCopy(of top: ExportTop, at identity: [UInt8]) throws -> Bool {
        try exportNote(Self.top, at: identity) == Array(top.path.utf8)
    }
}
