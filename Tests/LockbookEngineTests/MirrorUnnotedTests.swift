import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A mirror that cannot put down what it does.
struct MirrorUnnotedTests {
    @Test func `it writes nothing that it would not know again`() async throws {
        let laptop = try await Person("alice", on: try TestServer())
            .firstDevice(holding: ["/old.md": "one"])
        let place = try Place()
        try await place.export(laptop, .mirroring)
        try laptop.move("/old.md", to: "/new.md")
        try laptop.lockbook.store.write { tree in
            try tree.db.execute(
                sql: """
                    CREATE TRIGGER unwritable BEFORE INSERT ON exported
                    BEGIN SELECT RAISE(ABORT, 'unwritable'); END
                    """
            )
        }

        await #expect(throws: LockbookError.self) { try await place.export(laptop, .mirroring) }

        #expect(try place.facts().keys.sorted() == ["old.md"])
        try laptop.lockbook.store.write { try $0.db.execute(sql: "DROP TRIGGER unwritable") }
        try laptop.move("/new.md", to: "/last.md")
        #expect(try await place.export(laptop, .mirroring).problems == [])
        #expect(try place.facts().keys.sorted() == ["last.md"])
    }
}
