import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func blobs(_ names: [BlobName], of owner: AccountKey) throws -> [StoredBlob?] {
        let find = try hot("SELECT id, size, at FROM blob WHERE owner = ? AND name = ?")
        find.bind(owner.row, at: 1)
        return try names.map { name in
            find.bind(name.hash, at: 2)
            defer { find.reset() }
            guard try find.step() else { return nil }
            return StoredBlob(
                key: BlobKey(row: find.int(at: 0)),
                name: name,
                size: try UInt64(column: find.int(at: 1)),
                isLetGo: find.int(at: 2) == 0
            )
        }
    }

    func blobs(of owner: AccountKey, after name: BlobName?, limit: Int) throws -> [StoredBlob] {
        let find = try statement(
            """
            SELECT id, size, at, name FROM blob WHERE owner = ? AND name > ?
            ORDER BY name LIMIT ?
            """
        )
        let after = name?.hash.data ?? Data()
        return try Row.fetchAll(find, arguments: [owner.row, after, limit]).map { row in
            StoredBlob(
                key: BlobKey(row: row[0]),
                name: BlobName(hash: try Hash256(column: row[3])),
                size: try UInt64(column: row[1]),
                isLetGo: (row[2] as Int64) == 0
            )
        }
    }

    func content(of blob: StoredBlob) throws -> [UInt8]? {
        let find = try hot("SELECT bytes FROM blob WHERE id = ?")
        find.bind(blob.key.row, at: 1)
        defer { find.reset() }
        guard try find.step() else { throw StoreFailure.damaged }
        return find.optionalBytes(at: 0)
    }

    func segments(of blob: StoredBlob) throws -> [Hash256] {
        let find = try statement("SELECT segments FROM blob WHERE id = ?")
        if let digests = try Row.fetchOne(find, arguments: [blob.key.row])?[0] as Data? {
            return try Self.digests(digests)
        }
        // A blob in a row is smaller than a segment.
        guard let bytes = try content(of: blob) else { throw StoreFailure.damaged }
        return bytes.isEmpty ? [] : [Hash256(sha256: bytes)]
    }

    func insert(_ blobs: [NewBlob], of owner: AccountKey, at time: Int64) throws -> [BlobKey] {
        let insert = try hot(
            """
            INSERT INTO blob (owner, at, name, size, segments, bytes) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (owner, name) DO NOTHING
            """
        )
        insert.bind(owner.row, at: 1)
        insert.bind(time, at: 2)
        let touch = try hot("UPDATE blob SET at = ? WHERE owner = ? AND name = ? RETURNING id")
        touch.bind(time, at: 1)
        touch.bind(owner.row, at: 2)
        return try blobs.map { blob in
            insert.bind(blob.name.hash, at: 3)
            insert.bind(blob.size.column, at: 4)
            switch blob.place {
            case .row(let content):
                insert.bind(nil as [UInt8]?, at: 5)
                insert.bind(content, at: 6)
            case .file(let digests):
                insert.bind(Array(Self.column(digests)), at: 5)
                insert.bind(nil as [UInt8]?, at: 6)
            }
            if let row = try insert.inserted() { return BlobKey(row: row) }
            touch.bind(blob.name.hash, at: 3)
            return BlobKey(row: try touch.returned())
        }
    }

    func upload(_ name: BlobName, of owner: AccountKey) throws -> StoredUpload? {
        let found = try Row.fetchOne(
            statement("SELECT length, segments FROM upload WHERE owner = ? AND name = ?"),
            arguments: [owner.row, name.hash.data]
        )
        return try found.map { row in
            StoredUpload(
                name: name,
                length: try UInt64(column: row[0]),
                segments: try Self.digests(row[1])
            )
        }
    }

    func uploadCount(of owner: AccountKey) throws -> Int {
        let count = try statement("SELECT count(*) FROM upload WHERE owner = ?")
        return try Int.fetchOne(count, arguments: [owner.row]) ?? 0
    }

    func insert(_ upload: StoredUpload, of owner: AccountKey, at time: Int64) throws {
        try statement(
            """
            INSERT INTO upload (owner, name, at, length, segments) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (owner, name) DO UPDATE SET at = excluded.at
            """
        ).execute(arguments: [
            owner.row, upload.name.hash.data, time, upload.length.column,
            Self.column(upload.segments),
        ])
    }

    func deleteUpload(_ name: BlobName, of owner: AccountKey) throws {
        try statement("DELETE FROM upload WHERE owner = ? AND name = ?")
            .execute(arguments: [owner.row, name.hash.data])
    }

    private static func column(_ digests: [Hash256]) -> Data {
        var data = Data(capacity: digests.count * 32)
        for digest in digests { data.append(digest.data) }
        return data
    }

    private static func digests(_ data: Data) throws -> [Hash256] {
        guard data.count.isMultiple(of: 32) else { throw StoreFailure.damaged }
        let bytes = Array(data)
        return try stride(from: 0, to: bytes.count, by: 32).map { start in
            guard let hash = Hash256(bytes[start..<start + 32]) else { throw StoreFailure.damaged }
            return hash
        }
    }
}
