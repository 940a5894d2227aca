import Foundation
import GRDB
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Contents that are on the server alone, where the disk that they would be kept on is full.
struct UnkeptContentTests {
    private let laptop: Device
    private let phone: Device
    private let texts: [String: String]

    init() async throws {
        var texts: [String: String] = [:]
        for name in ["/a.md", "/b.md"] {
            let digits = (0..<40_000).map { _ in "0123456789abcdef".randomElement() ?? "0" }
            texts[name] = String(digits) + "\nwords of \(name)\n"
        }
        self.texts = texts
        (laptop, phone) = try await Person("alice", on: TestServer()).twoDevices()
        try laptop.write("/kept.md", "kept")
        for (path, text) in texts { try laptop.write(path, text) }
        try await laptop.sync()
        try await phone.sync()
        try phone.lockbook.store.write { tree in
            for path in texts.keys {
                let file = try tree.file(try tree.find(.path(path)))
                let content = try #require(file.content)
                try tree.markAbsent(file.id, blob: content.blob, size: content.blobSize)
                try tree.forgetBytes(of: content.blob)
            }
        }
        try phone.lockbook.store.queue.inDatabase { db in
            // It has no room inside, and may not grow any more, as on a full disk.
            try db.execute(sql: "CREATE TABLE ballast AS SELECT zeroblob(400000)")
            try db.execute(sql: "PRAGMA max_page_count = 1")
        }
    }

    private func keptCount() throws -> Int? {
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
        #expect(try keptCount() == 2)
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
        try phone.lockbook.store.queue.inDatabase {
            try $0.execute(sql: "PRAGMA max_page_count = 1000000")
            try $0.execute(sql: "DROP TABLE ballast")
        }
        for (path, text) in texts { #expect(try await phone.text(path) == text) }
        #expect(try keptCount() == 0)
        #expect(try phone.lockbook.validate() == [])
    }
}
