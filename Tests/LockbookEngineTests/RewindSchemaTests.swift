import Foundation
import GRDB
import LockbookCrypto
import Testing

@testable import LockbookEngine

/// What was agreed of files before each step, in a store that an older program made.
@Suite struct RewindSchemaTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.inDatabase { db in
            for (number, migration) in LocalSchema.migrations where number <= 40 {
                try db.execute(sql: migration)
            }
        }
    }

    private func states() throws -> [String] {
        try queue.inDatabase { db in
            try Row.fetchAll(
                db,
                sql: "SELECT file, step, before FROM rewound ORDER BY step, file"
            ).map { row in
                let before = (row[2] as Data?).map { String(decoding: $0, as: UTF8.self) }
                return "\(String(decoding: row[0] as Data, as: UTF8.self)) \(row[1] as Int) "
                    + (before ?? "none")
            }
        }
    }

    private func run(_ statements: String...) throws {
        try queue.inDatabase { db in
            for statement in statements { try db.execute(sql: statement) }
        }
    }

    private func make(_ id: String, _ base: String) throws {
        try run(
            """
            INSERT INTO file (id, parent, tag, type, deleted, base)
            VALUES (CAST('\(id)' AS BLOB), x'00', CAST('\(id)' AS BLOB), 1, 0, CAST('\(base)' AS BLOB))
            """
        )
    }

    private func change(_ id: String, to base: String) throws {
        try run(
            "UPDATE file SET base = CAST('\(base)' AS BLOB) WHERE id = CAST('\(id)' AS BLOB)"
        )
    }

    @Test func `is kept, and goes on as before`() throws {
        let step = "INSERT INTO step (header, files) VALUES (x'00', 1)"
        try run(step)
        try make("b", "b1")
        try make("a", "a1")
        try run(step)
        try change("b", to: "b2")
        #expect(try states() == ["a 2 none", "b 2 none", "b 3 b1"])

        try queue.inDatabase { db in
            try LocalSchema.migrate(
                db,
                from: 40,
                key: DeviceKey(random: .system),
                random: .system
            )
        }
        #expect(try states() == ["a 2 none", "b 2 none", "b 3 b1"])
        // The oldest of one step counts.
        try change("b", to: "b3")
        try change("a", to: "a2")
        try make("c", "c1")
        #expect(
            try states() == ["a 2 none", "b 2 none", "a 3 a1", "b 3 b1", "c 3 none"]
        )
        // Of what is gone for good nothing is kept.
        try run("DELETE FROM file WHERE id = CAST('b' AS BLOB)")
        #expect(try states() == ["a 2 none", "a 3 a1", "c 3 none"])
    }
}
