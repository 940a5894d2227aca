import LockbookEngine
import LockbookTestSupport
import Testing

/// What was only offered is in nobody's lists yet, whatever others do in it.
struct QuietOfferTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let phone: Device
    let desk: Device

    /// Ada has two devices and offers `/team` to bob, who may read.
    init() async throws {
        people = try Sharers()
        (laptop, phone) = try await people.ada.twoDevices(
            holding: ["/team/plan.md": "plan\n", "/team/old.md": "old\n"]
        )
        desk = try await people.bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        for device in [laptop, phone, desk] { try await device.sync() }
    }

    /// Ada's devices write at once what no merge can join, and delete.
    private func quarrel() async throws {
        try laptop.write("/team/plan.md", "laptop\n")
        try phone.write("/team/plan.md", "phone\n")
        try laptop.delete("/team/old.md")
        for device in [laptop, phone] { try await device.sync() }
        #expect(try phone.lockbook.conflicts().map(\.path) == ["/team/plan.md"])
    }

    @Test func `what others do in an offer is no news, no conflict and no trash`() async throws {
        try await quarrel()
        let report = try await desk.sync()
        #expect(report.pulled == [] && report.deleted == [] && report.notes == [])
        #expect(try desk.lockbook.conflicts() == [] && desk.lockbook.trash() == [])
        #expect(try desk.lockbook.status().conflicts == 0)

        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        #expect(try desk.lockbook.trash().map(\.path) == ["/team/old.md"])
        try laptop.write("/team/new.md", "new\n")
        try await laptop.sync()
        #expect(try await desk.sync().pulled == ["/team/new.md"])
    }

    @Test func `a conflict is for those to decide who may write`() async throws {
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await quarrel()
        let pulled = try await desk.sync().pulled.sorted()
        #expect(pulled == ["/team/old.md", "/team/plan.md"])
        #expect(try desk.lockbook.conflicts() == [])
        #expect(try desk.lockbook.status().conflicts == 0)
        for side in KeptSide.allCases {
            #expect(throws: LockbookError.readOnly(path: "/team/plan.md")) {
                try desk.lockbook.resolve(.path("/team/plan.md"), keeping: side)
            }
        }
        #expect(throws: LockbookError.readOnly(path: "/team/plan.md")) {
            try desk.lockbook.conflict(.path("/team/plan.md"))
        }

        _ = try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .write)
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.conflicts().map(\.path) == ["/team/plan.md"])
        #expect(try desk.lockbook.status().conflicts == 1)
        _ = try desk.lockbook.resolve(.path("/team/plan.md"), keeping: .both)
        #expect(try desk.lockbook.conflicts() == [])
    }

    @Test func `what a link leads to stays in the lists when the folder around it is offered`()
        async throws
    {
        try laptop.write("/outer/inner/doc.md", "doc\n")
        try await laptop.sync()
        try await share("/outer/inner", .write, laptop, desk)
        _ = try await laptop.lockbook.share(.path("/outer"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()

        try laptop.write("/outer/inner/doc.md", "laptop\n")
        try laptop.write("/outer/beside.md", "beside\n")
        try desk.write("/inner/doc.md", "desk\n")
        try desk.write("/inner/old.md", "old\n")
        try desk.delete("/inner/old.md")
        try await laptop.sync()
        let report = try await desk.sync()
        #expect(report.pulled == ["/inner/doc.md"])
        #expect(report.notes.map(\.path) == ["/inner/doc.md"])
        #expect(try desk.lockbook.conflicts().map(\.path) == ["/inner/doc.md"])
        #expect(try desk.lockbook.status().conflicts == 1)
        try desk.delete("/inner/doc.md")
        #expect(try desk.lockbook.trash().map(\.path).contains("/inner/doc.md"))
    }

    @Test func `a file that is new and shared is named once`() async throws {
        try laptop.write("/own/a.md", "a\n")
        _ = try await laptop.lockbook.share(.path("/own"), with: "bob", mode: .read)
        let pushed = try await laptop.syncAsForetold().pushed.sorted()
        #expect(pushed == ["/own", "/own/a.md"])
    }
}
