import Foundation
import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Imports of what goes to places where links stand.
struct ImportLinksTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `what is known of a folder is put down once, however many links stand in it`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let names = (0..<4).map { "\($0).md" }
        for name in names { try laptop.write("/\(name)", "note") }
        try await laptop.sync()
        try await share(names.map { "/\($0)" }, .write, laptop, desk)
        // Every file was written long ago.
        desk.clock.pass(days: 1)
        try desk.write("/own.md", "own")
        let place = try Place()
        try await place.export(desk)
        func take() throws -> TransferReport {
            try desk.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
        }
        #expect(try take().unchanged == 6)
        try desk.lockbook.store.queue.inDatabase { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE put (path BLOB);
                    CREATE TEMP TRIGGER puts AFTER INSERT ON imported BEGIN
                        INSERT INTO put VALUES (NEW.path);
                    END
                    """
            )
        }
        for name in names { try place.write(name, "edited") }

        #expect(try take().updated == 4)
        let most = try desk.lockbook.store.queue.inDatabase { db in
            try Int.fetchAll(db, sql: "SELECT count(*) FROM put GROUP BY path").max()
        }
        #expect(most == 1)
        // All of them are known again.
        #expect(try take().unchanged == 6)
        for name in names { #expect(try await desk.text("/\(name)") == "edited") }
    }

    @Test func `of two sources that fill one link's folder the second is told of what both have`()
        async throws
    {
        let (_, desk) = try await shared()
        let place = try Place()
        for source in ["one", "two"] {
            try place.make("\(source)/team/sub")
            for name in ["x.md", "sub/x.md", "\(source).md"] {
                try place.write("\(source)/team/\(name)", source)
            }
        }
        let report = try desk.lockbook.importFromDisk(
            ["one", "two"].map { "\(place.url.path)/\($0)/." },
            to: "/"
        ) { _ in }
        #expect(report.created == 4)
        #expect(report.updated == 0)
        let left = ["sub/x.md", "x.md"].map { "\(place.url.path)/two/./team/\($0)" }
        #expect(report.problems.map(\.path).sorted() == left)
        #expect(
            Set(report.problems.map(\.reason)) == ["another file of this import has its name"]
        )
        #expect(try await desk.text("/team/x.md") == "one")
        #expect(try await desk.text("/team/two.md") == "two")
    }

    @Test func `what goes behind links to one owner's documents is taken in at once`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let names = ["a.md", "b.md", "c.md"]
        for name in names { try laptop.write("/\(name)", "note") }
        try await laptop.sync()
        try await share(["/a.md", "/c.md"], .write, laptop, desk)
        try await share("/b.md", .read, laptop, desk)
        desk.clock.pass(days: 1)
        let place = try Place()
        try await place.export(desk)
        for name in names + ["team/plan.md"] { try place.write(name, "edited") }

        let report = try desk.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
        #expect(report.updated == 3)
        let shared = report.shared ?? []
        #expect(shared.map(\.path) == ["/a.md", "/c.md", "/team"])
        #expect(shared.map(\.files) == [1, 1, 1])
        // What may only be read keeps none of the others out.
        #expect(
            report.problems == [
                TransferReport.Problem(
                    path: "\(place.url.path)/./b.md",
                    reason: "you may only read what is shared with you there"
                )
            ]
        )
        let commands = try desk.lockbook.commands().filter { $0.owner == "ada" }
        #expect(commands.map(\.files) == [1, 2])
        for name in ["a.md", "c.md", "team/plan.md"] {
            #expect(try await desk.text("/\(name)") == "edited")
        }
        #expect(try await desk.text("/b.md") == "note")
        #expect(try desk.lockbook.validate() == [])
    }

    @Test(arguments: [false, true])
    func `what may only be read keeps out nothing that stands beside it`(
        isDestination: Bool
    ) async throws {
        let (laptop, desk) = try await shared(.read, holding: ["plan.md", "sub/a.md", "open.md"])
        try await share(["/team/sub", "/team/open.md"], .write, laptop, desk)
        desk.clock.pass(days: 1)
        let place = try Place()
        try await place.export(desk)
        for name in ["a-new.md", "open.md", "plan.md", "sub/a.md", "sub/new.md"] {
            try place.write("team/\(name)", "edited")
        }
        try place.write("team/large.md", String(repeating: "long ", count: 300_000))
        let source = "\(place.url.path)/\(isDestination ? "team/." : ".")"

        func take() throws -> TransferReport {
            try desk.lockbook.importFromDisk([source], to: isDestination ? "/team" : "/") { _ in }
        }
        let report = try take()
        #expect((report.created, report.updated) == (1, 2))
        for name in ["open.md", "sub/a.md", "sub/new.md"] {
            #expect(try await desk.text("/team/\(name)") == "edited")
        }
        let left = ["a-new.md", "large.md", "plan.md"]
            .map { "\(source)/\(isDestination ? "" : "team/")\($0)" }
        let reason = "you may only read what is shared with you there"
        // Also when all the rest is in.
        let again = try take()
        #expect((again.created, again.updated) == (0, 0))
        for report in [report, again] {
            #expect(report.problems.map(\.path).sorted() == left)
            #expect(Set(report.problems.map(\.reason)) == [reason])
        }
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        #expect(try desk.lockbook.validate() == [])
    }

    @Test func `where nothing may be written, that is told once`() async throws {
        let (_, desk) = try await shared(.read)
        let place = try Place()
        try place.make("in/team")
        for name in ["one.md", "two.md"] { try place.write("in/team/\(name)", "new") }
        let source = "\(place.url.path)/in/."
        let report = try desk.lockbook.importFromDisk([source], to: "/") { _ in }
        #expect(report.problems.map(\.path) == ["\(source)/team"])
        #expect(throws: LockbookError.readOnly(path: "/team")) {
            try desk.lockbook.importFromDisk(["\(source)/team/."], to: "/team") { _ in }
        }
    }

    @Test func `a slash behind a link to a document makes it no document to write to`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/alone.md", "note")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        let place = try Place()
        try place.write("in.md", "other")
        #expect(throws: LockbookError.notAFolder(path: "/alone.md/")) {
            try desk.lockbook.importFromDisk(["\(place.url.path)/in.md"], to: "/alone.md/") { _ in }
        }
        #expect(try await desk.text("/alone.md") == "note")
    }

    @Test func `a vault goes behind a link as any folder does, and no other export goes there`()
        async throws
    {
        let (_, desk) = try await shared()
        let place = try Place()
        try place.make("vault/.obsidian")
        try place.write("vault/new.md", "new")
        func take(_ program: NoteProgram, to destination: String) throws -> TransferReport {
            try desk.lockbook.importNotes(
                of: program,
                from: ["\(place.url.path)/vault"],
                to: destination
            ) { _ in }
        }
        for destination in ["/team", "/team/sub"] {
            #expect(try take(.obsidian, to: destination).created == 1)
            #expect(try await desk.text("\(destination)/new.md") == "new")
            #expect(throws: CrossesLink.self) { try take(.joplin, to: destination) }
        }
        #expect(throws: LockbookError.notAFolder(path: "/team/plan.md")) {
            try take(.obsidian, to: "/team/plan.md")
        }
    }
}
