import Foundation
import Glibc
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A mirror to a place whose disk is not mounted.
struct MirrorUnmountedTests {
    private let laptop: Device
    private let place: Place
    private var copy: URL { place.url.appending(path: "copy") }

    init() async throws {
        laptop = try await Person("alice", on: try TestServer())
            .firstDevice(holding: ["/a.md": "a", "/dir/b.md": "b"])
        place = try Place()
        try await place.export(laptop, .mirroring, to: "copy")
    }

    /// Makes it another disk than the one of the last export.
    private func changeDisk() throws {
        let folder = try DiskFile(copy.path, flags: O_RDONLY | O_DIRECTORY)
        try laptop.lockbook.store.write { try $0.rememberDisk([0], at: folder.realPath) }
    }

    private func expectRefusal() async {
        await #expect(throws: LockbookError.self) {
            try await place.export(laptop, .mirroring, to: "copy")
        }
    }

    @Test func `it writes nothing where nothing is that exports wrote`() async throws {
        try changeDisk()
        for name in ["a.md", "dir"] {
            try FileManager.default.removeItem(at: copy.appending(path: name))
        }
        await expectRefusal()
        // Nor the folder itself, when that was on the disk.
        try FileManager.default.removeItem(at: copy)
        await expectRefusal()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.url.path) == [])
        var forced = ExportOptions.mirroring
        forced.force = true
        #expect(try await place.export(laptop, forced, to: "copy").created == 2)
        #expect(try await place.export(laptop, .mirroring, to: "copy").unchanged == 2)
    }

    @Test func `a copy on another disk is brought up to date`() async throws {
        try changeDisk()
        try FileManager.default.removeItem(at: copy.appending(path: "a.md"))
        let report = try await place.export(laptop, .mirroring, to: "copy")
        #expect((report.created, report.unchanged) == (1, 1))
    }

    @Test func `what was removed on its own disk is written again`() async throws {
        try FileManager.default.removeItem(at: copy)
        #expect(try await place.export(laptop, .mirroring, to: "copy").created == 2)
    }
}
