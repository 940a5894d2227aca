import Foundation
import Glibc
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Exports of one device to one place, of which one runs at a time.
struct ExportLockTests {
    private let laptop: Device
    private let mirror: ExportOptions

    init() async throws {
        laptop = try await Person("alice", on: try TestServer()).firstDevice(registered: false)
        try laptop.write("/a.md", "a")
        var options = ExportOptions()
        options.mirror = true
        mirror = options
    }

    @Test func `nobody keeps one away who may only read the place`() async throws {
        let place = try Place()
        let folder = try DiskFile(place.url.path, flags: O_RDONLY | O_DIRECTORY)
        #expect(flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0)
        try await place.export(laptop, mirror)
        #expect(try place.text("a.md") == "a")
        withExtendedLifetime(folder) {}
    }

    @Test func `a second one to the same place is refused, to another one not`() async throws {
        let (place, other) = (try Place(), try Place())
        let path = place.url.path
        let first = try ExportTarget(path, of: .folder, named: nil, tag: "tag")
        try await first.lock(for: laptop.lockbook, waits: false)
        await #expect(throws: LockbookError.busy(what: "another export to \(path)")) {
            try await place.export(laptop, mirror)
        }
        #expect(try place.facts().isEmpty)
        try await other.export(laptop, mirror)
        #expect(try other.text("a.md") == "a")
        withExtendedLifetime(first) {}
    }

    @Test func `the next one finds nothing locked by one that has ended`() async throws {
        let place = try Place()
        for text in ["one", "two"] {
            try laptop.write("/a.md", text)
            try await place.export(laptop, mirror)
            #expect(try place.text("a.md") == text)
        }
        try laptop.lockbook.logout(force: true)
        #expect(!FileManager.default.fileExists(atPath: laptop.directory))
    }
}
