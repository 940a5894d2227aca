import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func collectionMark() throws -> Int64 {
        try Int64.fetchOne(statement("SELECT mark FROM collection")) ?? 0
    }

    func collect(_ limits: CollectionLimits, of log: AccountKey) throws -> Collected {
        var collected = Collected()
        try statement("DELETE FROM checkpoint WHERE log = ? AND replaced < ?")
            .execute(arguments: [log.row, limits.replacedBefore])
        try collectBodies(of: log.row, limits, into: &collected)
        try mark(collected)
        return collected
    }

    /// What it looks through may be all that there is: nobody waits for that to write.
    func loose(_ limits: CollectionLimits, after last: LooseRows) throws -> LooseRows {
        let records = try Int64.fetchAll(
            statement(
                """
                SELECT id FROM record WHERE id > ? AND at < ?
                    AND NOT EXISTS (SELECT 1 FROM version WHERE version.record = record.id)
                ORDER BY id LIMIT ?
                """
            ),
            arguments: [last.lastRecord, limits.stagedBefore, limits.batch]
        )
        let blobs = try Int64.fetchAll(
            statement(
                """
                SELECT id FROM blob WHERE id > ? AND at < ?
                    AND NOT EXISTS (SELECT 1 FROM version WHERE version.blob = blob.id)
                ORDER BY id LIMIT ?
                """
            ),
            arguments: [last.lastBlob, limits.stagedBefore, limits.batch]
        )
        func end(of rows: [Int64]) -> Int64 {
            rows.count == limits.batch ? rows.last ?? .max : .max
        }
        return LooseRows(
            records: records.map { RecordKey(row: $0) },
            blobs: blobs.map { BlobKey(row: $0) },
            lastRecord: end(of: records),
            lastBlob: end(of: blobs)
        )
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

    /// Deletes groups and superseded versions that no reader is sent any more: older than the
    /// retention, and behind the oldest checkpoint that somebody may start from.
    private func collectBodies(
        of log: Int64,
        _ limits: CollectionLimits,
        into collected: inout Collected
    ) throws {
        let checkpoint = try Int64.fetchOne(
            database,
            sql: "SELECT min(position) FROM checkpoint WHERE log = ?",
            arguments: [log]
        )
        guard let checkpoint else { return }
        let kept = try Int64.fetchOne(
            database,
            sql: "SELECT min(position) FROM entry WHERE log = ? AND at >= ?",
            arguments: [log, limits.supersededBefore]
        )
        let last = min(checkpoint, kept.map { $0 - 1 } ?? checkpoint)
        guard last >= 0 else { return }
        try delete(
            "entry_group",
            where: "log = ? AND position <= ?",
            [log, last],
            limits,
            &collected
        )
        try collectVersions(of: log, upTo: last, limits, into: &collected)
        // Before the batches are through too: what is half gone must not be served.
        try database.execute(
            sql: "UPDATE account SET bodies_from = ?1 WHERE id = ?2 AND bodies_from < ?1",
            arguments: [last + 1, log]
        )
    }

    /// The newest versions of what is not deleted stay, so that a note of which nobody changed
    /// anything for years still has a history.
    private func collectVersions(
        of log: Int64,
        upTo last: Int64,
        _ limits: CollectionLimits,
        into collected: inout Collected
    ) throws {
        func drop(where condition: StaticString, _ arguments: [Int64]) throws {
            try delete("version", where: condition, arguments, limits, &collected)
        }
        guard limits.keptVersions > 0 else {
            return try drop(where: "log = ? AND superseded <= ?", [log, last])
        }
        try drop(where: "log = ? AND superseded <= ? AND deleted = 2", [log, last])
        try drop(
            where: """
                log = ?1 AND superseded <= ?2 AND file IN
                    (SELECT file FROM version WHERE log = ?1 AND superseded IS NULL AND deleted = 1)
                """,
            [log, last]
        )
        // From an index alone: few files have so many.
        try drop(
            where: """
                log = ?1 AND superseded <= ?2 AND file IN
                    (SELECT file FROM version WHERE log = ?1 GROUP BY file HAVING count(*) > ?3)
                    AND (SELECT count(*) FROM version AS newer WHERE newer.log = ?1
                        AND newer.file = version.file AND newer.position > version.position) >= ?3
                """,
            [log, last, Int64(limits.keptVersions)]
        )
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
        try statement("DELETE FROM blob WHERE id = ?").execute(arguments: [blob.row])
        collected.rowCount += 1
        guard row[2] as Bool else { return }
        let name = BlobName(hash: try Hash256(column: row[0]))
        collected.files.append((AccountID(hash: try Hash256(column: row[1])), name))
    }

    private func collectUploads(_ limits: CollectionLimits, into collected: inout Collected) throws
    {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT owner, name, account.account
                FROM upload JOIN account ON account.id = upload.owner WHERE at < ? LIMIT ?
                """,
            arguments: [limits.stagedBefore, limits.batch]
        )
        for row in rows {
            let name = BlobName(hash: try Hash256(column: row[1]))
            let key = AccountKey(row: row[0])
            try deleteUpload(name, of: key)
            collected.uploads.append((AccountID(hash: try Hash256(column: row[2])), key, name))
        }
        collected.rowCount += rows.count
        if rows.count == limits.batch { collected.more = true }
    }

    private func delete(
        _ table: StaticString,
        where condition: StaticString,
        _ arguments: [Int64],
        _ limits: CollectionLimits,
        _ collected: inout Collected
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM \(table) WHERE id IN
                    (SELECT id FROM \(table) WHERE \(condition) LIMIT \(limits.batch))
                """,
            arguments: StatementArguments(arguments)
        )
        collected.rowCount += database.changesCount
        if database.changesCount == limits.batch { collected.more = true }
    }
}
