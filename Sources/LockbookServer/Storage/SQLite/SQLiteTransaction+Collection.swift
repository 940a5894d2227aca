import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func collectionMark() throws -> Int64 {
        try Int64.fetchOne(statement("SELECT mark FROM collection")) ?? 0
    }

    func collect(_ limits: CollectionLimits) throws -> Collected {
        var collected = Collected()
        try database.execute(
            sql: "DELETE FROM checkpoint WHERE replaced < ?",
            arguments: [limits.replacedBefore]
        )
        for account in try accounts() {
            try collectBodies(of: account, limits, into: &collected)
        }
        try collectRecords(limits, into: &collected)
        try collectBlobs(limits, into: &collected)
        try collectUploads(limits, into: &collected)
        if collected.rowCount > 0 {
            try database.execute(sql: "UPDATE collection SET mark = mark + 1")
        }
        return collected
    }

    /// Deletes groups and superseded versions that no reader is sent any more: older than the
    /// retention, and behind the oldest checkpoint that somebody may start from.
    private func collectBodies(
        of account: StoredAccount,
        _ limits: CollectionLimits,
        into collected: inout Collected
    ) throws {
        let log = account.key.row
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
            sql: "UPDATE account SET bodies_from = max(bodies_from, ?) WHERE id = ?",
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

    private func collectRecords(_ limits: CollectionLimits, into collected: inout Collected) throws
    {
        try delete(
            "record",
            where: "at < ? AND NOT EXISTS (SELECT 1 FROM version WHERE version.record = record.id)",
            [limits.stagedBefore],
            limits,
            &collected
        )
    }

    private func collectBlobs(_ limits: CollectionLimits, into collected: inout Collected) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT blob.id, name, account.account, bytes IS NULL
                FROM blob JOIN account ON account.id = blob.owner
                WHERE at < ?
                    AND NOT EXISTS (SELECT 1 FROM version WHERE version.blob = blob.id)
                LIMIT ?
                """,
            arguments: [limits.stagedBefore, limits.batch]
        )
        for row in rows {
            try statement("DELETE FROM blob WHERE id = ?").execute(arguments: [row[0] as Int64])
            guard row[3] as Bool else { continue }
            let name = BlobName(hash: try Hash256(column: row[1]))
            collected.files.append((AccountID(hash: try Hash256(column: row[2])), name))
        }
        collected.rowCount += rows.count
        if rows.count == limits.batch { collected.more = true }
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
