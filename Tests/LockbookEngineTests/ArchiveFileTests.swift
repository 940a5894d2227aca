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

    @Test func `it replaces the file of the folder that it was begun in, whatever has its path`()
        async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        try laptop.write("/a.md", "a")
        let files = FileManager.default
        let top = files.temporaryDirectory.appending(path: "lockbook-archive-\(UUID().uuidString)")
        defer { try? files.removeItem(at: top) }
        let old = Data("old".utf8)
        for name in ["folder", "other"] {
            let folder = top.appending(path: name)
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            try old.write(to: folder.appending(path: "notes.tar"))
        }
        let (folder, moved) = (top.appending(path: "folder"), top.appending(path: "moved"))

        _ = try await laptop.lockbook.archive(
            .path("/"),
            as: .tar,
            toFile: folder.appending(path: "notes.tar").path,
            force: true
        ) { _ in
            guard !files.fileExists(atPath: moved.path) else { return }
            try? files.moveItem(at: folder, to: moved)
            try? files.createSymbolicLink(atPath: folder.path, withDestinationPath: "other")
        }

        #expect(try Data(contentsOf: top.appending(path: "other/notes.tar")) == old)
        #expect(try Data(contentsOf: moved.appending(path: "notes.tar")) != old)
        #expect(try files.contentsOfDirectory(atPath: moved.path) == ["notes.tar"])
    }
}
