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
}
