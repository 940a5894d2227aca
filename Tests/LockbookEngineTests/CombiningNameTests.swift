import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Names that combine with the slash beside them: the two are one character of Swift's.
struct CombiningNameTests {
    /// A mark that belongs to what stands before it.
    private static let name = "\u{301}X.md"
    /// A sign that belongs to what comes behind it.
    private static let sign = "\u{600}"

    private let server: TestServer
    private let laptop: Device

    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
    }

    /// Shares a file with somebody who has synced since.
    private func shared(_ path: String) async throws -> (desk: Device, offer: ShareOffer) {
        let desk = try await Person("bob", on: server).firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        return (desk, try #require(try desk.lockbook.offers().first))
    }

    @Test func `a path behind an id begins with such a name`() async throws {
        try laptop.write("/notes/\(Self.name)", "words\n")
        let id = try laptop.lockbook.info(.path("/notes")).id
        let path = "id:\(id)/\(Self.name)"
        #expect(try await laptop.text(path) == "words\n")
        #expect(try laptop.lockbook.destinationPath(path) == "/notes/\(Self.name)")
        try laptop.delete(path)
        let restored = try laptop.lockbook.restore([FileReference(path)])
        #expect(restored.map(\.path) == ["/notes/\(Self.name)"])
    }

    @Test func `what is offered is read below its id`() async throws {
        try laptop.write("/team/\(Self.name)", "words\n")
        let (desk, offer) = try await shared("/team")
        #expect(try await desk.text("id:\(offer.id)/\(Self.name)") == "words\n")
    }

    @Test func `what comes behind a link of such a name is told of`() async throws {
        let team = "/\u{301}team"
        try laptop.write("\(team)/plan.md", "one\n")
        let (desk, offer) = try await shared(team)
        #expect(try desk.lockbook.acceptShare(id: offer.id).path == team)
        try await desk.sync()
        try laptop.write("\(team)/plan.md", "two\n")
        try await laptop.sync()
        #expect(try await desk.sync().pulled == ["\(team)/plan.md"])
    }

    @Test func `a wider share is around a folder of such a name`() async throws {
        let inner = "/team/\u{301}part"
        try laptop.write("\(inner)/plan.md", "one\n")
        _ = try await shared("/team")
        let share = try await laptop.lockbook.share(.path(inner), with: "bob", mode: .read)
        #expect(try laptop.lockbook.widerShare(around: share)?.path == "/team")
    }

    @Test func `a slash behind such a name means a folder`() throws {
        let path = "/notes\(Self.sign)"
        #expect(try laptop.lockbook.create(path: path + "/").type == .folder)
        let found = try laptop.lockbook.completions(of: "/no")
        #expect(found.map { $0.value } == [path + "/"])
    }

    @Test func `a file of the disk is taken out of its own folder`() async throws {
        let top = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-names-\(UUID().uuidString)")
        let folder = top.appending(path: "inner")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: top) }
        let file = folder.path + "/" + Self.name
        #expect(FileManager.default.createFile(atPath: file, contents: Data("words\n".utf8)))
        let report = try laptop.lockbook.importFromDisk([file], to: "/") { _ in }
        #expect(report.problems.isEmpty)
        #expect(try await laptop.text("/\(Self.name)") == "words\n")
    }

    @Test func `what a folder of such a name holds is taken out of it`() async throws {
        let place = try Place()
        let folder = place.url.path + "/in\(Self.sign)"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(files.createFile(atPath: "\(folder)/x.md", contents: Data("words\n".utf8)))
        let report = try laptop.lockbook.importFromDisk(["\(folder)/."], to: "/") { _ in }
        #expect(report.problems.isEmpty)
        #expect(try await laptop.text("/x.md") == "words\n")
    }

    @Test func `another program's note has an attachment of such a name`() async throws {
        let place = try Place()
        try place.make("Note.textbundle/assets")
        let bundle = place.url.path + "/Note.textbundle"
        let link = "assets/\(Self.name)"
        let texts = [("text.md", "![](\(link)) \(link)"), (link, "words\n")]
        for (path, text) in texts {
            let bytes = Data(text.utf8)
            #expect(FileManager.default.createFile(atPath: "\(bundle)/\(path)", contents: bytes))
        }
        let report = try laptop.lockbook.importNotes(of: .bear, from: [bundle], to: "/bear") { _ in
        }
        #expect(report.created == 2)
        #expect(report.ignored == 0)
        let attachment = "attachments/Note/\(Self.name)"
        #expect(try await laptop.text("/bear/\(attachment)") == "words\n")
        #expect(try await laptop.text("/bear/Note.md") == "![](\(attachment)) \(link)")
    }

    @Test func `a tag below another one begins with such a mark`() throws {
        try laptop.write("/one.md", "#caf\u{e9}/\u{301}x\n")
        try laptop.write("/two.md", "#cafe\u{301}/y\n")
        try laptop.write("/three.md", "#caf\u{e9}s/y\n")
        for tag in ["#caf\u{e9}", "cafe\u{301}"] {
            let found = try laptop.lockbook.documents(tagged: tag).found
            #expect(found.map(\.path) == ["/one.md", "/two.md"])
        }
    }

    @Test(
        arguments: [
            ("a/\u{301}x", "a", "\u{301}x"), ("/\u{301}x", "/", "\u{301}x"), ("/x", "/", "x"),
            ("x", ".", "x"), ("/a/x", "/a", "x"), ("\u{600}/x", "\u{600}", "x"),
        ]
    )
    func `a path of the disk is parted at its last slash`(
        path: String,
        parent: String,
        name: String
    ) {
        #expect(Disk.parent(of: path) == parent)
        #expect(Disk.name(of: path) == name)
    }
}
