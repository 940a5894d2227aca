import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func versions(of files: [FileID], in log: AccountKey, before: UInt64, limit: Int) throws
        -> (versions: [StoredVersion], hasMore: Bool)
    {
        // First where they are, from an index alone: a folder may have thousands of files.
        let find = try hot(
            """
            SELECT position FROM version
            WHERE log = ? AND file = ? AND position < ? AND position >= ?
            ORDER BY position DESC LIMIT ?
            """
        )
        find.bind(log.row, at: 1)
        find.bind(before.column, at: 3)
        let most = limit + 1
        find.bind(Int64(most), at: 5)
        var places: [(position: Int64, file: FileID)] = []
        var oldest: Int64 = 0
        for file in files {
            find.bind(file.bytes, at: 2)
            find.bind(oldest, at: 4)
            defer { find.reset() }
            while try find.step() { places.append((find.int(at: 0), file)) }
            // Of what is not among the newest nothing is held, however many files are asked for.
            guard places.count > 4 * most else { continue }
            places.sort { ($0.position, $0.file) > ($1.position, $1.file) }
            places.removeSubrange(most...)
            oldest = places[limit].position
        }
        places.sort { ($0.position, $0.file) > ($1.position, $1.file) }
        let end = min(limit, places.count)
        let read = try hot(
            """
            SELECT record.bytes FROM version JOIN record ON record.id = version.record
            WHERE log = ? AND file = ? AND position = ?
            """
        )
        read.bind(log.row, at: 1)
        let versions = try places.prefix(end).map { place in
            read.bind(place.file.bytes, at: 2)
            read.bind(place.position, at: 3)
            defer { read.reset() }
            guard try read.step() else { throw StoreFailure.damaged }
            return StoredVersion(
                position: try UInt64(column: place.position),
                bytes: read.bytes(at: 0)
            )
        }
        return (versions, end < places.count)
    }
}
