import GRDB
import LockbookModel

extension SQLiteStore {
    /// How much is kept of each account, kept right by the database itself whatever changes it.
    static let usage: String = {
        let kept = [
            ("record", "owner", "length(ROW.bytes)"),
            ("blob", "owner", "ROW.size"),
            ("upload", "owner", "ROW.length"),
            ("entry", "log", "length(ROW.header) + ifnull(length(ROW.certificate), 0)"),
            ("entry_group", "log", "length(ROW.bytes)"),
        ]
        let sums = kept.map { table, owner, size in
            """
            SELECT \(owner) AS owner, \(size.replacing("ROW", with: table)) AS bytes FROM \(table)
            """
        }
        let triggers = kept.map { table, owner, size in
            """
            CREATE TRIGGER usage_\(table)_insert AFTER INSERT ON \(table) BEGIN
                UPDATE usage SET bytes = bytes + \(size.replacing("ROW", with: "NEW"))
                    WHERE owner = NEW.\(owner);
            END;
            CREATE TRIGGER usage_\(table)_delete AFTER DELETE ON \(table) BEGIN
                UPDATE usage SET bytes = bytes - \(size.replacing("ROW", with: "OLD"))
                    WHERE owner = OLD.\(owner);
            END;
            """
        }
        return """
            CREATE TABLE usage (owner INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
            INSERT INTO usage SELECT id, ifnull((SELECT sum(kept.bytes)
                FROM (\(sums.joined(separator: " UNION ALL "))) AS kept
                WHERE kept.owner = account.id), 0) FROM account;
            CREATE TRIGGER usage_account_insert AFTER INSERT ON account BEGIN
                INSERT INTO usage (owner, bytes) VALUES (NEW.id, 0);
            END;
            \(triggers.joined(separator: "\n"))
            """
    }()
}

extension SQLiteTransaction {
    func usage(of owner: AccountKey) throws -> UInt64 {
        let find = try statement("SELECT bytes FROM usage WHERE owner = ?")
        guard let bytes = try Int64.fetchOne(find, arguments: [owner.row]) else {
            throw StoreFailure.damaged
        }
        return try UInt64(column: bytes)
    }
}
