import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What the beginning of an id means where most that begin like it are in the trash.
struct IDPrefixTests {
    private let laptop: Device
    private let prefix = "0123456789ab"
    private let old = (0..<40).map { "old-\($0).md" }
    private var reference: FileReference { FileReference("id:\(prefix)") }

    init() async throws {
        let alice = Person("alice", on: try TestServer())
        laptop = try await alice.firstDevice(registered: false)
    }

    /// Makes files whose ids begin alike, in this order, and deletes the old ones.
    private func make(_ names: [String], _ type: FileType = .document) throws {
        _ = try laptop.lockbook.create(path: type == .folder ? "/mould/" : "/mould")
        try laptop.lockbook.store.write { tree in
            let mould = try tree.file(try #require(try tree.find(path: "/mould")))
            for (number, name) in (old + names).enumerated() {
                var file = mould
                let digits = String(0x1000 + number, radix: 16)
                file.id = try #require(
                    FileID(hex: prefix + String(repeating: "0", count: 16) + digits)
                )
                file.name = try FileName(name)
                try tree.put(file)
            }
        }
        for name in old { try laptop.delete("/" + name) }
    }

    @Test func `it means the one that is there`() throws {
        try make(["kept.md"])
        #expect(try laptop.lockbook.info(reference).path == "/kept.md")
    }

    @Test func `it means none where two are there`() throws {
        try make(["kept.md", "also.md"])
        #expect {
            try laptop.lockbook.info(reference)
        } throws: { error in
            if case LockbookError.ambiguous = error { true } else { false }
        }
    }

    @Test func `what was deleted in a folder is found by the beginning of that one's id`() throws {
        try make(["box"], .folder)
        try laptop.write("/box/note.md", "note")
        try laptop.delete("/box/note.md")
        let restored = try laptop.lockbook.restore([FileReference("id:\(prefix)/note.md")])
        #expect(restored.map(\.path) == ["/box/note.md"])
    }
}
