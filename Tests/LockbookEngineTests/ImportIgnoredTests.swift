import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What patterns pass by of a folder that an export wrote.
struct ImportIgnoredTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Bob's desk with `/team` of ada's on the disk, edited there, and with files that are no notes.
    private func edited(ignoring rules: String) async throws -> (desk: Device, place: Place) {
        let (laptop, desk) = try await shared(.write, holding: ["a.md", "sub/b.md"])
        try laptop.write("/team/.lockbookignore", rules)
        try await laptop.sync()
        try await desk.sync()
        let place = try Place()
        try await place.export(desk)
        for name in ["a.md", "sub/b.md", "new.md", "sub/new.md"] {
            try place.write("team/\(name)", "edited")
        }
        return (desk, place)
    }

    private func take(
        in place: Place,
        _ desk: Device,
        excluding patterns: [String] = []
    ) throws -> TransferReport {
        var options = ImportOptions()
        options.excluded = patterns
        return try desk.lockbook.importFromDisk(
            ["\(place.url.path)/."],
            to: "/",
            options: options
        ) { _ in }
    }

    @Test(arguments: ["*.md", "*.md\nsub/", "*"])
    func `what a member says to ignore keeps out no change of an exported note`(rules: String)
        async throws
    {
        let (desk, place) = try await edited(ignoring: rules)
        let report = try take(in: place, desk)
        #expect(report.problems == [])
        #expect((report.created, report.updated) == (0, 2))
        #expect(report.ignored == 2)
        #expect(try await desk.text("/team/a.md") == "edited")
        #expect(try await desk.text("/team/sub/b.md") == "edited")
    }

    @Test func `what was exported is ignored where it is no note any more`() async throws {
        let (desk, place) = try await edited(ignoring: "*.md\nsub/")
        for path in ["/team/a.md", "/team/sub"] { try desk.delete(path) }
        let report = try take(in: place, desk)
        #expect((report.created, report.updated) == (0, 0))
        #expect(report.ignored == 3)
    }

    @Test func `what is excluded on the command line is, exported or not`() async throws {
        let (desk, place) = try await edited(ignoring: "sub/")
        let report = try take(in: place, desk, excluding: ["*.md"])
        #expect((report.created, report.updated) == (0, 0))
        #expect(report.ignored == 4)
        let folders = try take(in: place, desk, excluding: ["sub", "!new.md"])
        #expect((folders.created, folders.updated) == (1, 1))
        #expect(folders.ignored == 1)
        #expect(try await desk.text("/team/sub/b.md") == "sub/b.md")
    }

    @Test func `an exported folder into which a member put a key file is named`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["sub/b.md"])
        let key = try String(contentsOfFile: laptop.directory + "/account.json", encoding: .utf8)
        try laptop.write("/team/sub/account.json", key)
        try await laptop.sync()
        try await desk.sync()
        let place = try Place()
        try await place.export(desk)
        try place.write("team/sub/b.md", "edited")
        let report = try take(in: place, desk)
        #expect(report.ignored == 0)
        #expect(
            report.problems == [
                TransferReport.Problem(
                    path: "\(place.url.path)/./team/sub",
                    reason: "it is the folder of a lockbook, with its keys"
                )
            ]
        )
    }
}
