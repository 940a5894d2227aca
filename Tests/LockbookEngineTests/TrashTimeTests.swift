import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// How long the trash is kept, and by whose clock.
struct TrashTimeTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `the trash is kept for thirty days, and a folder as long as what came into it`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["old.md": "old", "f/": "", "f/a.md": "a", "f/b.md": "b"]
        )
        try laptop.delete("/old.md")
        try laptop.delete("/f")
        try await laptop.sync()
        alice.pass(20, laptop, phone)
        try phone.write("/f/b.md", "written without knowing")
        try await phone.sync()
        try await laptop.sync()
        alice.pass(9, laptop, phone)
        #expect(try await laptop.sync().purged == [])
        alice.pass(2, laptop, phone)
        #expect(try await laptop.sync().purged == ["/old.md"])
        // It comes back with the folder.
        #expect(try laptop.lockbook.trash().map { "\($0.path) \($0.files)" } == ["/f 2"])
        #expect(try await phone.sync().purged == ["/old.md"])
        // Nobody deleted those words: they stay until somebody decides.
        alice.pass(20, laptop, phone)
        for device in [laptop, phone] {
            #expect(try await device.sync().purged == [])
            #expect(try device.lockbook.conflicts().map(\.path) == ["/f/b.md"])
        }
        _ = try phone.lockbook.restore([.path("/f")])
        try await converge(alice, laptop, phone)
        #expect(try await laptop.text("/f/b.md") == "written without knowing")
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts().isEmpty) }
        // Who deletes it then has decided.
        try laptop.delete("/f")
        try await converge(alice, laptop, phone)
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts().isEmpty) }
        alice.pass(31, laptop, phone)
        #expect(try await phone.sync().purged == ["/f"])
        try await converge(alice, laptop, phone)
        #expect(try phone.lockbook.trash() == [])
    }

    @Test(arguments: ["new", "changed"])
    func `what a merge put into the trash stays there until somebody decides`(how: String)
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["k/": "", "k/a.md": "a"])
        try phone.delete(how == "new" ? "/k" : "/k/a.md")
        try laptop.write(how == "new" ? "/k/new.md" : "/k/a.md", "precious")
        for device in [phone, laptop, phone] { try await device.sync() }
        let path = how == "new" ? "/k/new.md" : "/k/a.md"
        alice.pass(40, laptop, phone)
        for device in [laptop, phone, laptop, phone] {
            #expect(try await device.sync().purged == [])
            #expect(try device.lockbook.conflicts().map(\.path) == [path])
        }
        // Where it was deleted, the other side has the words.
        let place = try #require(try phone.lockbook.resolve(.path(path), keeping: .remote).path)
        try await converge(alice, laptop, phone)
        #expect(try await laptop.text(place) == "precious")
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts().isEmpty) }
    }

    @Test func `what somebody deleted with its folder before anybody saw it is no conflict`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["k/": "", "k/a.md": "a"])
        try laptop.write("/k/new.md", "new")
        try laptop.delete("/k")
        try await laptop.sync()
        try await phone.sync()
        let desk = try await alice.device(named: "desk", like: laptop)
        for device in [laptop, phone, desk] { #expect(try device.lockbook.conflicts().isEmpty) }
    }

    @Test func `a server that tells another time does not empty the trash`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "a"])
        try laptop.delete("/a.md")
        try await laptop.sync()
        try await phone.sync()
        alice.server.pass(days: 400)
        for device in [laptop, phone] { #expect(try await device.sync().purged == []) }
        #expect(try laptop.lockbook.trash().map(\.path) == ["/a.md"])
        alice.server.pass(days: -400)
        alice.pass(31, laptop, phone)
        #expect(try await laptop.sync().purged == ["/a.md"])
    }

    @Test func `a server that told a later time for a while keeps nothing in the trash`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a")
        try await laptop.sync()
        alice.server.pass(days: 3_650)
        try await laptop.sync()
        try laptop.delete("/a.md")
        try await laptop.sync()
        alice.server.pass(days: -3_650)
        #expect(try await laptop.sync().purged == [])
        alice.pass(29, laptop)
        #expect(try await laptop.sync().purged == [])
        alice.pass(2, laptop)
        #expect(try await laptop.sync().purged == ["/a.md"])
    }

    /// An earlier program left it at that.
    @Test func `what was dated by such a time is put right by the next sync`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a")
        try await laptop.sync()
        let store = laptop.lockbook.store
        let known = try store.read { try $0.number(.clockOffset) }
        try store.write { try $0.set(.clockOffset, number: 315_360_000) }
        try laptop.delete("/a.md")
        try store.write { try $0.set(.clockOffset, number: known) }
        #expect(try await laptop.sync().purged == [])
        alice.pass(31, laptop)
        #expect(try await laptop.sync().purged == ["/a.md"])
    }

    @Test func `a server that told an earlier time for a while empties no trash`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a")
        try await laptop.sync()
        try laptop.delete("/a.md")
        try await laptop.sync()
        alice.server.pass(days: -400)
        try await laptop.sync()
        alice.server.pass(days: 400)
        #expect(try await laptop.sync().purged == [])
        // Its own clock alone does not, either.
        laptop.clock.pass(days: 31)
        #expect(try await laptop.sync().purged == [])
    }

    @Test func `a clock that is wrong by years purges nothing early and keeps nothing longer`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "a", "b.md": "b"])
        laptop.clock.pass(days: -10_000)
        try laptop.delete("/a.md")
        phone.clock.pass(days: 10_000)
        try phone.delete("/b.md")
        for device in [laptop, phone, laptop] { #expect(try await device.sync().purged == []) }
        phone.clock.pass(days: -10_000)
        for device in [phone, laptop] { #expect(try await device.sync().purged == []) }
        #expect(try phone.lockbook.trash().map(\.path) == ["/a.md", "/b.md"])
        alice.pass(31, laptop, phone)
        #expect(try await laptop.sync().purged == ["/a.md", "/b.md"])
        #expect(try await phone.sync().purged == ["/a.md", "/b.md"])
    }
}

extension Person {
    /// Time goes by, for the server and for these devices.
    func pass(_ days: Int64, _ devices: Device...) {
        server.pass(days: days)
        for device in devices { device.clock.pass(days: days) }
    }
}
