import CDispatch
import Foundation
import Glibc
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Folders that are opened one after the other, each from the nearest that is open.
struct FolderChainTests {
    private let place: Place
    private let top: DiskFile

    init() throws {
        place = try Place()
        top = try DiskFile(place.url.path, flags: O_RDONLY | O_DIRECTORY)
    }

    private func inode(_ path: String) throws -> ino_t {
        try Disk.status("\(place.url.path)/\(path)").st_ino
    }

    private func move(_ path: String, to other: String) throws {
        try FileManager.default.moveItem(
            at: place.url.appending(path: path),
            to: place.url.appending(path: other)
        )
    }

    @Test func `each is what stands at its path, in whatever order they come`() throws {
        // One name is the beginning of another one.
        let paths = ["a", "a/b", "a/b/c", "a/bc", "a/bc/d", "ab", "ab/c", "z"]
        for path in paths { try place.make(path) }
        var chain = FolderChain(below: top, keeping: 2)
        for path in paths + paths.reversed() + ["a/b/c", "z", "a/bc/d", "ab/c", "a"] {
            #expect(try chain.folder(path).status().st_ino == inode(path))
        }
        #expect(try chain.folder("").status().st_ino == top.status().st_ino)
        #expect(throws: DiskFailure("\(top.path)/a/b/x", code: ENOENT)) {
            try chain.folder("a/b/x/y")
        }
        #expect(try chain.folder("a/b/c").status().st_ino == inode("a/b/c"))
    }

    @Test func `it goes on from what is open, and through no symbolic link`() throws {
        for path in ["a/b/c", "a/d", "elsewhere/b/c", "elsewhere/d"] { try place.make(path) }
        var chain = FolderChain(below: top)
        _ = try chain.folder("a/b/c")
        try move("a", to: "moved")
        #expect(symlink("elsewhere", "\(top.path)/a") == 0)

        #expect(try chain.folder("a/d").status().st_ino == inode("moved/d"))
        _ = try chain.folder("")
        #expect(throws: DiskFailure("\(top.path)/a", code: ENOTDIR)) { try chain.folder("a/d") }
    }

    @Test func `those next to the last one stay open`() throws {
        for path in ["a/b/c/d", "a/b/c/e", "a/f"] { try place.make(path) }
        var chain = FolderChain(below: top, keeping: 2)
        _ = try chain.folder("a/b/c/d")
        try move("a", to: "moved")
        #expect(try chain.folder("a/b/c/e").status().st_ino == inode("moved/b/c/e"))
        #expect(throws: DiskFailure("\(top.path)/a", code: ENOENT)) { try chain.folder("a/f") }
    }

    @Test func `an export goes through a deep tree without a way from the top for each folder`()
        async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let depth = 200
        try laptop.write(String(repeating: "/d", count: depth) + "/x.md", "x")
        try await place.export(laptop)
        let outermost = try Openings(of: "\(place.url.path)/d")

        #expect(try await place.export(laptop).unchanged == 1)
        let looked = outermost.take()
        #expect(looked > 0)
        #expect(looked < depth / 4)
        // All of them go, from below.
        try laptop.delete("/d")
        #expect(try await place.export(laptop, .mirroring).removed == 1)
        let removed = outermost.take()
        #expect(removed > 0)
        #expect(removed < depth / 4)
        #expect(!FileManager.default.fileExists(atPath: "\(place.url.path)/d"))
    }
}
