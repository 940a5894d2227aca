import GRDB
import LockbookCrypto
import LockbookModel

extension LocalTree {
    func rows(ofType type: FileType) throws -> [FileRow] {
        try Row.fetchAll(
            db,
            sql: "SELECT \(FileRow.columns) FROM file WHERE type = ? ORDER BY id",
            arguments: [Int(type.rawValue)]
        ).map(FileRow.init)
    }

    /// Forgets a file altogether, whatever it was agreed to be.
    func drop(_ row: FileRow) throws {
        if let block = row.block { try unindex(row.id, from: row.parent, at: block) }
        for bytes in [row.base, row.local] {
            if let bytes, let blob = try FileRecord(bytes).facts.blob { try dropBlob(blob.name) }
        }
        try clearAbsent(row.id)
        try db.execute(sql: "DELETE FROM file WHERE number = ?", arguments: [row.number])
        fileKeys[row.id] = nil
        folderKeys[row.id] = nil
    }
}
