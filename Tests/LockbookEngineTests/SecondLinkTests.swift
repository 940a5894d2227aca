import LockbookEngine
import LockbookTestSupport
import Testing

/// Two devices of one account accept the same share: one link stays, and it is said which.
struct SecondLinkTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let desk: Device
    let phone: Device

    /// Ada offers bob two folders; his desk and his phone have seen that.
    init() async throws {
        people = try Sharers()
        laptop = try await people.ada.firstDevice(holding: ["/team/plan.md": "plan"])
        desk = try await people.bob.firstDevice(named: "desk")
        phone = try await people.bob.device(named: "phone", like: desk)
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        try await phone.sync()
    }

    private func accept(_ device: Device, at place: String) throws -> FileInfo {
        let offer = try #require(try device.lockbook.offers().first)
        return try device.lockbook.acceptShare(id: offer.id, to: place)
    }

    private func lines(_ report: SyncReport) -> [String] {
        report.notes.map { "\($0.kind) \($0.path) \($0.detail)" }
    }

    @Test func `of links with different names it is said which one went, and which one stays`()
        async throws
    {
        _ = try accept(desk, at: "/ours")
        let second = try accept(phone, at: "/theirs")
        try await desk.sync()

        var options = SyncOptions()
        options.isDryRun = true
        #expect(try await lines(phone.sync(options)) == ["secondLink /theirs /ours"])
        let report = try await phone.sync()
        #expect(lines(report) == ["secondLink /theirs /ours"])
        #expect(report.notes.map(\.id) == [second.id])
        #expect(try await desk.sync().notes == [])
        #expect(try await phone.sync().notes == [])
        for device in [desk, phone] {
            #expect(try device.paths() == ["/ours", "/ours/plan.md"])
            #expect(try device.lockbook.validate() == [])
        }
        try await converge(people.bob, desk, phone)
    }

    @Test func `of links with the same name it is said as well, and nothing of another name`()
        async throws
    {
        _ = try accept(desk, at: "/ours")
        _ = try accept(phone, at: "/ours")
        try await desk.sync()
        #expect(try await lines(phone.sync()) == ["secondLink /ours /ours"])
        #expect(try await desk.sync().notes == [])
        #expect(try phone.paths() == ["/ours", "/ours/plan.md"])
        try await converge(people.bob, desk, phone)
    }

    @Test func `a link that comes while another one is on its way is seen by the same sync`()
        async throws
    {
        _ = try accept(desk, at: "/ours")
        _ = try accept(phone, at: "/theirs")
        phone.faults.before("/v1/push") { [desk] in try await desk.sync() }
        #expect(try await lines(phone.sync()) == ["secondLink /theirs /ours"])
        #expect(try await lines(desk.sync()) == [])
        #expect(try phone.paths() == ["/ours", "/ours/plan.md"])
        try await converge(people.bob, desk, phone)
    }

    /// Of several, as ids are drawn and one of two might be the right one by chance.
    @Test func `a link that is restored gives way to one that the server has, and not to its id`()
        async throws
    {
        let names = (1...6).map { "folder\($0)" }
        for name in names {
            try laptop.write("/\(name)/plan.md", name)
            try await laptop.sync()
            _ = try await laptop.lockbook.share(.path("/\(name)"), with: "bob", mode: .write)
        }
        try await laptop.sync()
        try await desk.sync()
        func acceptAll(_ place: (String) -> String) throws {
            for offer in try desk.lockbook.offers() where names.contains(offer.name) {
                _ = try desk.lockbook.acceptShare(id: offer.id, to: place(offer.name))
            }
        }
        try acceptAll { "/\($0)" }
        try await desk.sync()
        try await phone.sync()
        for name in names { try desk.delete("/\(name)") }
        try await desk.sync()
        try await phone.sync()
        for name in names { _ = try phone.lockbook.restore([.path("/\(name)")]) }
        try acceptAll { "/other-\($0)" }
        try await desk.sync()

        let report = try await phone.sync()
        #expect(Set(lines(report)) == Set(names.map { "secondLink /\($0) /other-\($0)" }))
        #expect(try await desk.sync().notes == [])
        #expect(
            try desk.paths()
                == names.flatMap { ["/other-\($0)", "/other-\($0)/plan.md"] }.sorted()
        )
        try await converge(people.bob, desk, phone)
    }

    @Test func `of what was taken back meanwhile both links go, and it is told once`() async throws
    {
        _ = try accept(desk, at: "/ours")
        _ = try accept(phone, at: "/theirs")
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        var options = SyncOptions()
        options.isDryRun = true
        let told = ["takenBack /ours ada"]
        #expect(try await lines(phone.sync(options)) == told)
        #expect(try await lines(phone.sync()) == told)
        #expect(try phone.paths().isEmpty)
        #expect(try await phone.sync().notes == [])
        try await desk.sync()
        try await converge(people.bob, desk, phone)
    }
}
