import LockbookCrypto
import LockbookModel

/// Files that the server had lost when this device went back with it.
///
/// They are pushed again as new ones. Where the owner of another tree did that first, and had moved
/// them out of what this account sees, the server has their ids and will not have them here.
extension LocalTree {
    func noteLost(_ files: [FileID]) throws {
        // Of an earlier time only what was not pushed yet.
        let open = try lost().filter { try row($0).map { $0.base == nil } ?? false }
        let all = open.union(files)
        try set(.lost, to: all.isEmpty ? nil : all.sorted().flatMap(\.bytes))
    }

    /// Those that have a place with the owner that this account does not see; and what is new and deleted
    /// already, whose id was used up by a copy of this device before the checkpoint that it went on from.
    /// - Parameter refused: what the server, which has nothing new to tell, will not have.
    func lostElsewhere(_ refused: [FileID: String]) throws -> Set<FileID> {
        guard isForeign, !refused.isEmpty else { return [] }
        let lost = try lost()
        return Set(
            try refused.keys.filter { id in
                guard let row = try row(id), row.base == nil else { return false }
                return lost.contains(id) || row.isDeleted
            }
        )
    }

    func lost() throws -> Set<FileID> {
        let bytes = try setting(.lost) ?? []
        let ids = stride(from: 0, to: bytes.count, by: 16).map {
            FileID(bytes[$0..<min($0 + 16, bytes.count)])
        }
        return Set(ids.compactMap { $0 })
    }
}
