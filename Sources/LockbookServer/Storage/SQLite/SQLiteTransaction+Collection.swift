import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteStore {
    static let collectionTime = """
        -- By which time the last collection judged.
        ALTER TABLE collection ADD COLUMN at INTEGER;
        UPDATE collection SET at = (SELECT max(at) FROM entry);
        """
}

extension SQLiteTransaction {
    func collectionMark() throws -> Int64 {
        try Int64.fetchOne(statement("SELECT mark FROM collection")) ?? 0
    }

    func collectionTime() throws -> Int64? {
        try Int64.fetchOne(statement("SELECT at FROM collection"))
    }

    func note(collectionTime time: Int64) throws {
        try statement("UPDATE collection SET at = ?").execute(arguments: [time])
    }

    func collect(_ limits: CollectionLimits, of log: AccountKey) throws -> Collected {
        var collected = Collected()
        try statement("DELETE FROM checkpoint WHERE log = ? AND replaced < ?")
            .execute(arguments: [log.row, limits.replacedBefore])
        try collectGroups(of: log, limits, into: &collected)
        try mark(collected)
        return collected
    }

    /// What it looks through may be all that there is: nobody waits for that to write.
    func loose(_ limits: CollectionLimits, after last: LooseRows) throws -> LooseRows {
        let records = try unnamedRows(of: "record", after: last.lastRecord, limits)
        let blobs = try unnamedRows(of: "blob", after: last.lastBlob, limits)
        return LooseRows(
            records: records.rows.map { RecordKey(row: $0) },
            blobs: blobs.rows.map { BlobKey(row: $0) },
            lastRecord: records.last,
            lastBlob: blobs.last
        )
    }

    /// Rows of a table that no version names in the column of its name.
    private func unnamedRows(
        of table: StaticString,
        after last: Int64,
        _ limits: CollectionLimits
    ) throws -> (rows: [Int64], last: Int64) {
        let find = try database.cachedStatement(
            sql: """
                SELECT id FROM \(table) WHERE id > ? AND at < ?
                    AND NOT EXISTS (SELECT 1 FROM version WHERE version.\(table) = \(table).id)
                ORDER BY id LIMIT ?
                """
        )
        let rows = try Int64.fetchAll(find, arguments: [last, limits.stagedBefore, limits.batch])
        return (rows, rows.count == limits.batch ? rows.last ?? .max : .max)
    }

    func collect(_ loose: LooseRows, _ limits: CollectionLimits) throws -> Collected {
        var collected = Collected()
        let delete = try statement(
            """
            DELETE FROM record WHERE id = ? AND at < ?
                AND NOT EXISTS (SELECT 1 FROM version WHERE version.record = record.id)
            """
        )
        for record in loose.records {
            try delete.execute(arguments: [record.row, limits.stagedBefore])
            collected.rowCount += database.changesCount
        }
        for blob in loose.blobs { try collect(blob, limits, into: &collected) }
        try collectUploads(limits, into: &collected)
        try mark(collected)
        return collected
    }

    private func mark(_ collected: Collected) throws {
        guard collected.rowCount > 0 else { return }
        try database.execute(sql: "UPDATE collection SET mark = mark + 1")
    }

    /// The last position of which nothing is sent to any reader: older than the retention, and not behind
    /// the oldest checkpoint that somebody may start from.
    /// - Returns: nil where there is no such checkpoint.
    private func lastUnread(of log: AccountKey, _ limits: CollectionLimits) throws -> Int64? {
        let checkpoint = try Int64.fetchOne(
            statement("SELECT min(position) FROM checkpoint WHERE log = ?"),
            arguments: [log.row]
        )
        guard let checkpoint else { return nil }
        // Not from the beginning, where old entries add up: those whose groups are gone are older, unless
        // the retention is a longer one now.
        let kept = try Int64.fetchOne(
            statement(
                """
                SELECT position FROM entry WHERE log = ?1 AND at >= ?2 AND position >= ifnull(
                    (SELECT bodies_from FROM account
                        JOIN entry AS gone ON gone.log = ?1 AND gone.position = bodies_from - 1
                        WHERE id = ?1 AND gone.at < ?2),
                    0)
                ORDER BY position LIMIT 1
                """
            ),
            arguments: [log.row, limits.supersededBefore]
        )
        return min(checkpoint, kept.map { $0 - 1 } ?? checkpoint)
    }

    private func collectGroups(
        of log: AccountKey,
        _ limits: CollectionLimits,
        into collected: inout Collected
    ) throws {
        guard let last = try lastUnread(of: log, limits), last >= 0 else { return }
        // No more bytes than so many of 2 KiB have: one group may be 12 MiB, and all of it is read to go.
        try database.execute(
            sql: """
                DELETE FROM entry_group WHERE id IN (
                    SELECT id FROM (
                        SELECT id, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) - bytes AS before
                        FROM (SELECT id, length(bytes) AS bytes FROM entry_group
                            WHERE log = ? AND position <= ? LIMIT ?)
                    ) WHERE before < ?
                )
                """,
            arguments: [log.row, last, limits.batch, limits.batch * 2_048]
        )
        collected.rowCount += database.changesCount
        if database.changesCount > 0 { collected.more = true }
        // Before the batches are through too: what is half gone must not be served.
        try database.execute(
            sql: "UPDATE account SET bodies_from = ?1 WHERE id = ?2 AND bodies_from < ?1",
            arguments: [last + 1, log.row]
        )
    }

    private static var isOld: String { "superseded <= ?2" }

    /// The newest versions of what is not deleted stay, so that a note of which nobody changed
    /// anything for years still has a history.
    func oldVersions(_ limits: CollectionLimits, of log: AccountKey) throws -> OldVersions {
        let groupsFrom = try Int64.fetchOne(
            statement("SELECT bodies_from FROM live_account WHERE id = ?"),
            arguments: [log.row]
        )
        // Entries of which the groups are kept need the records that they list.
        guard let groupsFrom, let unread = try lastUnread(of: log, limits) else {
            return OldVersions()
        }
        let last = min(unread, groupsFrom - 1)
        // Few files have more than are kept, which an index alone tells. Of newer ones no more are looked at
        // than that: there may be tens of thousands of one file.
        let find = try database.cachedStatement(
            sql: """
                SELECT id FROM version AS old WHERE log = ?1 AND \(Self.isOld) AND (
                    ?3 = 0 OR deleted = 2
                    OR file IN (SELECT file FROM version
                        WHERE log = ?1 AND superseded IS NULL AND deleted = 1)
                    OR file IN (SELECT file FROM version
                        WHERE log = ?1 GROUP BY file HAVING count(*) > ?3)
                        AND (SELECT newer.position FROM version AS newer WHERE newer.log = ?1
                            AND newer.file = old.file AND newer.position > old.position
                            ORDER BY newer.position LIMIT 1 OFFSET ?3 - 1) IS NOT NULL)
                LIMIT ?4
                """
        )
        let most = limits.batch * 50
        let rows = try Int64.fetchAll(find, arguments: [log.row, last, limits.keptVersions, most])
        return OldVersions(rows: rows, last: last, more: rows.count == most)
    }

    func collect(_ versions: OldVersions, of log: AccountKey) throws -> Collected {
        var collected = Collected()
        // A number of a row that went meanwhile may be another one's by now.
        let delete = try database.cachedStatement(
            sql: "DELETE FROM version WHERE log = ?1 AND \(Self.isOld) AND id = ?3"
        )
        for row in versions.rows {
            try delete.execute(arguments: [log.row, versions.last, row])
            collected.rowCount += database.changesCount
        }
        try mark(collected)
        return collected
    }

    private func collect(
        _ blob: BlobKey,
        _ limits: CollectionLimits,
        into collected: inout Collected
    ) throws {
        let row = try Row.fetchOne(
            statement(
                """
                SELECT name, account.account, bytes IS NULL
                FROM blob JOIN account ON account.id = blob.owner
                WHERE blob.id = ? AND at < ?
                    AND NOT EXISTS (SELECT 1 FROM version WHERE version.blob = blob.id)
                """
            ),
            arguments: [blob.row, limits.stagedBefore]
        )
        guard let row else { return }
        guard let name = Hash256(row[0] as Data), let owner = Hash256(row[1] as Data) else {
            collected.damaged.append("blob \(blob.row)")
            return
        }
        try statement("DELETE FROM blob WHERE id = ?").execute(arguments: [blob.row])
        collected.rowCount += 1
        guard row[2] as Bool else { return }
        collected.files.append((AccountID(hash: owner), BlobName(hash: name)))
    }

    private func collectUploads(_ limits: CollectionLimits, into collected: inout Collected) throws
    {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT owner, name, account.account
                FROM upload JOIN account ON account.id = upload.owner WHERE at < ? LIMIT ?
                """,
            arguments: [limits.stagedBefore, limits.contentBatch]
        )
        var count = 0
        for row in rows {
            let key = AccountKey(row: row[0])
            guard let name = Hash256(row[1] as Data), let owner = Hash256(row[2] as Data) else {
                collected.damaged.append("upload of account \(key.row)")
                continue
            }
            try deleteUpload(BlobName(hash: name), of: key)
            collected.uploads.append((AccountID(hash: owner), key, BlobName(hash: name)))
            count += 1
        }
        collected.rowCount += count
        if rows.count == limits.contentBatch, count > 0 { collected.more = true }
    }
}
