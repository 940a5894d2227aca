import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Folders of a data directory that are elsewhere, with links in their places.
struct MovedFoldersTests {
    private let laptop: Device
    private let place: Place
    private var elsewhere: String { place.url.path }

    init() async throws {
        laptop = try await Person("alice", on: try TestServer()).firstDevice()
        try laptop.write("/large.bin", noise(300_000, seed: 1))
        try await laptop.sync()
        place = try Place()
        // Old enough for whatever goes by its age.
        let file = elsewhere + "/thesis.tex"
        try Data("thesis".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: file
        )
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: elsewhere).sorted() }
    }

    private func link(_ name: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(laptop.directory)/\(name)",
            withDestinationPath: elsewhere
        )
    }

    private var isGone: Bool {
        (try? FileManager.default.attributesOfItem(atPath: laptop.directory)) == nil
    }

    @Test func `contents that were moved to another disk are used there, and no other file`()
        async throws
    {
        let blobs = laptop.directory + "/blobs"
        for name in try FileManager.default.contentsOfDirectory(atPath: blobs) {
            try FileManager.default.moveItem(
                atPath: "\(blobs)/\(name)",
                toPath: "\(elsewhere)/\(name)"
            )
        }
        try FileManager.default.removeItem(atPath: blobs)
        try link("blobs")
        let left = [String(repeating: "0a", count: 32), "new-0123456789abcdef"]
        for name in left {
            try Data("left".utf8).write(to: URL(filePath: "\(elsewhere)/\(name)"))
        }

        try laptop.write("/other.bin", noise(300_000, seed: 2))
        try await laptop.sync()
        laptop.clock.pass(days: 1)
        try await laptop.sync()
        #expect(try names.count == 3 && names.last == "thesis.tex")
        #expect(try await laptop.text("/large.bin") == noise(300_000, seed: 1))
        #expect(try laptop.lockbook.validate() == [])

        try laptop.lockbook.logout(force: false)
        #expect(try names == ["thesis.tex"])
        #expect(isGone)
    }

    @Test func `a link in the place of a rehearsal's folder is not followed`() async throws {
        let name = String(repeating: "0a", count: 32)
        try Data("another one's".utf8).write(to: URL(filePath: "\(elsewhere)/\(name)"))
        try link("rehearsal")
        _ = try await laptop.dryRun()
        #expect(try names == [name, "thesis.tex"])
        try link("rehearsal")
        try laptop.lockbook.logout(force: false)
        #expect(try names == [name, "thesis.tex"])
        #expect(isGone)
    }

    @Test func `of what others share their folders are removed, and no other`() async throws {
        let other = elsewhere + "/thesis"
        let theirs = "\(elsewhere)/" + String(repeating: "0b", count: 32)
        for folder in [other, theirs] {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false
            )
            try Data().write(to: URL(filePath: folder + "/lockbook.db"))
        }
        try link("shares")
        try laptop.lockbook.logout(force: false)
        #expect(try names == ["thesis", "thesis.tex"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["lockbook.db"])
        #expect(isGone)
    }

    @Test func `what cannot be removed keeps nothing else of an account that is gone`() throws {
        let line = laptop.directory + "/shell-history"
        try FileManager.default.createDirectory(atPath: line, withIntermediateDirectories: false)
        try laptop.lockbook.remember(draftPlace: "/drafts")
        let failure = LockbookError.notAllRemoved(
            directory: laptop.directory,
            path: line,
            reason: "Is a directory"
        )
        #expect(throws: failure) { try laptop.lockbook.logout(force: false) }
        let left = try FileManager.default.contentsOfDirectory(atPath: laptop.directory)
        #expect(left == ["shell-history"])
    }
}
