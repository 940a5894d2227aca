import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A save that is larger than all that is kept of a document.
struct LargeSaveTests {
    private let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `goes without the smaller ones before it`() async throws {
        let laptop = try await alice.firstDevice()
        for text in ["one", "two", "three"] { try laptop.write("/a.md", text) }
        try laptop.lockbook.store.write { tree in
            let row = try tree.find(.path("/a.md"))
            var file = try tree.file(row)
            file.content?.blobSize = 300 << 20
            let time = file.modified.milliseconds
            try tree.keepVersion(try tree.seal(file, row: row), try tree.key(of: row), at: time)
        }
        try laptop.write("/a.md", "four")

        #expect(try await laptop.versionTexts("/a.md") == ["four", "three", "two", "one"])
        #expect(try laptop.lockbook.validate() == [])
    }
}
