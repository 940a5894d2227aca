import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

struct ArchiveFileTests {
    @Test(arguments: [false, true])
    func `a file that appears while an archive is written stays, unless it was to be replaced`(
        force: Bool
    ) async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        try laptop.write("/a.md", "a")
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-archive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "notes.tar")
        let theirs = Data("theirs".utf8)

        func archive() async throws {
            _ = try await laptop.lockbook.archive(
                .path("/"),
                as: .tar,
                toFile: file.path,
                force: force
            ) { _ in try? theirs.write(to: file) }
        }
        if force {
            try await archive()
        } else {
            await #expect(throws: LockbookError.exists(path: file.path)) { try await archive() }
        }
        #expect(try (Data(contentsOf: file) == theirs) == !force)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == ["notes.tar"])
    }
}
