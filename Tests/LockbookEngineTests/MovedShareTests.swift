import LockbookEngine
import LockbookTestSupport
import Testing

/// A shared file comes into another share, out of one, or from one into another.
struct MovedShareTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let desk: Device
    let tablet: Device

    /// `/team` is shared with bob, `/sub` with carol, who both may write.
    init() async throws {
        people = try Sharers()
        (laptop, desk, tablet) = try await people.oneDeviceEach(holding: [
            "/team/plan.md": "plan", "/sub/deep/note.md": "note", "/club/rules.md": "rules",
        ])
        try await share("/team", .write, laptop, desk)
        try await share("/sub", .write, laptop, tablet)
    }

    func syncAll() async throws {
        for _ in 0..<2 {
            for device in [laptop, desk, tablet] {
                let report = try await device.sync()
                #expect(
                    !report.notes.contains { $0.kind == .notPushed || $0.kind == .notDone },
                    "\(report.notes)"
                )
            }
        }
    }

    func convergeAll() async throws {
        try await syncAll()
        try await converge(ada, laptop)
        try await converge(bob, desk)
        try await converge(carol, tablet)
    }

    func text(_ device: Device, _ path: String) async throws -> String? {
        guard try device.paths().contains(path) else { return nil }
        return try await device.text(path)
    }

    @Test func `a shared folder comes into another share, and all who see it work in it`()
        async throws
    {
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        #expect(try await text(desk, "/team/sub/deep/note.md") == "note")
        #expect(try await text(tablet, "/sub/deep/note.md") == "note")

        try desk.write("/team/sub/deep/note.md", "note by bob")
        try await syncAll()
        #expect(try await text(tablet, "/sub/deep/note.md") == "note by bob")
        try tablet.write("/sub/new.md", "new by carol")
        try await syncAll()
        #expect(try await text(desk, "/team/sub/new.md") == "new by carol")
        // Carol sees no more than before.
        #expect(
            try tablet.paths() == ["/sub", "/sub/deep/", "/sub/deep/note.md", "/sub/new.md"]
        )
        #expect(throws: LockbookError.ownersToChange(path: "/team/sub")) {
            try desk.move("/team/sub", to: "/team/other")
        }
        try await convergeAll()
    }

    @Test func `a shared folder leaves the share that it is in`() async throws {
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        try laptop.move("/team/sub", to: "/")
        try await syncAll()
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        try tablet.write("/sub/deep/note.md", "by carol")
        try await syncAll()
        #expect(try await text(laptop, "/sub/deep/note.md") == "by carol")
        #expect(try desk.lockbook.offers().isEmpty)
        try await convergeAll()
        // Into it once more.
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        #expect(try await text(desk, "/team/sub/deep/note.md") == "by carol")
        try await convergeAll()
    }

    @Test func `a shared folder goes from one share into another`() async throws {
        let dave = Person("dave", on: people.server)
        let phone = try await dave.firstDevice(named: "phone")
        try await share("/club", .write, laptop, phone)
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        try laptop.move("/team/sub", to: "/club/")
        try await syncAll()
        try await phone.sync()
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        #expect(try await text(phone, "/club/sub/deep/note.md") == "note")
        try phone.write("/club/sub/deep/note.md", "by dave")
        try await phone.sync()
        try await syncAll()
        #expect(try await text(tablet, "/sub/deep/note.md") == "by dave")
        try await convergeAll()
        try await converge(dave, phone)
    }

    @Test func `a folder with a shared one in it comes into a share and out of it`() async throws {
        try laptop.write("/box/own.md", "own")
        try laptop.move("/sub", to: "/box/")
        try await syncAll()
        try laptop.move("/box", to: "/team/")
        try await syncAll()
        #expect(try await text(desk, "/team/box/own.md") == "own")
        #expect(try await text(desk, "/team/box/sub/deep/note.md") == "note")
        try desk.write("/team/box/sub/deep/note.md", "by bob")
        try await syncAll()
        #expect(try await text(tablet, "/sub/deep/note.md") == "by bob")
        try laptop.move("/team/box", to: "/")
        try await syncAll()
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        #expect(try await text(tablet, "/sub/deep/note.md") == "by bob")
        try await convergeAll()
    }

    @Test(arguments: ["undo", "restore"])
    func `a move over a border is taken back`(how: String) async throws {
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        if how == "undo" {
            _ = try laptop.lockbook.undo()
            try await syncAll()
            #expect(try desk.paths() == ["/team", "/team/plan.md"])
            #expect(try laptop.paths().contains("/sub/deep/note.md"))
        } else {
            try laptop.delete("/team/sub")
            try laptop.delete("/team")
            try await syncAll()
            _ = try laptop.lockbook.restore([FileReference("/team/sub")])
            try await syncAll()
            #expect(try laptop.paths().contains("/sub/deep/note.md"))
        }
        #expect(try await text(tablet, "/sub/deep/note.md") == "note")
        try await convergeAll()
    }

    @Test func `what is being given to another owner stays where it is`() async throws {
        _ = try laptop.lockbook.transfer(.path("/sub"), to: "carol")
        #expect {
            try laptop.move("/sub", to: "/team/")
        } throws: { error in
            guard case LockbookError.badShare(let path, _) = error else { return false }
            return path == "/sub"
        }
        // Nor does another share come into it.
        #expect(throws: LockbookError.self) { try laptop.move("/team", to: "/sub/") }
        try laptop.move("/club", to: "/sub/")
        _ = try laptop.lockbook.cancelTransfer(.path("/sub"))
        try laptop.move("/sub", to: "/team/")
        try await convergeAll()
        #expect(try await text(desk, "/team/sub/club/rules.md") == "rules")
    }

    @Test func `three shares stand inside of each other, and the middle one leaves with the inner`()
        async throws
    {
        let dave = Person("dave", on: people.server)
        let phone = try await dave.firstDevice(named: "phone")
        try await share("/sub/deep", .write, laptop, phone)
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        try await phone.sync()
        try desk.write("/team/sub/deep/note.md", "by bob")
        try await syncAll()
        try await phone.sync()
        #expect(try await text(phone, "/deep/note.md") == "by bob")
        try laptop.move("/team/sub", to: "/")
        try await syncAll()
        try await phone.sync()
        try phone.write("/deep/note.md", "by dave")
        try await phone.sync()
        try await syncAll()
        #expect(try await text(tablet, "/sub/deep/note.md") == "by dave")
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        // The inner one by itself.
        try laptop.move("/sub/deep", to: "/team/")
        try await syncAll()
        try await phone.sync()
        #expect(try await text(desk, "/team/deep/note.md") == "by dave")
        #expect(try tablet.paths() == ["/sub"])
        #expect(try await text(phone, "/deep/note.md") == "by dave")
        try await convergeAll()
        try await converge(dave, phone)
    }
}
