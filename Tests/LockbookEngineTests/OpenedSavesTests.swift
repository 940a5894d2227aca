import Foundation
import GRDB
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Saves that were replaced before a sync, as they are opened again.
struct OpenedSavesTests {
    @Test func `an error of the store is not taken for a save that does not open`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        for text in ["first", "second"] { try laptop.write("/folder/n.md", text) }
        let store = laptop.lockbook.store
        // As an older program kept it: the key is looked for where the note stands.
        try store.write { try $0.db.execute(sql: "UPDATE version SET key = NULL") }
        let row = try store.read { try $0.find(.path("/folder/n.md")) }
        #expect(try store.read { try $0.openKept(of: row).count } == 1)
        try store.write { tree in
            try tree.db.execute(
                sql: "DELETE FROM file WHERE id = ?",
                arguments: [Data(row.parent.bytes)]
            )
        }
        #expect(throws: LockbookError.self) { try store.read { try $0.openKept(of: row).count } }
    }

    @Test func `one that is damaged keeps no other from having its key`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let paths = ["/a.md", "/b.md"]
        for path in paths { for text in ["first", "second"] { try laptop.write(path, text) } }
        let store = laptop.lockbook.store
        let rows = try store.read { tree in try paths.map { try tree.find(.path($0)) } }
        for spoiled in rows {
            try store.write { tree in
                try tree.db.execute(sql: "UPDATE version SET key = NULL")
                let records = try rows.map { try tree.keptVersions(of: $0.id)[0].record.bytes }
                try tree.db.execute(
                    sql: "UPDATE version SET record = x'00' WHERE file = ?",
                    arguments: [Data(spoiled.id.bytes)]
                )
                try tree.keepKeysOfVersions()
                for (row, record) in zip(rows, records) {
                    try tree.db.execute(
                        sql: "UPDATE version SET record = ? WHERE file = ?",
                        arguments: [Data(record), Data(row.id.bytes)]
                    )
                }
            }
            let found = try store.read { tree in
                try rows.map { try tree.keptVersions(of: $0.id)[0].sealedKey != nil }
            }
            #expect(found == rows.map { $0.id != spoiled.id })
        }
    }
}
