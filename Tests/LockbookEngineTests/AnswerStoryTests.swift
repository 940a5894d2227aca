import LockbookEngine
import LockbookTestSupport
import Testing

/// What one device rejected or left, all devices of the account know.
struct AnswerStoryTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Ada shares `/team` with bob, who did not answer yet, on two devices.
    private func offered() async throws -> (laptop: Device, desk: Device, phone: Device) {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let phone = try await bob.device(named: "phone", like: desk)
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        try await phone.sync()
        return (laptop, desk, phone)
    }

    private func offerAgain(_ laptop: Device) async throws {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
    }

    private func names(_ device: Device) throws -> [String] {
        try device.lockbook.offers().map(\.name)
    }

    @Test func `an offer that one device rejects no device shows, and any can accept it`()
        async throws
    {
        let (_, desk, phone) = try await offered()
        let id = try #require(try desk.lockbook.offers().first?.id)
        #expect(try names(phone) == ["team"])
        try desk.lockbook.rejectShare(id: id)
        #expect(try names(desk) == [])
        try await desk.sync()
        try await phone.sync()
        #expect(try names(phone) == [])
        #expect(try phone.lockbook.status().offers ?? 0 == 0)
        let tablet = try await bob.device(named: "tablet", like: desk)
        #expect(try names(tablet) == [])
        let told = try await tablet.sync()
        #expect(!told.notes.contains { $0.kind == .offered })

        _ = try tablet.lockbook.acceptShare(id: id)
        try await tablet.sync()
        try tablet.delete("/team")
        try await tablet.sync()
        for device in [desk, phone, tablet] {
            try await device.sync()
            // Wanted again, and its link deleted since: it is an offer like any other.
            #expect(try names(device) == ["team"])
            #expect(try await device.sync().traffic.requests == 1)
        }
    }

    @Test func `what one device leaves is no offer on another`() async throws {
        let (_, desk, phone) = try await offered()
        let id = try #require(try desk.lockbook.offers().first?.id)
        _ = try desk.lockbook.acceptShare(id: id)
        try await desk.sync()
        try await phone.sync()
        #expect(try await phone.text("/team/plan.md") == "plan")
        try phone.lockbook.leaveShare(.path("/team"))
        try await phone.sync()
        try await desk.sync()
        #expect(try names(desk) == [] && desk.paths() == [])
        #expect(try names(phone) == [] && phone.paths() == [])
    }

    @Test func `of what was left and has its link again every device is told the end`()
        async throws
    {
        let (laptop, desk, phone) = try await offered()
        let id = try #require(try desk.lockbook.offers().first?.id)
        _ = try desk.lockbook.acceptShare(id: id)
        try desk.lockbook.leaveShare(.path("/team"))
        _ = try desk.lockbook.restore([.path("/team")])
        try await desk.sync()
        try await phone.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        for device in [desk, phone] {
            let told = try await device.sync().notes.filter { $0.kind == .takenBack }
            #expect(told.map(\.path) == ["/team"])
        }
    }

    @Test(arguments: [false, true])
    func `shared again before anybody saw that it was taken back it is another offer, too`(
        wasLeft: Bool
    ) async throws {
        let (laptop, desk, phone) = try await offered()
        let id = try #require(try desk.lockbook.offers().first?.id)
        if wasLeft {
            _ = try desk.lockbook.acceptShare(id: id)
            try desk.lockbook.leaveShare(.path("/team"))
        } else {
            try desk.lockbook.rejectShare(id: id)
        }
        try await desk.sync()
        try await phone.sync()
        try await offerAgain(laptop)

        for device in [desk, phone] {
            #expect(try await device.sync().notes.contains { $0.kind == .offered })
            #expect(try names(device) == ["team"])
        }
        try desk.lockbook.rejectShare(id: id)
        try await desk.sync()
        // Who reads the log from its beginning is not told anew of what was before the answer.
        let tablet = try await bob.device(named: "tablet", like: desk)
        #expect(try names(tablet) == [])
        try await phone.sync()
        #expect(try names(phone) == [])
    }

    @Test func `what was rejected once more stays so on a device that hears of all at once`()
        async throws
    {
        let (laptop, desk, phone) = try await offered()
        let id = try #require(try desk.lockbook.offers().first?.id)
        try desk.lockbook.rejectShare(id: id)
        try await desk.sync()
        try await phone.sync()
        try await offerAgain(laptop)
        try await desk.sync()
        try desk.lockbook.rejectShare(id: id)
        try await desk.sync()

        #expect(!(try await phone.sync().notes.contains { $0.kind == .offered }))
        try await desk.sync()
        for device in [desk, phone] { #expect(try names(device) == []) }
    }

    @Test func `taken back and shared again it is another offer on every device`() async throws {
        let (laptop, desk, phone) = try await offered()
        try desk.lockbook.rejectShare(id: try #require(try desk.lockbook.offers().first?.id))
        try await desk.sync()
        try await phone.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        // He did not want to know of it.
        for device in [desk, phone] { #expect(try await device.sync().notes.isEmpty) }
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        for device in [desk, phone, desk] { try await device.sync() }
        #expect(try names(desk) == ["team"])
        #expect(try names(phone) == ["team"])
    }

    @Test func `answers of two devices at once are joined`() async throws {
        let (laptop, desk, phone) = try await offered()
        try laptop.write("/more/x.md", "x")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/more"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        try await phone.sync()
        let offers = try desk.lockbook.offers()
        #expect(offers.map(\.name) == ["more", "team"])
        try desk.lockbook.rejectShare(id: offers[0].id)
        try phone.lockbook.rejectShare(id: offers[1].id)
        // While the phone's entry is on its way, the desk's comes first.
        phone.faults.before("/v1/push") { _ = try await desk.sync() }
        try await phone.sync()
        try await desk.sync()
        #expect(try names(desk) == [])
        #expect(try names(phone) == [])
        #expect(try await phone.sync().traffic.requests == 1)
        #expect(try await desk.sync().traffic.requests == 1)
    }
}
