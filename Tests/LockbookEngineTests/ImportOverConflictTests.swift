import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Imports over notes with a conflict in them that `conflicts` does not list.
struct ImportOverConflictTests {
    let alice: Person
    let folder: URL

    init() throws {
        alice = Person("alice", on: try TestServer())
        folder = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func take(_ device: Device, force: Bool = false) throws -> TransferReport {
        var options = ImportOptions()
        options.force = force
        return try device.lockbook.importFromDisk(["\(folder.path)/."], to: "/", options: options) {
            _ in
        }
    }

    /// What is large, or came with the first sync, was not looked into when it came.
    @Test(arguments: [true, false])
    func `a file does not take back a conflict that another device left`(isLarge: Bool)
        async throws
    {
        let rest = isLarge ? String(repeating: "a line of a long text\n", count: 50_000) : ""
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n" + rest])
        let earlier = try await alice.device(named: "earlier", like: laptop)
        try laptop.write("/a.md", "left\n" + rest)
        try phone.write("/a.md", "right\n" + rest)
        for device in [laptop, phone, earlier] { try await device.sync() }
        #expect(try phone.lockbook.conflicts().map(\.path) == ["/a.md"])
        let third = try await isLarge ? earlier : alice.device(named: "new", like: laptop)
        let marked = try await third.text("/a.md")
        #expect(marked.contains("<<<<<<<"))
        #expect(try third.lockbook.conflicts() == [])

        let file = folder.appending(path: "a.md")
        try Data("file\n\(rest)".utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1_000_000_000)],
            ofItemAtPath: file.path
        )
        let report = try take(third)
        #expect(report.updated == 0)
        #expect(
            report.problems.map(\.reason) == [
                "the note has an undecided conflict, of which markers stand in its text; "
                    + "--force takes the file's text"
            ]
        )
        #expect(try await third.text("/a.md") == marked)
        #expect(try take(third, force: true).updated == 1)
    }
}
