import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Files of a folder that are named one by one, as a shell does for `*.md`.
struct ImportNamedTests {
    private let notes: URL

    init() throws {
        notes = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-named-\(UUID().uuidString)")
        let folder = notes.appending(path: "f")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in 0..<9 { try write("f/\(number).md", "note \(number)") }
    }

    private func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: notes.appending(path: path))
    }

    @Test func `they are known from the import of their folder, and it knows them after that`()
        async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        // Every file was written long ago.
        laptop.clock.pass(days: 1)
        func take(_ sources: [String], to target: String) throws -> TransferReport {
            try laptop.lockbook.importFromDisk(sources, to: target, options: .init()) { _ in }
        }
        _ = try take(["\(notes.path)/."], to: "/")
        try write("f/3.md", "three, and more")

        let named = try take((0..<9).map { "\(notes.path)/f/\($0).md" }, to: "/f")
        let whole = try take(["\(notes.path)/."], to: "/")

        #expect((named.updated, named.unchanged) == (1, 8))
        #expect((whole.updated, whole.unchanged) == (0, 9))
        #expect(try await laptop.text("/f/3.md") == "three, and more")
        try FileManager.default.removeItem(at: notes)
    }
}
