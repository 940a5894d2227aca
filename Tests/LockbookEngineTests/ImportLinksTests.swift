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
}
