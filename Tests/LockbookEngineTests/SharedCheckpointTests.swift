import Foundation
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import Testing

/// A log in which something is shared has checkpoints: what is behind one goes, and every device,
/// of the owner and of the members, begins with it as well as it did with the entries.
struct SharedCheckpointTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// Ada's device signs a checkpoint now, and the server lets go of all that is behind it.
    func letGo(_ laptop: Device, _ change: String = "signed") async throws {
        let signing = try laptop.again(signingAfter: 1)
        let before = try await people.server.bodiesFrom("ada")
        try signing.write("/signed.md", change)
        _ = laptop.faults.takeRequests()
        _ = signing.faults.takeRequests()
        try await signing.sync()
        #expect(signing.faults.takeRequests().last == "/v1/checkpoint")
        try await people.server.collect(afterDays: 91)
        #expect(try await people.server.bodiesFrom("ada") > before)
    }

    @Test
    func
        `a new device of the owner begins with a checkpoint, and can do all that the first one can`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/note.md"])
        try laptop.write("/secret.md", "secret")
        try desk.write("/team/plan.md", "by bob")
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        try await laptop.sync()
        try await letGo(laptop)

        let phone = try await ada.device(named: "phone", like: laptop)

        #expect(try await phone.snapshot() == laptop.snapshot())
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
        #expect(try phone.lockbook.shares().map(\.mode) == [.read])
        // It takes the share back, which takes the keys of all that is in it, and gives it again, which
        // takes the serial.
        try phone.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await phone.sync()
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        try await share("/team", .write, phone, desk)
        try desk.write("/team/plan.md", "by bob again")
        try await desk.sync()
        try await phone.sync()
        #expect(try await phone.text("/team/plan.md") == "by bob again")
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
    }

    @Test func `a new device of a member begins with a checkpoint, and sees nothing else`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/note.md"])
        try laptop.write("/secret.md", "secret")
        try desk.write("/team/deep/note.md", "by bob")
        try await desk.sync()
        try await letGo(laptop)
        try laptop.write("/team/later.md", "later")
        try await laptop.sync()

        let phone = try await bob.device(named: "phone", like: desk)
        try await desk.sync()

        #expect(try await phone.snapshot() == desk.snapshot())
        #expect(
            try phone.paths() == [
                "/team", "/team/deep/", "/team/deep/note.md", "/team/later.md", "/team/plan.md",
            ]
        )
        try phone.write("/team/new.md", "by bob's phone")
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/new.md") == "by bob's phone")
        try await converge(bob, desk, phone)
        try await converge(ada, laptop)
    }

    @Test func `what an admin made new keys for opens on new devices of everybody`() async throws {
        let (laptop, desk) = try await shared(.admin, holding: ["plan.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try await desk.sync()
        try desk.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try await desk.sync()
        try desk.write("/team/plan.md", "not for carol")
        try await desk.sync()
        try await letGo(laptop)

        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try await phone.text("/team/plan.md") == "not for carol")
        let notebook = try await bob.device(named: "notebook", like: desk)
        #expect(try await notebook.text("/team/plan.md") == "not for carol")
        // Let in again by him who let her out, she has a grant of a serial that nobody had.
        let user = try tablet.lockbook.status().username
        try await notebook.sync()
        _ = try await notebook.lockbook.share(
            FileReference("/team"),
            with: user,
            mode: .read
        )
        try await notebook.sync()
        try await tablet.sync()
        #expect(try await tablet.text("/team/plan.md") == "not for carol")
        try await converge(ada, laptop, phone)
        try await converge(bob, desk, notebook)
        try await converge(carol, tablet)
    }

    @Test func `a log of which nothing shared is left goes on as one that was shared`() async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        _ = try laptop.lockbook.purge([.path("/team")])
        try await laptop.sync()
        try await letGo(laptop)

        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.write("/new.md", "new")
        try await phone.sync()
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        try await share("/new.md", .read, phone, desk)
        #expect(try await desk.text("/new.md") == "new")
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
    }

    @Test
    func
        `a checkpoint of the time before anything was shared is begun with until there is a later one`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        for note in ["plan.md", "deep/note.md"] { try laptop.write("/team/\(note)", note) }
        try await letGo(laptop)
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", .write, laptop, desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try await phone.snapshot() == laptop.snapshot())
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
        try await letGo(laptop, "signed again")
        let tablet = try await ada.device(named: "tablet", like: laptop)
        #expect(try tablet.lockbook.shares().map(\.username) == ["bob"])
        try await converge(ada, laptop, phone, tablet)
        try await converge(bob, desk)
    }

    @Test func `a checkpoint lists no name and no file of a scope that is not seen`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        for number in 0..<30 { try laptop.write("/secret/\(number).md", "secret") }
        try await letGo(laptop)
        let phone = try await bob.device(named: "phone", like: desk)
        for file in try laptop.lockbook.list(.path("/secret"), recursive: true) {
            let id = try #require(FileID(hex: file.id)).bytes
            #expect(try !phone.databasesHold(id))
        }
        try await converge(bob, desk, phone)
    }
}
