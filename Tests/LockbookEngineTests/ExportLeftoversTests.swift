import Foundation
import Glibc
import LockbookCrypto
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a killed export left in a folder that is not in the lockbook by the next one.
struct ExportLeftoversTests {
    private static let leftover = "c/.lockbook-export.0123456789abcdef-1"
    private let laptop: Device
    private let place: Place

    init() async throws {
        laptop = try await Person("alice", on: try TestServer()).firstDevice()
        place = try Place()
        try laptop.write("/keep.md", "keep")
        try laptop.write("/c/x.md", "one")
        try await place.export(laptop, .mirroring)
        try place.write(Self.leftover, "secret")
    }

    private func contents() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: place.url.path).sorted()
    }

    @Test(arguments: [nil, "/d"] as [String?])
    func `goes with the folder`(newName: String?) async throws {
        if let newName { try laptop.move("/c", to: newName) } else { try laptop.delete("/c") }
        let report = try await place.export(laptop, .mirroring)
        #expect(report.problems == [])
        #expect(try contents() == (newName == nil ? [] : ["d", "d/x.md"]) + ["keep.md"])
    }

    @Test func `makes way for a note that has the name of the folder`() async throws {
        try laptop.delete("/c")
        try laptop.write("/c", "note")
        let report = try await place.export(laptop, .mirroring)
        #expect(report.problems == [])
        #expect(try place.text("c") == "note")
    }

    @Test func `goes where the folder stays, as no mirror is exported`() async throws {
        try laptop.delete("/c")
        try await place.export(laptop)
        #expect(try contents() == ["c", "c/x.md", "keep.md"])
    }

    @Test func `stays while the export is at work that writes it`() async throws {
        try laptop.delete("/c")
        do {
            let path = place.url.appending(path: Self.leftover).path
            let file = try DiskFile(path, flags: O_RDWR)
            try #require(flock(file.descriptor, LOCK_EX | LOCK_NB) == 0)
            try await place.export(laptop, .mirroring)
            #expect(try contents() == ["c", Self.leftover, "keep.md"])
            withExtendedLifetime(file) {}
        }
        try await place.export(laptop, .mirroring)
        #expect(try contents() == ["keep.md"])
    }

    @Test func `stays where other machines write, unless this device left it`() throws {
        let account = laptop.lockbook.account
        let tags = (0..<2).map { _ in ExportPlace.tag(of: account.device, .system) }
        let own = ExportPlace.temporaryFolder(tags[0], 1)
        #expect(ExportPlace.isTemporary(own, isFolder: true))
        try place.make("c/" + own)
        let folder = try DiskFile("\(place.url.path)/c", flags: O_RDONLY | O_DIRECTORY)
        ExportPlace.removeLeftovers(in: folder, for: tags[1], isShared: true)
        #expect(try contents() == ["c", Self.leftover, "c/x.md", "keep.md"])
        ExportPlace.removeLeftovers(in: folder, for: tags[1], isShared: false)
        #expect(try contents() == ["c", "c/x.md", "keep.md"])
    }
}
