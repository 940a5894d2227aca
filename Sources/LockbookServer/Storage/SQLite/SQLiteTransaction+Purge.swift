import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func children(of parent: FileID, in log: AccountKey) throws -> [FileID] {
        // Two questions, for each of which there is an index that holds nothing else.
        let deleted = try hot(
            """
            SELECT file FROM version
            WHERE log = ? AND parent = ? AND superseded IS NULL AND deleted = 1
            """
        )
        return try undeletedChildren(of: parent, in: log) + files(deleted, below: parent, in: log)
    }

    func undeletedChildren(of parent: FileID, in log: AccountKey) throws -> [FileID] {
        let live = try hot(
            """
            SELECT file FROM version
            WHERE log = ? AND parent = ? AND superseded IS NULL AND deleted = 0
            """
        )
        return try files(live, below: parent, in: log)
    }

    /// What a statement finds in a folder of a log; the root is its own parent, and none of these.
    private func files(_ find: HotStatement, below parent: FileID, in log: AccountKey) throws
        -> [FileID]
    {
        find.bind(log.row, at: 1)
        find.bind(parent.bytes, at: 2)
        defer { find.reset() }
        var files: [FileID] = []
        while try find.step() {
            guard let file = FileID(find.bytes(at: 0)) else { throw StoreFailure.damaged }
            if file != parent { files.append(file) }
        }
        return files
    }

    func purgedFile(_ id: FileID, in log: AccountKey) throws -> CurrentFile? {
        let find = try hot(
            """
            SELECT version.id, record.bytes FROM version JOIN record ON record.id = version.record
            WHERE log = ? AND file = ? AND deleted = 2
            ORDER BY position DESC LIMIT 1
            """
        )
        find.bind(log.row, at: 1)
        find.bind(id.bytes, at: 2)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let record = try FileRecord(find.bytes(at: 1))
        return CurrentFile(
            version: find.int(at: 0),
            facts: record.facts,
            keyCommitment: record.keyCommitment
        )
    }

    /// The records stay as long as the entries that list them; no content is left to be fetched,
    /// so the next collection takes the blobs.
    func purge(_ files: [FileID], at position: UInt64, in log: AccountKey) throws {
        guard !files.isEmpty else { return }
        let end = try hot(
            "UPDATE version SET superseded = ? WHERE log = ? AND file = ? AND superseded IS NULL"
        )
        end.bind(position.column, at: 1)
        end.bind(log.row, at: 2)
        // Staged at no time: who names it sends its bytes, and the next collection takes it.
        let letGo = try hot(
            """
            UPDATE blob SET at = 0 WHERE id IN
                (SELECT blob FROM version WHERE log = ? AND file = ? AND blob IS NOT NULL)
            """
        )
        letGo.bind(log.row, at: 1)
        let empty = try hot(
            "UPDATE version SET blob = NULL, deleted = 2 WHERE log = ? AND file = ?"
        )
        empty.bind(log.row, at: 1)
        for file in files {
            end.bind(file.bytes, at: 3)
            _ = try end.step()
            end.reset()
            letGo.bind(file.bytes, at: 2)
            _ = try letGo.step()
            letGo.reset()
            empty.bind(file.bytes, at: 2)
            _ = try empty.step()
            empty.reset()
        }
    }
}
