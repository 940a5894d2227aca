import LockbookEngine
import LockbookTestSupport
import Testing

/// Shares that stand in a folder which somebody deletes, of which their members see nothing.
struct BuriedShareTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Ada's laptop with `/work/team`, which bob's desk has as `/team`.
    private func inFolder() async throws -> (Device, Device) {
        let laptop = try await ada.firstDevice()
        try laptop.write("/work/team/plan.md", "plan")
        try laptop.write("/work/team/list.md", "list")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/work/team", .write, laptop, desk)
        return (laptop, desk)
    }

    /// Ada's laptop with `/all/sub/part`; carol's tablet has `/all`, bob's desk `/part`.
    private func inShare() async throws -> (Device, tablet: Device, desk: Device) {
        let laptop = try await ada.firstDevice()
        for note in ["a.md", "b.md", "c.md", "deep/d.md"] {
            try laptop.write("/all/sub/part/\(note)", note)
        }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/all/sub/part", .write, laptop, desk)
        try await share("/all", .write, laptop, tablet)
        return (laptop, tablet, desk)
    }

    private func changeAll(below part: String, on device: Device) throws {
        try device.write("\(part)/a.md", "written")
        try device.write("\(part)/new/new.md", "new")
        try device.move("\(part)/b.md", to: "\(part)/renamed.md")
        try device.move("\(part)/deep/d.md", to: "\(part)/")
        try device.delete("\(part)/c.md")
    }

    @Test func `a share is deleted with its folder, and comes back with it`() async throws {
        let (laptop, desk) = try await inFolder()
        try laptop.delete("/work")
        try await laptop.sync()

        try await desk.sync()
        #expect(throws: LockbookError.leadsNowhere(path: "/team")) {
            try desk.lockbook.info(.path("/team/plan.md"))
        }
        // It is in the trash with its folder, and not once more by itself.
        #expect(try laptop.lockbook.trash().map(\.path) == ["/work"])
        try await converge(ada, laptop)

        _ = try laptop.lockbook.restore([.path("/work")])
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan")
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test func `what a member did before he knew that its folder is deleted waits in the trash`()
        async throws
    {
        let (laptop, desk) = try await inFolder()
        try laptop.write("/other.md", "other")
        try await laptop.sync()
        try await share("/other.md", .write, laptop, desk)
        try desk.write("/other.md", "bob's other words")
        try desk.write("/team/plan.md", "bob's words")
        try desk.write("/team/new/new.md", "bob's new words")
        try desk.delete("/team/list.md")
        try laptop.delete("/work")
        try await laptop.sync()
        try await desk.sync()
        try await laptop.sync()

        #expect(try await laptop.text("/other.md") == "bob's other words")
        _ = try laptop.lockbook.restore([.path("/work")])
        #expect(try await laptop.text("/work/team/plan.md") == "bob's words")
        #expect(try await laptop.text("/work/team/new/new.md") == "bob's new words")
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test func `what a member writes in a share that another member buried is taken`()
        async throws
    {
        let (laptop, tablet, desk) = try await inShare()
        try await desk.sync()
        try tablet.delete("/all/sub")
        try await tablet.sync()
        try changeAll(below: "/part", on: desk)

        let report = try await desk.sync()
        #expect(report.notes.isEmpty)
        #expect(try desk.lockbook.status().changes == [])
        // The owner's next sync deletes it for those who see it alone, too.
        try await laptop.sync()
        try await desk.sync()
        #expect(throws: LockbookError.self) { try desk.lockbook.info(.path("/part/a.md")) }
        try await converge(bob, desk)
        try await converge(carol, tablet)

        _ = try laptop.lockbook.restore([.path("/all/sub")])
        #expect(try await laptop.text("/all/sub/part/a.md") == "written")
        #expect(try await laptop.text("/all/sub/part/new/new.md") == "new")
        #expect(try await laptop.text("/all/sub/part/renamed.md") == "b.md")
        #expect(try await laptop.text("/all/sub/part/d.md") == "deep/d.md")
        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try await desk.text("/part/a.md") == "written")
        try await converge(bob, desk)
        try await converge(carol, tablet)
    }

    @Test func `a share is back after its owner's sync when a member restores its folder`()
        async throws
    {
        let (laptop, tablet, desk) = try await inShare()
        try tablet.delete("/all/sub")
        try await tablet.sync()
        try await laptop.sync()
        try await tablet.sync()
        _ = try tablet.lockbook.restore([.path("/all/sub")])
        try await tablet.sync()
        try await laptop.sync()

        #expect(try await laptop.text("/all/sub/part/a.md") == "a.md")
        try await desk.sync()
        #expect(try await desk.text("/part/a.md") == "a.md")
        try await converge(ada, laptop)
        try await converge(bob, desk)
        try await converge(carol, tablet)
    }

    @Test(arguments: [false, true])
    func `a share is back when its folder was before its owner's deletion was known`(
        isUndone: Bool
    ) async throws {
        let (laptop, tablet, desk) = try await inShare()
        try tablet.delete("/all/sub")
        try await tablet.sync()
        try await laptop.sync()
        if isUndone {
            _ = try tablet.lockbook.undo()
        } else {
            _ = try tablet.lockbook.restore([.path("/all/sub")])
        }
        try tablet.write("/all/sub/part/a.md", "word")
        try tablet.write("/all/sub/part/new.md", "new")
        try await tablet.sync()
        try await laptop.sync()

        #expect(try await laptop.text("/all/sub/part/a.md") == "word")
        #expect(try await laptop.text("/all/sub/part/new.md") == "new")
        try await desk.sync()
        #expect(try await desk.text("/part/a.md") == "word")
        try await converge(ada, laptop)
        try await converge(bob, desk)
        try await converge(carol, tablet)
        #expect(try await tablet.text("/all/sub/part/new.md") == "new")
    }

    @Test func `a share that moves out of its folder while that is deleted stays shared`()
        async throws
    {
        let (laptop, desk) = try await inFolder()
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.move("/work/team", to: "/")
        try laptop.delete("/work")
        try await laptop.sync()
        try await converge(ada, phone, laptop)

        #expect(try await laptop.text("/team/plan.md") == "plan")
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan")
        try await converge(bob, desk)
    }

    @Test func `a shared file that was deleted itself does not come back with its folder`()
        async throws
    {
        let (laptop, desk) = try await inFolder()
        let phone = try await ada.device(named: "phone", like: laptop)
        try laptop.delete("/work")
        try await laptop.sync()
        try phone.delete("/work/team")
        _ = try laptop.lockbook.restore([.path("/work")])
        try await phone.sync()
        try await converge(ada, laptop, phone)

        #expect(try laptop.paths() == ["/work/"])
        try await converge(bob, desk)
    }

    @Test func `what is shared by itself is restored out of the share around it`() async throws {
        let (laptop, tablet, desk) = try await inShare()
        try laptop.delete("/all/sub/part")
        try laptop.delete("/all")
        try await laptop.sync()
        let part = try #require(try laptop.lockbook.trash().first { $0.path == "/all/sub/part" })
        _ = try laptop.lockbook.restore([.id(prefix: part.id)])
        try await converge(ada, laptop)
        #expect(try await laptop.text("/part/a.md") == "a.md")
        _ = try laptop.lockbook.restore([.path("/all")])

        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try await desk.text("/part/a.md") == "a.md")
        try await converge(bob, desk)
        try await converge(carol, tablet)
    }

    @Test func `what moves out of a share into a folder that is deleted goes to the trash`()
        async throws
    {
        let (laptop, desk) = try await inFolder()
        _ = try laptop.lockbook.create(path: "/old/")
        try laptop.write("/work/team/deep/note.md", "note")
        try await laptop.sync()
        try laptop.move("/work/team/plan.md", to: "/old/")
        try laptop.move("/work/team/deep", to: "/old/")
        try laptop.delete("/old")
        try await laptop.sync()
        try await desk.sync()

        #expect(try desk.paths() == ["/team", "/team/list.md"])
        _ = try laptop.lockbook.restore([.path("/old")])
        #expect(try await laptop.text("/old/plan.md") == "plan")
        #expect(try await laptop.text("/old/deep/note.md") == "note")
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test(arguments: ["/work", "/work/team"])
    func `what is taken back and then deleted is taken back`(deleted: String) async throws {
        let (laptop, desk) = try await inFolder()
        try laptop.lockbook.setShare(.path("/work/team"), of: "bob", to: nil)
        try laptop.delete(deleted)
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind) == [.takenBack])
        #expect(try desk.paths().isEmpty)
        _ = try laptop.lockbook.restore([.path(deleted)])
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.offers() == [])
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }
}
