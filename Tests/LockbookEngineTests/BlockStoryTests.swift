import LockbookEngine
import LockbookTestSupport
import Testing

/// Somebody takes no offers of somebody else.
struct BlockStoryTests {
    let server: TestServer
    let laptop: Device
    let bob: Person
    let desk: Device

    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        try laptop.write("/one.md", "one")
        try laptop.write("/two.md", "two")
        try await laptop.sync()
        bob = Person("bob", on: server)
        desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/one.md"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
    }

    @Test func `offers of the blocked are not shown, and new ones are refused`() async throws {
        let phone = try await bob.device(named: "phone", like: desk)
        #expect(try desk.lockbook.offers().count == 1)
        try await desk.lockbook.block("ada")
        #expect(try desk.lockbook.offers() == [])
        #expect(try desk.lockbook.blocked() == ["ada"])
        #expect(try desk.lockbook.status().shares == 1)
        // It is told of by the sync that hears that it is there.
        desk.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        #expect(try await desk.sync().people)
        #expect(try desk.lockbook.status().shares == nil)
        #expect(try await !desk.sync().people)
        try await phone.sync()
        #expect(try phone.lockbook.offers() == [])
        #expect(try phone.lockbook.blocked() == ["ada"])

        let eve = try await Person("eve", on: server).firstDevice(named: "netbook")
        try await eve.sync()
        for name in ["bob", "eve"] {
            _ = try await laptop.lockbook.share(.path("/two.md"), with: name, mode: .read)
        }
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.notShared])
        #expect(report.notes[0].detail == "with bob: this account takes no offers of yours")
        // Who blocked nobody has it all the same.
        #expect(report.pushed == ["/two.md"])
        try await eve.sync()
        #expect(try eve.lockbook.offers().map(\.name) == ["two.md"])
        let tablet = try await bob.device(named: "tablet", like: desk)
        #expect(try tablet.lockbook.offers() == [])
        // It is not tried again.
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(
            try laptop.lockbook.shares().map { "\($0.path) \($0.username)" }
                == ["/one.md bob", "/two.md eve"]
        )

        try phone.lockbook.unblock("ada")
        try await phone.sync()
        try await desk.sync()
        try await tablet.sync()
        for device in [desk, phone, tablet] {
            #expect(try device.lockbook.offers().map(\.name) == ["one.md"])
        }
        _ = try await laptop.lockbook.share(.path("/two.md"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.offers().count == 2)
        #expect(try await desk.sync().traffic.requests == 1)
        try await converge(bob, desk, phone, tablet)
    }

    @Test func `who is blocked lets nobody in as an admin of somebody else, either`() async throws {
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .admin)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first { $0.name == "team" })
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
        let eve = try await Person("eve", on: server).firstDevice(named: "netbook")
        try await eve.lockbook.block("bob")
        try await eve.sync()

        _ = try await desk.lockbook.share(.path("/team"), with: "eve", mode: .read)
        let report = try await desk.sync()

        #expect(report.notes.map(\.kind) == [.notShared])
        try await eve.sync()
        #expect(try eve.lockbook.offers() == [])
        // The owner himself is not blocked.
        _ = try await laptop.lockbook.share(.path("/team"), with: "eve", mode: .read)
        try await laptop.sync()
        try await eve.sync()
        #expect(try eve.lockbook.offers().map(\.name) == ["team"])
    }

    @Test func `what was accepted stays, and who was never met can be blocked`() async throws {
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.lockbook.block("ada")
        try await desk.sync()
        #expect(try await desk.text("/one.md") == "one")
        let phone = try await bob.device(named: "phone", like: desk)
        #expect(try await phone.text("/one.md") == "one")
        #expect(try await phone.sync().traffic.requests == 1)
        let eve = try await Person("eve", on: server).firstDevice(named: "tablet")
        try await eve.lockbook.block("bob")
        try await eve.lockbook.block("bob")
        #expect(try eve.lockbook.blocked() == ["bob"])
        await #expect(throws: LockbookError.noSuchUser(username: "nobody")) {
            try await eve.lockbook.block("nobody")
        }
        for name in ["nobody", "ada"] {
            #expect(throws: LockbookError.notBlocked(username: name)) {
                try eve.lockbook.unblock(name)
            }
        }
        await #expect(throws: LockbookError.self) { try await eve.lockbook.block("eve") }
    }
}
