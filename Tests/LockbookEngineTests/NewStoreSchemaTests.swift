import GRDB
import LockbookCrypto
import Testing

@testable import LockbookEngine

/// The tables of a new store, which is made of what the migrations come to.
@Suite struct NewStoreSchemaTests {
    private let migrated: DatabaseQueue

    init() throws {
        migrated = try DatabaseQueue()
        try migrated.inDatabase { db in
            // Nothing stands in any table, so nothing is sealed.
            for name in ["invitation_name", "sealed_secret", "sealed_destination"] {
                db.add(function: DatabaseFunction(name) { _ in nil })
            }
            for (_, migration) in LocalSchema.migrations { try db.execute(sql: migration) }
        }
    }

    private func schema(of queue: DatabaseQueue) throws -> [String] {
        try queue.inDatabase { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT type || ' ' || name || ' of ' || tbl_name || ': ' || ifnull(sql, '')
                    FROM sqlite_master ORDER BY 1
                    """
            )
        }
    }

    @Test func `it has the tables that all migrations come to, each made at once`() throws {
        let store = try DatabaseQueue()
        var changes: [String] = []
        try store.inDatabase { db in
            db.trace { statement in
                if "\(statement)".contains("ALTER TABLE") { changes.append("\(statement)") }
            }
            try LocalSchema.migrate(
                db,
                from: 0,
                key: DeviceKey(random: .system),
                random: .system
            )
        }
        #expect(changes == [])
        let wanted = try schema(of: migrated)
        #expect(wanted.count > 50)
        #expect(try schema(of: store) == wanted)
    }

    @Test func `no migration puts a row into an empty store, which is made without it`() throws {
        try migrated.inDatabase { db in
            let tables = try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
            for table in tables {
                let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
                #expect(count == 0, "in \(table)")
            }
        }
    }
}
