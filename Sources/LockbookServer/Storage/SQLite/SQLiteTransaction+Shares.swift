import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteStore {
    static let shares = """
        CREATE TABLE share_grant (
            id INTEGER PRIMARY KEY,
            log INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            superseded INTEGER,
            mode INTEGER NOT NULL,
            file BLOB NOT NULL,
            grantee BLOB NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX share_grant_file ON share_grant (log, file, grantee, position);
        CREATE INDEX share_grant_grantee ON share_grant (grantee, log);
        CREATE INDEX share_grant_position ON share_grant (log, position);
        """

    /// Of a grant that took the place of others these stay for good, and there may be any number of them.
    static let heldGrants = """
        CREATE INDEX share_grant_held ON share_grant (log, file, grantee, mode)
            WHERE superseded IS NULL;
        CREATE INDEX share_grant_offered ON share_grant (grantee, log, mode)
            WHERE superseded IS NULL;
        """
}

extension SQLiteTransaction {
    func isShared(_ log: AccountKey) throws -> Bool {
        try firstGrant(in: log) != nil
    }

    func firstGrant(in log: AccountKey) throws -> UInt64? {
        let find = try statement("SELECT min(position) FROM share_grant WHERE log = ?")
        return try Int64.fetchOne(find, arguments: [log.row]).map { try UInt64(column: $0) }
    }

    func grants(of file: FileID, in log: AccountKey) throws -> [Grant] {
        let find = try statement(
            "SELECT bytes FROM share_grant WHERE log = ? AND file = ? AND superseded IS NULL"
        )
        return try Data.fetchAll(find, arguments: [log.row, file.data]).map { try Grant(Array($0)) }
    }

    func grants(in log: AccountKey, at position: UInt64) throws -> [Grant] {
        let find = try statement(
            """
            SELECT bytes FROM share_grant
            WHERE log = ?1 AND position <= ?2 AND (superseded IS NULL OR superseded > ?2)
            """
        )
        return try Data.fetchAll(find, arguments: [log.row, position.column])
            .map { try Grant(Array($0)) }
    }

    func mode(of account: AccountID, on file: FileID, in log: AccountKey) throws -> ShareMode {
        // The last one is the one that holds, however many it took the place of.
        let find = try statement(
            """
            SELECT mode FROM share_grant WHERE log = ? AND file = ? AND grantee = ?
            ORDER BY position DESC LIMIT 1
            """
        )
        let found = try Int.fetchOne(find, arguments: [log.row, file.data, account.hash.data])
        guard let mode = ShareMode(rawValue: UInt8(clamping: found ?? 0)) else {
            throw StoreFailure.damaged
        }
        return mode
    }

    func memberships(of account: AccountID, in log: AccountKey) throws -> [StoredMembership] {
        // By the index of positions those of everybody else would be looked through.
        let find = try statement(
            """
            SELECT file, mode, position, superseded FROM share_grant
            INDEXED BY share_grant_grantee
            WHERE grantee = ? AND log = ? ORDER BY position
            """
        )
        return try Row.fetchAll(find, arguments: [account.hash.data, log.row]).map { row in
            guard let mode = ShareMode(rawValue: UInt8(clamping: row[1] as Int)) else {
                throw StoreFailure.damaged
            }
            return StoredMembership(
                file: try FileID(column: row[0]),
                mode: mode,
                position: try UInt64(column: row[2]),
                superseded: try (row[3] as Int64?).map { try UInt64(column: $0) }
            )
        }
    }

    func sharedFiles(in log: AccountKey) throws -> [FileID] {
        let find = try statement(
            """
            SELECT DISTINCT file FROM share_grant
            WHERE log = ? AND superseded IS NULL AND mode > 0 ORDER BY file
            """
        )
        return try Data.fetchAll(find, arguments: [log.row]).map { try FileID(column: $0) }
    }

    func surrounding(of scope: FileID, after position: UInt64, in log: AccountKey) throws
        -> StoredSurrounding
    {
        // As the folder was then: both may be gone since. A folder that comes into another scope
        // takes a record of each shared file in it along. So where a checkpoint took the place of
        // that version of the folder, the first that is left says the same.
        let find = try statement(
            """
            SELECT position, superseded, coalesce(
                (SELECT folder.scope FROM version AS folder
                    WHERE folder.log = file.log AND folder.file = file.parent
                        AND folder.position <= file.position
                    ORDER BY folder.position DESC LIMIT 1),
                (SELECT folder.scope FROM version AS folder
                    WHERE folder.log = file.log AND folder.file = file.parent
                    ORDER BY folder.position LIMIT 1)
            ) FROM version AS file
            WHERE file.log = ? AND file.file = ? AND file.position <= ?
                AND file.scope = file.file AND file.parent <> file.file
            ORDER BY file.position DESC LIMIT 1
            """
        )
        let found = try Row.fetchOne(
            find,
            arguments: [log.row, scope.data, Int64(clamping: position)]
        )
        guard let found else {
            return StoredSurrounding(scope: nil, positions: position...position)
        }
        let first = try UInt64(column: found[0])
        let end = try (found[1] as Int64?).map { try UInt64(column: $0) }
        return StoredSurrounding(
            scope: try (found[2] as Data?).map { try FileID(column: $0) },
            positions: first...max(first, end.map { $0 - 1 } ?? UInt64(Int64.max))
        )
    }

    func logs(sharedWith account: AccountID) throws -> [AccountKey] {
        let find = try statement(
            """
            SELECT DISTINCT log FROM share_grant
            WHERE grantee = ? AND superseded IS NULL AND mode > 0 ORDER BY log
            """
        )
        return try Int64.fetchAll(find, arguments: [account.hash.data]).map { AccountKey(row: $0) }
    }

    func memberCount(of file: FileID, in log: AccountKey) throws -> Int {
        let find = try statement(
            """
            SELECT count(*) FROM share_grant
            WHERE log = ? AND file = ? AND superseded IS NULL AND mode > 0
            """
        )
        return try Int.fetchOne(find, arguments: [log.row, file.data]) ?? 0
    }

    func grantCount(to account: AccountID, in log: AccountKey) throws -> Int {
        let find = try statement(
            """
            SELECT count(*) FROM share_grant
            WHERE grantee = ? AND log = ? AND superseded IS NULL AND mode > 0
            """
        )
        return try Int.fetchOne(find, arguments: [account.hash.data, log.row]) ?? 0
    }

    func scopes(naming blob: BlobKey) throws -> [FileID] {
        let find = try hot("SELECT DISTINCT scope FROM version WHERE blob = ?")
        find.bind(blob.row, at: 1)
        defer { find.reset() }
        var scopes: [FileID] = []
        while try find.step() {
            guard let scope = FileID(find.bytes(at: 0)) else { throw StoreFailure.damaged }
            scopes.append(scope)
        }
        return scopes
    }

    func apply(_ grants: [Grant], at position: UInt64, to log: AccountKey) throws {
        for grant in grants {
            let grantee = AccountID(grant.grantee).hash.data
            try statement(
                """
                UPDATE share_grant SET superseded = ?
                WHERE log = ? AND file = ? AND grantee = ? AND superseded IS NULL
                """
            ).execute(arguments: [position.column, log.row, grant.file.data, grantee])
            try statement(
                """
                INSERT INTO share_grant (log, position, mode, file, grantee, bytes)
                VALUES (?, ?, ?, ?, ?, ?)
                """
            ).execute(arguments: [
                log.row, position.column, Int64(grant.mode.rawValue), grant.file.data, grantee,
                Data(grant.bytes),
            ])
        }
    }
}
