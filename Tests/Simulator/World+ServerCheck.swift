import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension World {
    /// The server's own promises: positions without a gap, chained entries, every record and blob
    /// that is referred to is there and is what its name says.
    func checkServer() throws {
        let queue = try DatabaseQueue(path: "\(server.folder.path)/server.sqlite")
        let (entries, versions, accounts) = try queue.read { db in
            (
                try Row.fetchAll(
                    db,
                    sql: "SELECT position, hash, header, log FROM entry ORDER BY log, position"
                ),
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT record.hash, record.bytes, blob.name, blob.bytes, blob.size,
                            version.blob IS NOT NULL, account.account
                        FROM version JOIN account ON account.id = version.log LEFT JOIN record ON record.id = version.record
                            LEFT JOIN blob ON blob.id = version.blob
                        WHERE version.deleted < 2
                        """
                ),
                try Row.fetchAll(db, sql: "SELECT head_position, head_hash, id FROM account")
            )
        }
        try require(accounts.count == liveAccounts.count, "the server lacks an account")
        let logs = Set(accounts.map { $0[2] as Int })
        try require(
            entries.allSatisfy { logs.contains($0[3] as Int) },
            "the server keeps entries of a deleted account"
        )
        for account in accounts {
            try checkLog(entries.filter { $0[3] as Int == account[2] as Int }, head: account)
        }
        try checkUsage(queue)
        for row in versions {
            guard let bytes = row[1] as Data? else { throw Broken("a record is not at the server") }
            let record = try FileRecord(Array(bytes))
            try require(record.hash == Hash256(row[0] as Data), "a record has another hash")
            guard let blob = record.facts.blob else { continue }
            guard let owner = Hash256(row[6] as Data) else {
                throw Broken("an account without an id")
            }
            guard row[5] as Bool, let name = row[2] as Data? else {
                throw Broken("a blob is not at the server")
            }
            let content = try row[3] as Data? ?? largeBlob(blob.name, of: owner)
            try require(
                Hash256(name) == blob.name.hash && BlobName(of: Array(content)) == blob.name
                    && UInt64(content.count) == blob.size,
                "a blob at the server is not what its name says"
            )
        }
    }

    private func checkLog(_ entries: [Row], head: Row) throws {
        var previous = Hash256.zero
        for (index, row) in entries.enumerated() {
            let header = try EntryHeader(Array(row[2] as Data))
            try require(
                row[0] as Int == index && header.position == UInt64(index)
                    && header.previous == previous && header.hash == Hash256(row[1] as Data),
                "the server's log breaks at \(index)"
            )
            previous = header.hash
        }
        try require(
            head[0] as Int == entries.count - 1 && Hash256(head[1] as Data) == previous,
            "the server's head is not the newest entry"
        )
    }

    /// The sum that quotas go by is the sum of what is there.
    private func checkUsage(_ queue: DatabaseQueue) throws {
        let sums = try queue.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT (SELECT sum(bytes) FROM usage),
                        (SELECT ifnull(sum(length(bytes)), 0) FROM record)
                        + (SELECT ifnull(sum(size), 0) FROM blob)
                        + (SELECT ifnull(sum(length), 0) FROM upload)
                        + (SELECT sum(length(header) + ifnull(length(certificate), 0)) FROM entry)
                        + (SELECT ifnull(sum(length(bytes)), 0) FROM entry_group)
                    """
            )
        }
        try require(
            sums.map { ($0[0] as Int?) != nil && $0[0] as Int == $0[1] as Int } == true,
            "the server's sum of an account is not what is there"
        )
    }

    private func largeBlob(_ name: BlobName, of owner: Hash256) throws -> Data {
        let text = name.description
        let folder = "\(server.folder.path)/blobs/\(owner.description.prefix(32))"
        let path = "\(folder)/\(text.prefix(2))/\(text)"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Broken("the file of a blob is not at the server")
        }
        return bytes
    }
}
