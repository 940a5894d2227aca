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

    @Test func `what macOS leaves in a bundle is no attachment`() async throws {
        let place = try Place()
        try place.make("b/n.textbundle/assets")
        try place.make("b/__MACOSX/n.textbundle/assets")
        try place.write("b/n.textbundle/text.md", "![](assets/a.png)")
        try place.write("b/n.textbundle/assets/a.png", "a")
        let strays = [".DS_Store", "n.textbundle/.DS_Store", "n.textbundle/assets/.DS_Store"]
        for stray in strays + ["n.textbundle/assets/._a.png"] {
            try place.write("b/\(stray)", "stray")
        }
        // It would be a bundle without a text, for which nothing is taken in.
        try place.write("b/__MACOSX/n.textbundle/assets/._a.png", "stray")
        let report = try await take(.bear, from: "\(place.url.path)/b")
        #expect(report.created == 2)
        #expect(report.problems == [])
    }

    @Test func `links of a bundle lead to its assets however they are written`() async throws {
        let place = try Place()
        try place.make("n.textbundle/assets")
        try place.write("n.textbundle/info.json", "{\"version\": 2}")
        for name in ["a.png", "A b.png", "p(1).png"] {
            try place.write("n.textbundle/assets/\(name)", name)
        }
        let text = """
            ![](assets/a.png "title") ![](assets/a.png 'title') ![](./assets/a.png)
            ![](<assets/A b.png> "title") ![](assets/p(1).png) ![](assets/p(1).png "title")
            <img src='assets/a.png'> [p](assets/a.png#p) see assets/a.png, ../assets/a.png
            ![x][r] ![y][s]

            [r]: assets/a.png
            [s]: ./assets/p(1).png "title"
            """
        try place.write("n.textbundle/text.md", text)
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        let path = "\(place.url.path)/n.textbundle"
        let report = try laptop.lockbook.importNotes(of: .bear, from: [path], to: "/in") { _ in }
        #expect(report.problems == [])
        let found = try await laptop.text("/in/n.md")
        let wanted = """
            ![](attachments/n/a.png "title") ![](attachments/n/a.png 'title') \
            ![](attachments/n/a.png)
            ![](<attachments/n/A%20b.png> "title") ![](attachments/n/p%281%29.png) \
            ![](attachments/n/p%281%29.png "title")
            <img src='attachments/n/a.png'> [p](attachments/n/a.png#p) see assets/a.png, \
            ../assets/a.png
            ![x][r] ![y][s]

            [r]: attachments/n/a.png
            [s]: attachments/n/p%281%29.png "title"
            """
        #expect(found == wanted)
    }

    @Test func `an attachment that a bundle does not hold is named`() async throws {
        let place = try Place()
        try place.make("n.textbundle")
        try place.write("n.textbundle/info.json", "{\"version\": 2}")
        let text = "![](assets/none.png) ![](./assets/none.png) `![](assets/code.png)` (assets/x)"
        try place.write("n.textbundle/text.md", text)
        let report = try await take(.bear, from: "\(place.url.path)/n.textbundle")
        #expect(report.created == 1)
        #expect(
            report.problems.map(\.reason)
                == ["the export does not hold its attachment assets/none.png"]
        )
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

    /// They came in by when they were made, and each looked only so far above itself.
    @Test func `notebooks deep in each other stay so, whichever comes first`() async throws {
        let place = try Place()
        try place.make("raw")
        for number in 0...129 {
            let parent = number < 129 ? "\(number + 1)" : ""
            let item = "book \(number)\n\nid: \(number)\nparent_id: \(parent)\ntype_: 2"
            try place.write("raw/\(number).md", item)
        }
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        let raw = "\(place.url.path)/raw"
        let report = try laptop.lockbook.importNotes(of: .joplin, from: [raw], to: "/in") { _ in }
        #expect(report.problems == [])
        // Those in up to 128 others are in them, the last one is at the top.
        let top = try laptop.lockbook.list(.path("/in"), recursive: false).map(\.path)
        #expect(top.sorted() == ["/in/book 0", "/in/book 129"])
    }

    @Test func `an export in which two items have one id changes nothing`() async throws {
        let place = try Place()
        try place.make("raw")
        try place.write("raw/a.md", "one\n\nid: 1\ntype_: 1")
        try place.write("raw/b.md", "two\n\nid: 1\ntype_: 1")
        let note = """
            {"uuid": "n", "content_type": "Note", "content": {"title": "t", "references": []}}
            """
        try place.write("twice.txt", "{\"version\": \"004\", \"items\": [\(note), \(note)]}")
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        let exports: [(NoteProgram, String, id: String)] = [
            (.joplin, "raw", "1"), (.standardNotes, "twice.txt", "n"),
        ]
        for (program, name, id) in exports {
            let path = "\(place.url.path)/\(name)"
            let bad = LockbookError.badExport(
                path: path,
                reason: "two items in it have the id \(id)"
            )
            #expect(throws: bad) {
                try laptop.lockbook.importNotes(of: program, from: [path], to: "/in") { _ in }
            }
        }
        #expect(try laptop.paths() == [])
    }

    @Test func `of two files of one attachment one is taken in, and what is none is named`()
        async throws
    {
        let place = try Place()
        try place.make("raw/resources")
        try place.write("raw/r.md", "shot.png\n\nid: r\nfile_extension: png\ntype_: 4")
        for ending in ["jpg", "png"] { try place.write("raw/resources/r.\(ending)", ending) }
        try place.write("raw/resources/x.png", "nothing tells of it")
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        let raw = "\(place.url.path)/raw"
        let report = try laptop.lockbook.importNotes(of: .joplin, from: [raw], to: "/in") { _ in }
        #expect(report.created == 1)
        #expect(report.problems.map(\.path) == ["resources/r.jpg", "resources/x.png"])
        #expect(try await laptop.text("/in/attachments/shot.png") == "png")
    }

    @Test(arguments: [64, 65])
    func `a tag in too many others is named`(others: Int) async throws {
        let tags = (0...others).map { number in
            let outer = """
                {"uuid": "t\(number - 1)", "content_type": "Tag",
                 "reference_type": "TagToParentTag"}
                """
            let note = """
                {"uuid": "n", "content_type": "Note"}
                """
            let references = (number > 0 ? [outer] : []) + (number == others ? [note] : [])
            return """
                {"uuid": "t\(number)", "content_type": "Tag", "content":
                 {"title": "l\(number)", "references": [\(references.joined(separator: ","))]}}
                """
        }
        let note = """
            {"uuid": "n", "content_type": "Note", "content":
             {"title": "a", "text": "x", "references": []}}
            """
        let items = (tags + [note]).joined(separator: ",")
        let place = try Place()
        try place.write("backup.txt", "{\"version\": \"004\", \"items\": [\(items)]}")
        let report = try await take(.standardNotes, from: "\(place.url.path)/backup.txt")
        #expect(report.created == 1)
        #expect(report.problems.map(\.path) == (others > 64 ? ["l65"] : []))
    }

    @Test func `links with backslashes and without quotes lead to a bundle's assets`()
        async throws
    {
        let place = try Place()
        try place.make("n.textbundle/assets")
        try place.write("n.textbundle/info.json", "{\"version\": 2}")
        try place.write("n.textbundle/assets/p_(1).png", "p")
        let text = #"![](assets/p\_\(1\).png) <img src=assets/p_(1).png> a=assets/p_(1).png"#
        try place.write("n.textbundle/text.md", text)
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        let path = "\(place.url.path)/n.textbundle"
        let report = try laptop.lockbook.importNotes(of: .bear, from: [path], to: "/in") { _ in }
        #expect(report.problems == [])
        let name = "attachments/n/p_%281%29.png"
        #expect(
            try await laptop.text("/in/n.md")
                == "![](\(name)) <img src=\(name)> a=assets/p_(1).png"
        )
    }
}
