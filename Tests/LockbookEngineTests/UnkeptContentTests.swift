import Foundation
import GRDB
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Contents that are on the server alone, where the disk that they would be kept on is full, or nothing
/// can be written.
struct UnkeptContentTests {
    private let laptop: Device
    private let phone: Device
    private let texts: [String: String]

    init() async throws {
        var texts: [String: String] = [:]
        for name in ["/a.md", "/b.md"] {
            let digits = (0..<40_000).map { _ in "0123456789abcdef".randomElement() ?? "0" }
            texts[name] = String(digits) + "\nwords of \(name) [[kept]]\n"
        }
        self.texts = texts
        (laptop, phone) = try await Person("alice", on: TestServer()).twoDevices()
        try laptop.write("/kept.md", "kept")
        for (path, text) in texts { try laptop.write(path, text) }
        try await laptop.sync()
        try await phone.sync()
        try phone.lockbook.store.write { try $0.takeAway(texts.keys.sorted()) }
        try fill()
    }

    /// Leaves the database no room inside, nor any to grow but by so many pages, as on a full disk.
    private func fill(but pages: Int = 0) throws {
        try phone.lockbook.store.queue.inDatabase { db in
            try db.execute(sql: "PRAGMA max_page_count = 1000000; DROP TABLE IF EXISTS ballast")
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            try db.execute(
                sql: "CREATE TABLE ballast AS SELECT zeroblob(?)",
                arguments: [(free + 100) * 4_096]
            )
            let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(count + pages)")
        }
    }

    private func free() throws {
        try phone.lockbook.store.queue.inDatabase {
            try $0.execute(sql: "PRAGMA max_page_count = 1000000; DROP TABLE ballast")
        }
    }

    /// As where nothing in the data directory may be changed: root may.
    private func closeLock() throws {
        let path = Sync.lockPath(phone.directory)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
    }

    /// How many are at the server alone.
    private func awaitedCount() throws -> Int? {
        try phone.lockbook.store.read { tree in
            try Int.fetchOne(tree.db, sql: "SELECT count(*) FROM absent")
        }
    }

    @Test func `they are read, searched and exported all the same`() async throws {
        for (path, text) in texts { #expect(try await phone.text(path) == text) }
        for (path, text) in texts { #expect(try await phone.text(path) == text) }
        var query = SearchQuery("words of")
        query.fetches = true
        var found: [String] = []
        try await phone.lockbook.search(query, in: [.path("/")]) { events in
            for case .matched(let file, _) in events { found.append(file.path) }
        }
        #expect(found == ["/a.md", "/b.md"])

        let folder = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-unkept-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = try await phone.lockbook.export(
            .path("/"),
            to: folder.path,
            options: ExportOptions()
        ) { _ in }
        #expect(report.problems.isEmpty)
        #expect(report.created == 3)
        for (path, text) in texts {
            #expect(try Data(contentsOf: folder.appending(path: path)) == Data(text.utf8))
        }
        #expect(try awaitedCount() == 2)
    }

    @Test(arguments: [false, true])
    func `a large one and its versions are read, and what they link to is found`(isFull: Bool)
        async throws
    {
        try free()
        let digits = (0..<2_500_000).map { _ in "0123456789abcdef".randomElement() ?? "0" }
        let large = String(digits)
        try laptop.write("/large.txt", large)
        try await laptop.sync()
        try laptop.write("/large.txt", large + "\n[[kept]]")
        try await laptop.sync()
        try await phone.sync()
        let paths = texts.keys.sorted() + ["/large.txt"]
        try phone.lockbook.store.write { try $0.takeAway(paths) }
        if isFull { try fill() } else { try closeLock() }

        #expect(try await phone.text("/large.txt") == large + "\n[[kept]]")
        let history = try await phone.lockbook.history(.path("/large.txt"))
        #expect(history.isComplete)
        let first = try #require(history.versions.last?.version)
        var bytes: [UInt8] = []
        try await phone.lockbook.read(.path("/large.txt"), version: first) { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == large)
        let difference = try await phone.lockbook.difference(
            between: .path("/a.md"),
            and: .path("/b.md")
        )
        let isAdded = try #require(difference.lines).contains { $0.kind == .added }
        #expect(isAdded)
        try await phone.lockbook.fetch(.path("/b.md"), toRead: true)
        let links = try phone.lockbook.links(of: .path("/b.md"))
        #expect(links.map(\.path) == ["/kept.md"])
        var query = SearchQuery("words of")
        query.fetches = true
        var found: [String] = []
        try await phone.lockbook.search(query, in: [.path("/")]) { events in
            for case .matched(let file, _) in events { found.append(file.path) }
        }
        #expect(found == ["/a.md", "/b.md"])
        // The row of a large one, which is a file, has room still.
        #expect(try awaitedCount() == (isFull ? 2 : 3))
    }

    /// The content of before has no room in the database, and the new one, which is short, has.
    @Test func `what is written over one is compared with it, and stored`() async throws {
        var session = try await phone.lockbook.beginEdit(.path("/b.md"))
        #expect(try await phone.text("/a.md") == texts["/a.md"])
        try fill(but: 4)
        let result = try await phone.lockbook.saveFetching(&session, bytes: Array("new".utf8))
        #expect(result == .saved)
        #expect(try await phone.text("/b.md") == "new")
    }

    @Test func `files that another device wrote are compared with them`() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-compared-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for device in [laptop, phone] {
            let report = try await device.lockbook.export(
                .path("/"),
                to: folder.path,
                options: ExportOptions()
            ) { _ in }
            #expect(report.problems.isEmpty)
            #expect(report.created == (device === laptop ? 3 : 0))
            #expect(report.unchanged == (device === laptop ? 0 : 3))
        }
    }

    @Test func `what is to be kept is refused, and comes when there is room`() async throws {
        let reason = "no space left for the data directory \(phone.directory)"
        await #expect(throws: LockbookError.contentNotKept(path: "/a.md", reason: reason)) {
            try await phone.lockbook.fetch(.path("/a.md"))
        }
        await #expect(throws: LockbookError.noSpace(for: phone.directory)) {
            try await phone.sync()
        }
        try free()
        for (path, text) in texts { #expect(try await phone.text(path) == text) }
        #expect(try awaitedCount() == 0)
        #expect(try phone.lockbook.validate() == [])
    }
}

extension LocalTree {
    /// Leaves the contents of documents on the server alone.
    fileprivate func takeAway(_ paths: [String]) throws {
        for path in paths {
            let file = try self.file(try find(.path(path)))
            let content = try #require(file.content)
            try markAbsent(file.id, blob: content.blob, size: content.blobSize)
            try forgetBytes(of: content.blob)
        }
    }
}
