import FoundationEssentials
import GRDB
import Glibc
import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Keeps a small blob in this transaction.
    func addBlob(_ name: BlobName, _ bytes: [UInt8]) throws {
        let insert = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO blob (name, bytes) VALUES (?, ?)"
        )
        try insert.execute(arguments: [name.hash.bytes.data, bytes.data])
    }

    /// Refers to a blob that is already a durable file of its name.
    /// - Throws: `.busy` where another process let go of the same blob meanwhile, and of its file.
    func addBlobFile(_ name: BlobName) throws {
        guard blobs.has(name) else {
            throw LockbookError.busy(what: "a document was changed meanwhile")
        }
        addedFiles.append(name)
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO blob (name, bytes) VALUES (?, NULL)")
            .execute(arguments: [name.hash.bytes.data])
    }

    /// Sees that a document can have a content which was found before this transaction began: that it is
    /// here, or stands in it, or is what the server has of it.
    /// - Throws: `.busy` where another process let go of it meanwhile.
    func requireContent(_ content: Content, of file: File) throws {
        guard try hasContent(content, of: file) else {
            throw LockbookError.busy(what: "a document was changed meanwhile")
        }
    }

    /// Whether a document can have a content: it is here, or stands in it, or is what the server has of it.
    func hasContent(_ content: Content, of file: File) throws -> Bool {
        if try content.identity == file.content?.identity || hasBlob(content.blob) { return true }
        let base = try row(file.id).flatMap { try self.base($0) }
        return base?.content?.identity == content.identity
    }

    func hasBlob(_ name: BlobName) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM blob WHERE name = ?")
        return try Int.fetchOne(statement, arguments: [name.hash.bytes.data]) != nil
    }

    /// Whether the bytes of a blob that this device has can be read: somebody may have removed its file, or
    /// put the database back without it.
    func canRead(_ name: BlobName) throws -> Bool {
        let find = try db.cachedStatement(sql: "SELECT bytes IS NULL FROM blob WHERE name = ?")
        guard let isFile = try find.first([name.hash.bytes.data], { $0[0] as Bool }) else {
            return false
        }
        return try !isFile || original?.smallBlob(name) != nil || blobs.has(name)
    }

    /// - Returns: nil where it is not here.
    func blob(_ name: BlobName) throws -> StoredBlob? {
        try storedBlob(name) ?? unkept.bytes(of: name).map { .bytes($0) }
    }

    private func storedBlob(_ name: BlobName) throws -> StoredBlob? {
        let statement = try db.cachedStatement(sql: "SELECT bytes FROM blob WHERE name = ?")
        return try statement.first([name.hash.bytes.data]) { row -> StoredBlob? in
            if let bytes = row.optionalBytes(0) { return .bytes(bytes) }
            if let original {
                if let bytes = try original.smallBlob(name) { return .bytes(bytes) }
                guard blobs.has(name) else {
                    throw LockbookError.busy(what: "a document was changed meanwhile")
                }
            }
            do {
                return .file(try blobs.open(name))
            } catch let failure as DiskFailure where failure.isOfFile {
                // Where somebody removed the file, the server may have the content still.
                return failure.code == ENOENT ? nil : .unreadable(failure)
            }
        } ?? nil
    }

    /// Lets go of a blob that no record refers to any more, unless it is of a version that is kept.
    ///
    /// A file goes when that is committed; by `sweepBlobs` where the process died in between.
    func dropBlob(_ name: BlobName) throws {
        guard try !isKept(name) else { return }
        // SQLite 3.40 answers 0 to RETURNING bytes IS NULL, whatever the row had.
        let isFile = try db.cachedStatement(sql: "SELECT bytes IS NULL FROM blob WHERE name = ?")
            .first([name.hash.bytes.data]) { $0[0] as Bool }
        guard let isFile else { return }
        try db.cachedStatement(sql: "DELETE FROM blob WHERE name = ?").run(name.hash.bytes.data)
        if isFile { droppedFiles.append(name) }
    }

    /// Makes room for the same blob, which does not open as it is here.
    func forgetBytes(of name: BlobName) throws {
        try db.cachedStatement(sql: "DELETE FROM blob WHERE name = ?").run(name.hash.bytes.data)
    }

    /// Notes that a content is to be fetched, where the document has it from the server now and it is
    /// not here: in whatever way it came to that, and to life.
    func expectContent(of file: File, _ row: FileRow?, agreed base: [UInt8]?) throws {
        guard row != nil, let base, let content = file.content, try !hasBlob(content.blob),
            try FileRecord(base).facts.blob?.name == content.blob
        else { return }
        try markAbsent(file.id, blob: content.blob, size: content.blobSize)
    }

    func markAbsent(_ file: FileID, blob: BlobName, size: UInt64) throws {
        let insert = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO absent (file, blob, size) VALUES (?, ?, ?)"
        )
        try insert.execute(arguments: [
            file.bytes.data, blob.hash.bytes.data, Int64(clamping: size),
        ])
    }

    func clearAbsent(_ file: FileID) throws {
        let delete = try db.cachedStatement(sql: "DELETE FROM absent WHERE file = ?")
        try delete.execute(arguments: [file.bytes.data])
    }

    func clearAbsent(blob: BlobName) throws {
        try db.cachedStatement(sql: "DELETE FROM absent WHERE blob = ?").run(blob.hash.bytes.data)
    }

    /// Whether this device knows that it still has to fetch a content.
    func isAwaited(_ blob: BlobName) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM absent WHERE blob = ?")
        return try Int.fetchOne(statement, arguments: [blob.hash.bytes.data]) != nil
    }

    /// Whether a document's content is on the server alone.
    func isAbsent(_ id: FileID) throws -> Bool {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM absent WHERE file = ?"),
            arguments: [id.bytes.data]
        ) != nil
    }

    /// Ids of the documents whose contents are not here.
    func absentFiles() throws -> Set<FileID> {
        Set(try db.cachedStatement(sql: "SELECT file FROM absent").fileIDs())
    }

    /// A file whose content is on the server alone under this name.
    func absentFile(of blob: BlobName) throws -> FileID? {
        try Row.fetchOne(
            db,
            sql: "SELECT file FROM absent WHERE blob = ? ORDER BY file LIMIT 1",
            arguments: [blob.hash.bytes.data]
        ).flatMap { FileID($0.bytes(0)) }
    }

    /// Blobs to fetch, up to a size: those that the server has.
    func absentBlobs(upTo limit: UInt64) throws -> [(name: BlobName, size: UInt64)] {
        let find = try db.cachedStatement(
            sql: """
                SELECT absent.blob, size, base FROM absent JOIN file ON id = absent.file
                WHERE size <= ?
                """
        )
        return try find.all([Int64(clamping: limit)]) { row -> (name: BlobName, size: UInt64)? in
            guard let hash = Hash256(row.bytes(0)), let size = UInt64(exactly: row[1] as Int64)
            else { return nil }
            let name = BlobName(hash: hash)
            // A server that was put back to an earlier state lost what it alone had.
            let agreed = try row.optionalBytes(2).map { try FileRecord($0).facts.blob?.name }
            return agreed == name ? (name, size) : nil
        }.compactMap { $0 }
    }

    func absentCount() throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM absent")) ?? 0
    }

    /// Keeps a whole blob that is at hand: small as a row, larger as a durable file.
    func keepBlob(_ blob: [UInt8], name: BlobName) throws {
        if blob.count <= BlobFolder.rowByteCount {
            try addBlob(name, blob)
        } else {
            let file = try blobs.temporary(random: environment.random)
            do {
                try file.write(blob)
                try blobs.keep(file, as: name)
            } catch {
                // On a full disk it would take the room that is needed to make some.
                blobs.discard(file)
                throw error
            }
            try addBlobFile(name)
        }
    }

    /// Removes what is left of blobs that are not whole, and finds the files of whole ones that nothing refers
    /// to, left by a process that died or failed.
    ///
    /// Only a sync does this, and only to files older than an hour: another process may be about
    /// to refer to a younger one. So it may be to an older one, where the clock was set or the machine slept:
    /// a whole one goes by `LocalStore.removeFiles`, which nobody's change can come between.
    /// - Parameter unfinished: only those that a process died over before they had their names.
    /// - Returns: the whole ones; and when what was left may go, in seconds since 1970, 0 when nothing was.
    func sweepBlobs(unfinished: Bool) throws -> (whole: [BlobName], due: Int64) {
        guard Disk.exists(blobs.path) else { return ([], 0) }
        var whole: [BlobName] = []
        var due: Int64 = 0
        let now = environment.now().milliseconds / 1_000
        for name in try blobs.names() {
            if unfinished, !name.hasPrefix(BlobFolder.unfinished) { continue }
            let path = "\(blobs.path)/\(name)"
            let blob = BlobFolder.name(name[...])
            if let blob, try hasBlob(blob) { continue }
            guard let status = try? Disk.status(path) else { continue }
            let old = Int64(status.st_mtim.tv_sec) + 3_601
            guard old <= now else {
                due = max(due, min(old, now + 3_601))
                continue
            }
            if let blob { whole.append(blob) } else { try blobs.removeUnfinished(name) }
        }
        return (whole, due)
    }
}
