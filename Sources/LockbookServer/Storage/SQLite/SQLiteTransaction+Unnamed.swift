import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteStore {
    static let unnamed = """
        -- Files of contents that no row of `blob` names, and when a collection first found that.
        CREATE TABLE unnamed (
            owner INTEGER NOT NULL,
            name BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (owner, name)
        ) STRICT, WITHOUT ROWID;
        """
}

extension SQLiteTransaction {
    func unnamed(of owner: AccountKey) throws -> [BlobName: Int64] {
        let find = try statement("SELECT name, at FROM unnamed WHERE owner = ?")
        var times: [BlobName: Int64] = [:]
        for row in try Row.fetchAll(find, arguments: [owner.row]) {
            let name = BlobName(hash: try Hash256(column: row[0]))
            times[name] = row[1] as Int64
        }
        return times
    }

    func note(unnamed names: [BlobName], of owner: AccountKey, at time: Int64) throws {
        let known = try unnamed(of: owner)
        let forget = try statement("DELETE FROM unnamed WHERE owner = ? AND name = ?")
        for name in Set(known.keys).subtracting(names).sorted() {
            try forget.execute(arguments: [owner.row, name.hash.data])
        }
        let note = try statement("INSERT INTO unnamed (owner, name, at) VALUES (?, ?, ?)")
        for name in Set(names).subtracting(known.keys).sorted() {
            try note.execute(arguments: [owner.row, name.hash.data, time])
        }
    }
}
