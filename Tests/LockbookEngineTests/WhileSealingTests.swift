import Foundation
import GRDB
import Glibc
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What happens to a note, or to its file on the disk, while a large content is read and sealed.
struct WhileSealingTests {
    private let alice: Person
    private let folder: URL
    private let once = Once()
    private let note = "/big.txt"

    init() throws {
        alice = Person("alice", on: try TestServer())
        folder = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// More than is sealed in memory.
    private func large(_ letter: Character) -> String { String(repeating: letter, count: 300_000) }

    private func take(_ device: Device, force: Bool = false) throws -> TransferReport {
        var options = ImportOptions()
        options.force = force
        return try device.lockbook.importFromDisk(
            ["\(folder.path)/."],
            to: "/",
            options: options
        ) { _ in }
    }

    @Test(arguments: [false, true])
    func `a note that is changed while its file is read stays, unless that is forced`(
        isForced: Bool
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let laptop = try await alice.firstDevice()
        let reading = try laptop.again(random: once.random)
        try write("big.txt", large("a"))
        #expect(try take(reading).created == 1)
        try write("big.txt", large("b"))
        once.atDraw(of: 8) { try laptop.write("/big.txt", "changed here") }

        let report = try take(reading, force: isForced)

        #expect(report.updated == (isForced ? 1 : 0))
        #expect(report.problems.count == (isForced ? 0 : 1))
        #expect(try await laptop.text(note) == (isForced ? large("b") : "changed here"))
        // It is left out by the next one, too.
        if !isForced { #expect(try take(reading).problems.map(\.reason) == [Self.changed]) }
        #expect(try laptop.lockbook.validate() == [])
    }

    private static let changed =
        "the note was changed in the lockbook; --force takes the file's text"

    @Test func `a note that is made while its file is read stays`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let laptop = try await alice.firstDevice()
        let reading = try laptop.again(random: once.random)
        try write("big.txt", large("a"))
        once.atDraw(of: 8) { try laptop.write("/big.txt", "made here") }

        let report = try take(reading)

        #expect(report.created == 0)
        #expect(report.problems.map(\.reason) == [Self.changed])
        #expect(try await laptop.text(note) == "made here")
    }

    @Test func `what another program has of it leaves it alone, too`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let laptop = try await alice.firstDevice()
        let reading = try laptop.again(random: once.random)
        let bundle = folder.appending(path: "a.textbundle")
        let assets = bundle.appending(path: "assets")
        try FileManager.default.createDirectory(at: assets, withIntermediateDirectories: true)
        try write("a.textbundle/info.json", "{\"version\": 2}")
        try write("a.textbundle/text.md", "text")
        func take() throws -> TransferReport {
            try reading.lockbook.importNotes(of: .bear, from: [bundle.path], to: "/in") { _ in }
        }
        try write("a.textbundle/assets/a.bin", large("a"))
        #expect(try take().created == 2)
        try write("a.textbundle/assets/a.bin", large("b"))
        let asset = "/in/attachments/a/a.bin"
        once.atDraw(of: 8) { try laptop.write(asset, "changed here") }

        let report = try take()

        #expect(report.problems.map(\.path) == [asset])
        #expect(try await laptop.text(asset) == "changed here")
    }

    @Test func `a file that is emptied while it is read is named, and the rest goes in`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let laptop = try await alice.firstDevice()
        let reading = try laptop.again(random: once.random)
        try write("big.txt", large("a"))
        try write("z.md", "text")
        let file = folder.appending(path: "big.txt").path
        // The content's key: the file is open by then.
        once.atDraw(of: 32) { #expect(truncate(file, 0) == 0) }

        let report = try take(reading)

        #expect(report.created == 1)
        #expect(report.problems.map(\.reason) == ["it was emptied while it was read"])
        #expect(try laptop.paths() == ["/z.md"])
        #expect(try take(reading).created == 1)
        #expect(try laptop.paths() == ["/big.txt", "/z.md"])
    }

    @Test func `a file that grows while it is read goes in as long as it was, and is named`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let laptop = try await alice.firstDevice()
        let reading = try laptop.again(random: once.random)
        try write("big.txt", large("a"))
        let file = folder.appending(path: "big.txt").path
        // The content's key: the file is open by then.
        once.atDraw(of: 32) { #expect(truncate(file, 300_001) == 0) }

        let report = try take(reading)

        #expect((report.created, report.problems.count) == (1, 1))
        #expect(try await laptop.text(note) == large("a"))
        #expect(try take(reading).updated == 1)
        #expect(try await laptop.text(note) == large("a") + "\0")
    }

    @Test func `what went in before an import failed is known to the next one`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let laptop = try await alice.firstDevice()
        try write("a.md", "one")
        try write("big.txt", large("a"))
        // No large content can be kept there.
        let blobs = URL(filePath: laptop.directory).appending(path: "blobs")
        try? FileManager.default.removeItem(at: blobs)
        try Data().write(to: blobs)
        #expect(throws: LockbookError.self) { try take(laptop) }
        try FileManager.default.removeItem(at: blobs)
        #expect(try laptop.paths() == ["/a.md"])
        try laptop.write("/a.md", "here")
        try write("a.md", "there")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 3_600)],
            ofItemAtPath: folder.appending(path: "a.md").path
        )

        let report = try take(laptop)

        #expect((report.created, report.updated) == (1, 0))
        #expect(report.problems.map(\.reason) == [Self.changed])
        #expect(try await laptop.text("/a.md") == "here")
    }

    @Test func `a note that does not open keeps its large file out, and nothing else`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let laptop = try await alice.firstDevice()
        try write("big.txt", large("a"))
        #expect(try take(laptop).created == 1)
        try laptop.lockbook.store.write { tree in
            try tree.db.execute(sql: "UPDATE file SET damaged = 1 WHERE type = 1")
        }
        try write("big.txt", large("b"))
        try write("z.md", "text")

        let report = try take(laptop)

        #expect((report.created, report.updated) == (1, 0))
        #expect(report.problems.map(\.reason) == ["the document that is there does not open"])
    }

    /// What came is what the note had when it began to come.
    @Test func `a content that a sync lets go of while it comes goes in all the same`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let laptop = try await alice.firstDevice()
        try laptop.write(note, large("a"))
        try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop)
        let store = phone.lockbook.store
        let writer = try store.read { try $0.writer(for: .path(note), append: false) }
        var source: [UInt8]? = Array(large("a").utf8)
        let sealed = try writer.seal(
            from: {
                defer { source = nil }
                return source
            },
            environment: store.environment,
            blobs: store.blobs
        )
        try laptop.write(note, "of the laptop")
        try await laptop.sync()
        try await phone.sync()

        _ = try store.change { try $0.keep(sealed, of: writer) }

        for device in [phone, laptop] {
            try await device.sync()
            #expect(try await device.text(note) == large("a"))
            #expect(try device.lockbook.validate() == [])
        }
        #expect(try await laptop.lockbook.history(.path(note)).versions.count == 3)
    }
}
