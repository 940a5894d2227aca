import LockbookCrypto
import LockbookModel

/// Files that are new here, although the server may have had them before.
///
/// It had lost them when this device went back with it, or they may have been pushed before a
/// checkpoint that this device went on from. They are pushed again as new ones. Where the owner of another tree has moved them out of what this
/// account sees, the server has their ids and will not have them here.
extension LocalTree {
    func noteLost(_ files: [FileID]) throws {
        // Of an earlier time only what was not pushed yet.
        let open = try lost().filter { try row($0).map { $0.base == nil } ?? false }
        try set(.lost, ids: open.union(files))
    }

    /// Notes what is new here when a checkpoint was merged.
    ///
    /// A copy of this data folder may have pushed it, or an entry of which no answer came, and its owner
    /// may have taken it away since: a checkpoint does not say so.
    func noteNewAtCheckpoint() throws {
        guard isForeign else { return }
        try noteLost(changedRows().filter { $0.base == nil }.map(\.id))
    }

    /// Those that have a place with the owner that this account does not see; and what is new and deleted
    /// already, whose id was used up by a copy of this device before the checkpoint that it went on from.
    /// - Parameter unfit: what the server, which has nothing new to tell, will not have as it is.
    func lostElsewhere(_ unfit: Set<FileID>) throws -> Set<FileID> {
        guard isForeign, !unfit.isEmpty else { return [] }
        let lost = try lost()
        return try unfit.filter { id in
            guard let row = try row(id), row.base == nil else { return false }
            return lost.contains(id) || row.isDeleted
        }
    }

    func lost() throws -> Set<FileID> { try ids(.lost) }
}
