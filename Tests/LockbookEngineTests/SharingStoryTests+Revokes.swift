import LockbookEngine
import LockbookTestSupport
import Testing

/// Who is let out of a share, or leaves it, and what others see of that.
extension SharingStoryTests {
    @Test func `who was removed is told so, keeps what he wrote, and reads nothing new`()
        async throws
    {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        try await desk.sync()
        try desk.write("/team/plan.md", "bob's own words")

        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try laptop.write("/team/plan.md", "after bob")
        try await laptop.sync()
        let report = try await desk.sync()

        #expect(report.notes.map(\.kind).contains(.takenBack))
        #expect(report.notes.map(\.kind).contains(.keptOwn))
        #expect(try desk.paths() == ["/plan.md"])
        #expect(try await desk.text("/plan.md") == "bob's own words")
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try laptop.lockbook.shares().isEmpty)
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test func `a third reader sees what the second writes, and stays when he goes`() async throws {
        let (laptop, desk) = try await shared(.write)
        let eve = Person("eve", on: server)
        let tablet = try await eve.firstDevice(named: "tablet")
        try accept(desk)
        try desk.write("/team/by bob.md", "bob")
        try await desk.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "eve", mode: .read)
        try await laptop.sync()
        try await tablet.sync()
        try accept(tablet)
        #expect(try await tablet.text("/team/by bob.md") == "bob")
        try await desk.sync()
        try desk.write("/team/by bob.md", "bob again")
        try await desk.sync()
        try await tablet.sync()
        #expect(try await tablet.text("/team/by bob.md") == "bob again")

        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try laptop.write("/team/plan.md", "without bob")
        try await laptop.sync()
        try await tablet.sync()

        #expect(try await tablet.text("/team/plan.md") == "without bob")
        #expect(try await tablet.text("/team/by bob.md") == "bob again")
        try await converge(ada, laptop)
    }

    @Test func `a device of the owner with changes of its own follows share and revoke`()
        async throws
    {
        let (laptop, _) = try await shared(.write)
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.write("/team/plan.md", "one\ntwo\nthree on the phone\n")
        try phone.write("/team/deep/new.md", "new on the phone")
        try laptop.write("/team/plan.md", "one on the laptop\ntwo\nthree\n")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await phone.sync()
        try await laptop.sync()

        #expect(
            try await laptop.text("/team/plan.md") == "one on the laptop\ntwo\nthree on the phone\n"
        )
        #expect(try await laptop.text("/team/deep/new.md") == "new on the phone")
        try await converge(ada, laptop, phone)
    }

    @Test func `a revoke that loses a race is made again over what came first`() async throws {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.write("/team/deep/phone.md", "from the phone")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        laptop.faults.before("/v1/push") { _ = try await phone.sync() }
        laptop.faults.next("/v1/push", .answerLost)

        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try await laptop.sync()
        try await desk.sync()

        #expect(try laptop.lockbook.shares().isEmpty)
        #expect(try desk.paths().isEmpty)
        #expect(try await laptop.text("/team/deep/phone.md") == "from the phone")
        try await converge(ada, laptop, phone)
    }

    @Test func `a member leaves, and finds the share again`() async throws {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        try desk.lockbook.leaveShare(.path("/team"))
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
        #expect(
            try laptop.lockbook.list(.path("/"), recursive: false).map(\.isShared) == [nil, true]
        )
    }

    @Test func `shared again after it was taken back, it is whole again`() async throws {
        let (laptop, desk) = try await shared(.read)
        try accept(desk)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        try laptop.write("/team/plan.md", "meanwhile")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        try accept(desk)

        #expect(try await desk.text("/team/plan.md") == "meanwhile")
        try desk.write("/team/plan.md", "and on")
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "and on")
        let phone = try await bob.device(named: "phone", like: desk)
        #expect(try await phone.text("/team/plan.md") == "and on")
    }

    @Test func `taken back before it is known whether it was shared, it is taken back`()
        async throws
    {
        for fault in [WireFaults.Fault.lost, .answerLost] {
            let name = fault == .lost ? "eve" : "dan"
            let (laptop, other) = (
                try await Person("ada-\(name)", on: server).firstDevice(),
                try await Person(name, on: server).firstDevice(named: "desk")
            )
            try laptop.write("/team/plan.md", "plan")
            try await laptop.sync()
            _ = try await laptop.lockbook.share(.path("/team"), with: name, mode: .read)
            // The first entry says in the address book who that is.
            let faults = laptop.faults
            faults.before("/v1/push") { faults.next("/v1/push", fault) }
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
            try laptop.lockbook.setShare(.path("/team"), of: name, to: nil)
            try await laptop.sync()
            try await other.sync()
            #expect(try laptop.lockbook.shares() == [])
            #expect(try other.lockbook.offers() == [])
        }
    }
}
