import GRDB
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Bytes that go into a document for as long as a program goes on to give some.
struct LongPipeTests {
    private let alice: Person
    private static let longer = 300_000

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// Writes two pieces, and does something before the last one.
    private func write(
        append: Bool = true,
        on device: Device,
        meanwhile: () throws -> Void
    ) throws {
        var rest = [Self.text("x"), "end\n"][...]
        try device.lockbook.write(.path("/log.md"), append: append) {
            if rest.count == 1 { try meanwhile() }
            return rest.popFirst().map { Array($0.utf8) }
        }
    }

    private static func text(_ letter: Character) -> String {
        String(repeating: letter, count: longer) + "\n"
    }

    @Test func `no change waits for the end of what is added`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/log.md", "begun\n")
        let other = try laptop.again()
        try write(on: laptop) {
            try other.write("/plan.md", "written meanwhile")
        }

        #expect(try await laptop.text("/plan.md") == "written meanwhile")
        #expect(try await laptop.text("/log.md") == "begun\n" + Self.text("x") + "end\n")
        #expect(try laptop.lockbook.validate() == [])
    }

    @Test(arguments: ["changed", "<<<<<<< a\nb\n=======\nc\n>>>>>>> d", Self.text("y")])
    func `what is added follows what was written meanwhile`(newer: String) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/log.md", "begun\n>>>>>>> d")
        let other = try laptop.again()
        try write(on: laptop) {
            try other.write("/log.md", newer)
        }

        let end = newer.hasSuffix(">>>>>>> d") ? "\n" : ""
        #expect(try await laptop.text("/log.md") == newer + end + Self.text("x") + "end\n")
        #expect(try laptop.lockbook.validate() == [])
        // What was sealed in vain is gone.
        let store = laptop.lockbook.store
        let names = try store.blobs.names()
        let known = try store.read { tree in
            try names.filter { try BlobFolder.name($0[...]).map(tree.hasBlob) ?? false }
        }
        #expect(names == known)
    }

    /// As a sync lets go of it that brings another version.
    /// - Parameter isDeleted: whether the document is in the trash by then.
    @Test(arguments: [true, false])
    func `what is equal to a content that is let go of meanwhile goes in all the same`(
        isDeleted: Bool
    ) async throws {
        let text = Self.text("x") + "end\n"
        let laptop = try await alice.firstDevice()
        try laptop.write("/log.md", text)
        let other = try laptop.again()
        let store = laptop.lockbook.store
        try write(append: false, on: laptop) {
            let content = try store.read { try $0.file($0.find(.path("/log.md"))).content }
            try other.write("/log.md", "other")
            if isDeleted { try other.delete("/log.md") }
            try other.lockbook.store.write { tree in
                try tree.db.execute(sql: "DELETE FROM version; DELETE FROM replaced")
                try content.map { try tree.dropBlob($0.blob) }
            }
        }

        #expect(try await laptop.text("/log.md") == text)
        #expect(try laptop.lockbook.validate() == [])
        #expect(try store.blobs.names().count == 1)
    }

    @Test(arguments: [true, false])
    func `what goes into a document that is deleted meanwhile is one by itself`(append: Bool)
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/log.md", "begun\n")
        let other = try laptop.again()
        try write(append: append, on: laptop) {
            try other.delete("/log.md")
        }

        #expect(try await laptop.text("/log.md") == Self.text("x") + "end\n")
        #expect(try laptop.lockbook.trash().map(\.path) == ["/log.md"])
        #expect(try laptop.lockbook.validate() == [])
    }

    @Test(arguments: [true, false])
    func `what goes into a document that is made meanwhile goes there`(append: Bool) async throws {
        let laptop = try await alice.firstDevice()
        let other = try laptop.again()
        try write(append: append, on: laptop) { try other.write("/log.md", "made\n") }

        let text = (append ? "made\n" : "") + Self.text("x") + "end\n"
        #expect(try await laptop.versionTexts("/log.md") == [text, "made\n"])
        #expect(try laptop.paths() == ["/log.md"])
    }
}
