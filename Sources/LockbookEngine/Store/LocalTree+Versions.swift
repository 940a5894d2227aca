import GRDB
import LockbookCrypto
import LockbookModel

/// Contents that were replaced on this device before any server had them.
///
/// Of each file the last 20 stay, older ones for 90 days, all of them together up to 256 MB and
/// 1,000; the newest stays besides, however large it is. One that is too large goes alone: small ones
/// before it are all that is left of a text over which something else was written.
///
/// The days are those that this device has seen: of the time between two saves no more than 30 count, and
/// none twice. A clock that was set to another year for a day must not take what was saved yesterday.
extension LocalTree {
    private static let alwaysKept = 20
    private static let lifetime: Int64 = 90 * 86_400_000
    private static let mostBetween: Int64 = 30 * 86_400_000
    private static let mostKept = 1_000
    private static let mostBytes: UInt64 = 256 << 20

    /// Keeps the record of this device's change, when the content of it goes.
    /// - Parameter new: what takes its place.
    func keepReplaced(_ row: FileRow, by new: Content?) throws {
        guard let local = row.local, !row.isDamaged, row.type == .document,
            let old = try FileRecord(local).facts.blob, old.name != new?.blob,
            // What the server has is asked for there.
            try row.base.flatMap({ try FileRecord($0).facts.blob?.name }) != old.name
        else { return }
        try keepVersion(
            try FileRecord(local),
            key(of: row),
            at: environment.now().milliseconds
        )
        try trimVersions(of: row, for: new)
    }

    /// - Parameter key: that of the record, which stays readable whatever keys the file gets later.
    func keepVersion(_ record: FileRecord, _ key: FileKey, at time: Int64) throws {
        guard let blob = record.facts.blob else { return }
        let file = record.facts.id
        try db.cachedStatement(
            sql: "INSERT INTO version (file, at, blob, record, key) VALUES (?, ?, ?, ?, ?)"
        ).run(
            file.bytes.data,
            time,
            blob.name.hash.bytes.data,
            record.bytes.data,
            sealed(key, of: file).data
        )
    }

    /// - Parameter new: what the file is about to have: an earlier one that is brought back, and goes with
    ///   none that was kept of it.
    func trimVersions(of row: FileRow, for new: Content? = nil) throws {
        var bytes: UInt64 = 0
        var dropped: [KeptVersion] = []
        let kept = try keptVersions(of: row.id)
        let ages = ages(of: kept)
        for (rank, kept) in kept.enumerated().dropFirst() {
            let size = kept.record.facts.blob?.size ?? 0
            let stays =
                (ages[rank] < Self.lifetime || rank < Self.alwaysKept) && rank < Self.mostKept
                && size <= Self.mostBytes - bytes
            if stays { bytes += size } else { dropped.append(kept) }
        }
        try drop(dropped, for: new)
    }

    /// For how many milliseconds each was replaced, as far as that is sure.
    /// - Parameter kept: the newest first.
    private func ages(of kept: [KeptVersion]) -> [Int64] {
        let times = kept.reversed().map(\.at) + [environment.now().milliseconds]
        var (latest, passed) = (times[0], Int64(0))
        let ends = times.map { time in
            let (gap, overflow) = time.subtractingReportingOverflow(latest)
            if time > latest { passed += overflow ? Self.mostBetween : min(gap, Self.mostBetween) }
            latest = max(latest, time)
            return passed
        }
        return ends.dropLast().reversed().map { passed - $0 }
    }

    /// The records that were kept of a file, the newest first.
    func keptVersions(of file: FileID) throws -> [KeptVersion] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT id, at, record, key FROM version WHERE file = ? ORDER BY id DESC"
            ),
            arguments: [file.bytes.data]
        ).map { row in
            KeptVersion(
                number: row[0],
                at: row[1],
                record: try FileRecord(row.bytes(2)),
                sealedKey: row.optionalBytes(3)
            )
        }
    }

    /// The files of which something is kept.
    func savedFiles() throws -> [FileID] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT DISTINCT file FROM version ORDER BY file"))
            .compactMap { FileID($0.bytes(0)) }
    }

    /// The file's key of that time; nil where an older program kept the version.
    func key(of kept: KeptVersion) -> FileKey? {
        guard let sealed = kept.sealedKey,
            let opened = try? versionKey.open(sealed, bound: kept.record.facts.id.bytes)
        else { return nil }
        return FileKey(opened)
    }

    private func sealed(_ key: FileKey, of file: FileID) throws -> [UInt8] {
        try versionKey.seal(key.bytes, bound: file.bytes, random: environment.random)
    }

    /// Keeps the keys of versions that an older program kept without.
    ///
    /// Later the records that lead to them may be gone.
    func keepKeysOfVersions() throws {
        for id in try savedFiles() {
            guard let row = try row(id) else { continue }
            try despiteDamage {
                let kept = try keptVersions(of: id)
                for version in kept where version.sealedKey == nil {
                    try despiteDamage {
                        try keepKey(of: version, of: row, among: kept.map(\.record))
                    }
                }
            }
        }
    }

    private func keepKey(of version: KeptVersion, of row: FileRow, among records: [FileRecord])
        throws
    {
        let key = try key(ofEarlier: version.record, of: row, among: records)
        guard version.record.isOf(key) else { return }
        try db.cachedStatement(sql: "UPDATE version SET key = ? WHERE id = ?")
            .run(sealed(key, of: row.id).data, version.number)
    }

    /// What does not open keeps the store from being opened no more than before.
    private func despiteDamage(_ body: () throws -> Void) throws {
        do { try body() } catch let error as DatabaseError { throw error } catch {}
    }

    /// The versions that were kept of a file and open, the newest first.
    func openKept(of row: FileRow) throws -> [OpenedKept] {
        let kept = try keptVersions(of: row.id)
        let records = kept.map(\.record)
        return try kept.compactMap { version in
            do {
                return OpenedKept(
                    at: version.at,
                    file: try open(version.record, of: row, with: key(of: version), among: records)
                )
            } catch is DamagedRecord { return nil }
        }
    }

    /// Whether this device knows that a content was once that of a file.
    func had(_ blob: BlobPrefix, in file: FileID) throws -> Bool {
        try contentsHad(by: file).contains(blob)
    }

    /// The contents that a file had before, as far as this device knows.
    func contentsHad(by file: FileID) throws -> Set<BlobPrefix> {
        var records = try keptVersions(of: file).map(\.record) + replacedRecords(of: file)
        if let base = try row(file)?.base { records.append(try FileRecord(base)) }
        return Set(records.compactMap { $0.facts.blob.map { BlobPrefix(of: $0.name) } })
    }

    /// What the documents in the trash have, and had.
    func contentsInTrash() throws -> Set<BlobPrefix> {
        var (found, dead): (Set<BlobPrefix>, [FileID: Bool]) = ([], [:])
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT \(FileRow.columns) FROM file WHERE type = ?",
            arguments: [Int(FileType.document.rawValue)]
        )
        while let next = try rows.next() {
            let row = try FileRow(next)
            guard let current = row.current, try row.isDeleted || isDead(below: row.parent, &dead)
            else { continue }
            if let blob = try FileRecord(current).facts.blob {
                found.insert(BlobPrefix(of: blob.name))
            }
            found.formUnion(try contentsHad(by: row.id))
        }
        return found
    }

    /// Lets go of all that was kept of a file.
    func dropVersions(of row: FileRow) throws {
        try drop(keptVersions(of: row.id))
    }

    private func drop(_ versions: [KeptVersion], for new: Content? = nil) throws {
        for kept in versions {
            try db.cachedStatement(sql: "DELETE FROM version WHERE id = ?").run(kept.number)
        }
        // A version that was brought back is in use.
        try letGo(
            versions.compactMap { kept in
                let facts = kept.record.facts
                guard let blob = facts.blob?.name, blob != new?.blob else { return nil }
                return (blob, facts.id)
            }
        )
    }

    /// Whether a version that was kept is of this content, or a command that can be taken back
    /// replaced it.
    func isKept(_ blob: BlobName) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT 1 FROM version WHERE blob = ?1
                UNION ALL SELECT 1 FROM replaced WHERE blob = ?1 LIMIT 1
                """
        )
        return try Int.fetchOne(statement, arguments: [blob.hash.bytes.data]) != nil
    }
}

/// A record that was replaced before any server had it.
struct KeptVersion {
    let number: Int64
    /// When it was replaced, in milliseconds.
    let at: Int64
    let record: FileRecord
    /// The key of the record, sealed for this device.
    let sealedKey: [UInt8]?
}

/// A content that was replaced on this device, opened.
struct OpenedKept {
    /// When it was replaced, in milliseconds.
    let at: Int64
    let file: File
}
