import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Stories of a member at work in what another account shares: making, importing, deleting, editing,
/// and what becomes of it when the right to it ends.
struct SharedPlaceStoryTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Ada's laptop and bob's desk, with a folder of hers at /team of both.
    private func shared(_ mode: ShareRight = .write) async throws -> (Device, Device) {
        let laptop = try await ada.firstDevice()
        for name in ["a", "b", "c"] { try laptop.write("/team/\(name).md", name) }
        try laptop.write("/team/deep/d.md", "d")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", mode, laptop, desk)
        return (laptop, desk)
    }

    private func setMode(_ mode: ShareRight, _ laptop: Device) async throws -> SyncReport {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: mode)
        return try await laptop.sync()
    }

    @Test func `documents and folders are made behind a link, from a template too`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/templates/plan.md", "plan of ")

        let made = try desk.lockbook.create(path: "/team/new.md")
        _ = try desk.lockbook.create(path: "/team/x/y/")
        _ = try desk.lockbook.create(path: "/team/deep/e.md")
        let isMade = try desk.lockbook.create(
            path: "/team/from.md",
            template: "/templates/plan.md"
        ) { ($0 ?? "") + "bob" }
        let isMadeAgain = try desk.lockbook.create(
            path: "/team/from.md",
            template: "/templates/plan.md"
        ) { _ in "other" }

        #expect(made.path == "/team/new.md")
        #expect(isMade && !isMadeAgain)
        #expect(throws: LockbookError.exists(path: "/team/new.md")) {
            try desk.lockbook.create(path: "/team/new.md")
        }
        #expect(throws: LockbookError.exists(path: "/team")) {
            try desk.lockbook.create(path: "/team")
        }
        try await desk.sync()
        try await laptop.sync()
        #expect(try laptop.paths().contains("/team/x/y/"))
        #expect(try laptop.paths().contains("/team/deep/e.md"))
        #expect(try await laptop.text("/team/from.md") == "plan of bob")
        try await converge(ada, laptop)
    }

    @Test func `files of the disk are taken in behind a link`() async throws {
        let (laptop, desk) = try await shared()
        let disk = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-import-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: disk) }
        try FileManager.default.createDirectory(
            atPath: disk + "/in",
            withIntermediateDirectories: true
        )
        try Data("one".utf8).write(to: URL(filePath: disk + "/one.md"))
        try Data("two".utf8).write(to: URL(filePath: disk + "/in/two.md"))

        for (destination, unchanged) in [("/team", 0), ("/team", 2), ("/team/deep/", 0)] {
            let report = try desk.lockbook.importFromDisk(
                [disk + "/one.md", disk + "/in"],
                to: destination
            ) { _ in }
            #expect(report.problems == [])
            #expect(report.unchanged == unchanged)
        }
        try await desk.sync()
        try await laptop.sync()

        #expect(try await laptop.text("/team/one.md") == "one")
        #expect(try await laptop.text("/team/in/two.md") == "two")
        #expect(try await laptop.text("/team/deep/in/two.md") == "two")

        _ = try await setMode(.read, laptop)
        try await desk.sync()
        try Data("changed".utf8).write(to: URL(filePath: disk + "/one.md"))
        #expect(throws: LockbookError.readOnly(path: "/team/one.md")) {
            try desk.lockbook.importFromDisk([disk + "/one.md"], to: "/team") { _ in }
        }
    }

    @Test func `a file and the folder it is in are deleted at once, behind a link too`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/own/e.md", "e")
        func delete(_ paths: String...) throws {
            _ = try desk.lockbook.delete(paths.map { FileReference($0) })
        }

        #expect(throws: LockbookError.notFound(path: "/team/none")) {
            try delete("/own", "/team/deep", "/team/none")
        }
        #expect(try desk.paths().contains("/own/e.md"))
        #expect(try desk.paths().contains("/team/deep/d.md"))
        try await desk.sync()
        try delete("/own/e.md", "/own", "/team/deep/d.md", "/team/deep", "/team/a.md", "/own")
        try await desk.sync()
        try await laptop.sync()

        #expect(try desk.paths() == ["/team", "/team/b.md", "/team/c.md"])
        let trash = try desk.lockbook.trash().map(\.path)
        #expect(trash == ["/own", "/team/a.md", "/team/deep"])
        #expect(try laptop.paths() == ["/team/", "/team/b.md", "/team/c.md"])
    }

    @Test func `words in what its owner moved out are told with the place that it left`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/team/deep/d.md", "bob's own words")
        try laptop.move("/team/deep/d.md", to: "/d.md")
        try await laptop.sync()

        let report = try await desk.syncAsForetold()

        let told = report.notes.map { "\($0.kind) \($0.path) \($0.detail)" }
        #expect(told == ["keptOwn /d.md /team/deep/d.md"])
        #expect(try await desk.text("/d.md") == "bob's own words")
    }

    @Test func `who may only read any more is told what of his is undone`() async throws {
        let (laptop, desk) = try await shared()
        try desk.delete("/team/a.md")
        _ = try desk.lockbook.rename(.path("/team/b.md"), to: "bob's.md")
        try desk.move("/team/deep/d.md", to: "/team/d.md")
        try desk.write("/team/c.md", "bob's own words")
        let before = try await setMode(.read, laptop)

        let report = try await desk.syncAsForetold()

        #expect(before.pushed == ["/team"], "another mode alone is something that was done")
        let told = Set(report.notes.map { "\($0.kind) \($0.path) \($0.detail)" })
        #expect(
            told == [
                "undone /team/a.md deleted", "undone /team/bob's.md renamed",
                "undone /team/d.md moved", "keptOwn /c.md /team/c.md",
                "modeChanged /team ada, read",
            ]
        )
        #expect(
            try desk.paths() == [
                "/c.md", "/team", "/team/a.md", "/team/b.md", "/team/c.md", "/team/deep/",
                "/team/deep/d.md",
            ]
        )
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test func `what may only be read is not opened in an editor`() async throws {
        let (_, desk) = try await shared(.read)

        await #expect(throws: LockbookError.readOnly(path: "/team/a.md")) {
            try await desk.lockbook.beginEdit(.path("/team/a.md"))
        }
        await #expect(throws: LockbookError.readOnly(path: "/team/deep")) {
            try await desk.lockbook.beginEdit(.path("/team/deep/new.md"))
        }
    }

    @Test func `a text is kept whose note may not be changed any more when it is saved`()
        async throws
    {
        let (laptop, desk) = try await shared()
        var session = try await desk.lockbook.beginEdit(.path("/team/a.md"))
        _ = try await setMode(.read, laptop)
        try await desk.sync()

        let first = try desk.lockbook.save(&session, bytes: Array("a by bob".utf8))
        let second = try desk.lockbook.save(&session, bytes: Array("a by bob, too".utf8))

        #expect(first == .keptOwn(path: "/a.md"))
        #expect(second == .saved)
        #expect(try await desk.text("/a.md") == "a by bob, too")
        #expect(try await desk.text("/team/a.md") == "a")
        try await desk.sync()
        try await converge(bob, desk)
    }

    @Test func `a dry run foretells what a sync does with shares`() async throws {
        let (laptop, desk) = try await shared()

        // Changes of both sides, apart and against each other.
        try desk.write("/team/a.md", "a by bob")
        try desk.write("/team/bob.md", "new")
        try laptop.write("/team/a.md", "a by ada")
        try laptop.delete("/team/b.md")
        try laptop.move("/team/c.md", to: "/team/cc.md")
        try await laptop.syncAsForetold()
        #expect(try await desk.syncAsForetold().pushed.contains("/team/bob.md"))
        #expect(try await laptop.syncAsForetold().pulled.contains("/team/bob.md"))

        // Something new is offered, by an account that nobody followed before.
        let eve = Person("eve", on: ada.server)
        let tablet = try await eve.firstDevice(named: "tablet")
        _ = try await laptop.lockbook.share(.path("/team/deep"), with: "eve", mode: .read)
        #expect(try await laptop.syncAsForetold().pushed.contains("/team/deep"))
        #expect(try await tablet.syncAsForetold().notes.map(\.kind) == [.offered])

        // And all of it is taken back.
        try desk.write("/team/bob.md", "again")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.syncAsForetold()
        let kinds = try await desk.syncAsForetold().notes.map(\.kind)
        #expect(Set(kinds) == [.keptOwn, .takenBack])
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test func `an account is not removed from a device that has a share to take back yet`()
        async throws
    {
        let (laptop, _) = try await shared()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)

        #expect(throws: LockbookError.unsyncedChanges(count: 1)) {
            try laptop.lockbook.logout(force: false)
        }
        try await laptop.sync()
        try laptop.lockbook.logout(force: false)
    }
}
