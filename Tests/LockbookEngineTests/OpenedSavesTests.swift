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
}
