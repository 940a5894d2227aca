import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What is said of something that another program exported.
struct ForeignImportTests {
    private func take(_ program: NoteProgram, from path: String) async throws -> TransferReport {
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        return try laptop.lockbook.importNotes(of: program, from: [path], to: "/in") { _ in }
    }

    /// Each of them was looked for to the end of the text: this took half an hour.
    @Test func `a text full of links that do not end is taken in`() async throws {
        let place = try Place()
        try place.make("a.textbundle/assets")
        try place.write("a.textbundle/info.json", "{\"version\": 2}")
        try place.write("a.textbundle/assets/a.png", "a")
        let text = String(repeating: "(assets/a.pngx ", count: 100_000)
        try place.write("a.textbundle/text.md", text)
        let report = try await take(.bear, from: "\(place.url.path)/a.textbundle")
        #expect(report.created == 2)
    }

    @Test func `what stays out of a vault is named by its path on the disk`() async throws {
        let place = try Place()
        try place.make("vault/.obsidian")
        try place.write("vault/a.md", "a")
        let vault = "\(place.url.path)/vault"
        try FileManager.default.createSymbolicLink(
            atPath: "\(vault)/link.md",
            withDestinationPath: "a.md"
        )
        let report = try await take(.obsidian, from: vault)
        #expect(report.created == 1)
        #expect(report.problems.map(\.path) == ["\(vault)/link.md"])
    }

    @Test func `the tags that a note comes in without are named in order`() async throws {
        let tags = (0..<8).map { number in
            """
            {"uuid": "t\(number)", "content_type": "Tag", "content": {"title": "tag\(number)",
             "references": [{"uuid": "n", "content_type": "Note"}]}}
            """
        }
        let note = """
            {"uuid": "n", "content_type": "Note", "content":
             {"title": "c", "text": "x", "noteType": "code", "references": []}}
            """
        let items = (tags + [note]).joined(separator: ",")
        let place = try Place()
        try place.write("backup.txt", "{\"version\": \"004\", \"items\": [\(items)]}")
        let report = try await take(.standardNotes, from: "\(place.url.path)/backup.txt")
        #expect(report.created == 1)
        let names = (0..<8).map { "tag\($0)" }.joined(separator: ", ")
        #expect(
            report.problems.map(\.reason) == ["it was taken in without its tags: \(names)"]
        )
    }
}
