import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A server that was restored from a backup, and shares that were changed since.
struct RollbackSharedTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @discardableResult
    func accept(_ devices: Device...) async throws -> SyncReport {
        var options = SyncOptions()
        options.acceptsRollback = true
        var report: SyncReport?
        for device in devices { report = try await device.sync(options) }
        return try #require(report)
    }

    /// Runs `change` after a backup of the server, which is put back then.
    func losing(_ change: () async throws -> Void) async throws {
        let backup = try people.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try await change()
        try people.server.restore(backup)
    }

    /// `/team` of ada's, which was shared with bob since the backup, and what came then.
    func sharedSince(
        _ change: (_ laptop: Device, _ desk: Device) async throws -> Void
    ) async throws -> (laptop: Device, desk: Device) {
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        try await losing {
            try await share("/team", .write, laptop, desk)
            try await change(laptop, desk)
        }
        return (laptop, desk)
    }

    func takeBack(_ laptop: Device) async throws {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
    }

    func grant(_ laptop: Device) async throws {
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
    }

    /// Bob is out for a while, knows it, and accepts again.
    func letInAgain(_ desk: Device, _ laptop: Device) async throws {
        try await takeBack(laptop)
        try await desk.sync()
        try await grant(laptop)
        try await desk.sync()
        let again = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: again.id)
        try await desk.sync()
    }

    func isWhole(_ person: Person, _ devices: Device...) async throws {
        for device in devices {
            let report = try await device.sync()
            #expect(report.notes.isEmpty, "\(device.name)")
            #expect(try device.lockbook.validate() == [])
            #expect(try device.lockbook.status().changes == [])
        }
        let fresh = try await person.device(named: "fresh", like: devices[0])
        for device in devices {
            #expect(try await device.snapshot() == fresh.snapshot(), "\(device.name)")
        }
    }

    // MARK: A member who was out for a while

    @Test(arguments: [false, true])
    func `a member who was let in again since the backup goes on`(synced: Bool) async throws {
        let (laptop, desk) = try await shared()
        try await losing {
            try await letInAgain(desk, laptop)
            try desk.write("/team/words.md", "bob's words")
            try desk.write("/team/plan.md", "plan\nof bob")
            if synced { try await desk.sync() }
        }
        try await accept(laptop)
        try await accept(desk)
        try desk.write("/team/more.md", "more")
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
        #expect(try await laptop.text("/team/words.md") == "bob's words")
        #expect(try await laptop.text("/team/plan.md") == "plan\nof bob")
        #expect(try await laptop.text("/team/more.md") == "more")
    }

    @Test func `a member who was let in again and accepts first goes on`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md"])
        try await losing {
            try await letInAgain(desk, laptop)
            try desk.write("/team/deep/words.md", "bob's words")
            try await desk.sync()
            try await laptop.sync()
        }
        try await accept(desk, laptop)
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
        #expect(try await laptop.text("/team/deep/words.md") == "bob's words")
    }

    // MARK: Files of a time that the server forgot, with later keys

    @Test(arguments: [false, true])
    func `a file that was made and whose share was taken back is pushed again`(memberFirst: Bool)
        async throws
    {
        let (laptop, desk) = try await shared()
        try await losing {
            try laptop.write("/team/own.md", "own")
            try laptop.write("/team/new/deep.md", "deep")
            try desk.write("/team/bobs.md", "bob's")
            try await laptop.sync()
            try await desk.sync()
            try await laptop.sync()
            try await takeBack(laptop)
            try await desk.sync()
        }
        if memberFirst {
            try await accept(desk)
            try await desk.sync()
            // The server has it again, until an owner's device takes it back.
            #expect(try desk.lockbook.offers().map(\.name) == ["team"])
        }
        let report = try await accept(laptop)
        #expect(report.rollback?.grants.map(\.path) == ["/team"])
        #expect(report.rollback?.grants.map(\.username) == ["bob"])
        #expect(report.rollback?.grants.first?.mode == nil)
        #expect(try laptop.lockbook.shares().isEmpty)
        try await isWhole(ada, laptop)
        #expect(
            try laptop.paths() == [
                "/team/", "/team/bobs.md", "/team/new/", "/team/new/deep.md", "/team/own.md",
                "/team/plan.md",
            ]
        )
        if !memberFirst { try await accept(desk) }
        try await desk.sync()
        #expect(try desk.paths().isEmpty && desk.lockbook.offers().isEmpty)
    }

    @Test(arguments: [false, true])
    func `a file that was made in a share and moved out of it is pushed again`(memberFirst: Bool)
        async throws
    {
        let (laptop, desk) = try await shared()
        try await losing {
            try laptop.write("/team/own.md", "own")
            try laptop.write("/team/new/deep.md", "deep")
            try await laptop.sync()
            try await desk.sync()
            try laptop.move("/team/own.md", to: "/")
            try laptop.move("/team/plan.md", to: "/")
            try laptop.move("/team/new", to: "/")
            try laptop.write("/new/deep.md", "deep\nnot for bob")
            try await laptop.sync()
        }
        if memberFirst { try await accept(desk) }
        try await accept(laptop)
        if memberFirst { try await desk.sync() }
        try await isWhole(ada, laptop)
        #expect(try await laptop.text("/new/deep.md").contains("not for bob"))
        #expect(
            try laptop.paths() == ["/new/", "/new/deep.md", "/own.md", "/plan.md", "/team/"]
        )
        if !memberFirst {
            let report = try await accept(desk)
            // What he did not write is not his.
            #expect(report.notes.isEmpty)
        }
        try await isWhole(ada, laptop)
        try await isWhole(bob, desk)
        for path in try desk.paths() where path.hasSuffix(".md") {
            #expect(try await !desk.text(path).contains("not for bob"))
        }
        #expect(try desk.lockbook.list(.path("/team"), recursive: false).isEmpty)
    }

    @Test func `a right that was made less since the backup is made less again`() async throws {
        let (laptop, desk) = try await shared()
        try await losing {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
            try await laptop.sync()
        }
        try await accept(laptop)

        #expect(try laptop.lockbook.shares().map(\.mode) == [.read])
        try await accept(desk)
        #expect(throws: LockbookError.self) { try desk.write("/team/plan.md", "written") }
        try await isWhole(ada, laptop)
        try await isWhole(bob, desk)
    }

    @Test func `a part that was taken back from somebody keeps what he wrote`() async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try laptop.write("/team/part/note.md", "note")
        try await laptop.sync()
        try await desk.sync()
        try await losing {
            try await share("/team/part", .write, laptop, tablet)
            try tablet.write("/part/carols.md", "carol's")
            try await tablet.sync()
            try await laptop.sync()
            try await desk.sync()
            try laptop.lockbook.setShare(.path("/team/part"), of: "carol", to: nil)
            try await laptop.sync()
            try await desk.sync()
            try await tablet.sync()
        }
        try await accept(laptop, desk, tablet, laptop)
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
        #expect(try await laptop.text("/team/part/carols.md") == "carol's")
        #expect(try await desk.text("/team/part/carols.md") == "carol's")
        #expect(try tablet.lockbook.offers().isEmpty)
    }
}
