import LockbookEngine
import LockbookTestSupport
import Testing

/// Who used an invitation in vain is told so by his next sync, as far as the server knows it.
struct InvitationInVainTests {
    let server: TestServer
    let laptop: Device
    let desk: Device

    /// Bob has used an invitation to what ada shares, and she has not seen that yet.
    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let week: Int64 = 7 * 86_400_000
        let invitation = try await laptop.lockbook.invite(
            .path("/team"),
            mode: .read,
            lasting: week
        )
        _ = try await desk.lockbook.acceptInvitation(invitation.code)
    }

    private func isTold(_ reason: String, _ sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        var options = SyncOptions()
        options.isDryRun = true
        try await desk.sync(options)
        #expect(try desk.lockbook.status().awaited == ["ada"], sourceLocation: sourceLocation)
        let notes = try await desk.sync().notes
        #expect(notes.map(\.kind) == [.claimRefused], sourceLocation: sourceLocation)
        #expect(notes.map(\.detail) == ["ada's; the server says: \(reason)"])
        #expect(try desk.lockbook.status().awaited == nil, sourceLocation: sourceLocation)
        let report = try await desk.sync()
        #expect(report.notes == [] && report.traffic.requests == 1, sourceLocation: sourceLocation)
    }

    @Test func `as long as nobody has decided about it nothing is told`() async throws {
        for _ in 0..<2 { #expect(try await desk.sync().notes == []) }
        #expect(try desk.lockbook.status().awaited == ["ada"])
        // Who is let in hears of that, also when he asks between the decision and the share.
        laptop.faults.before("/v1/push") { [desk] in
            let report = try await desk.sync()
            #expect(report.notes == [])
        }
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind).contains(.accepted))
        #expect(try await desk.text("/team/plan.md") == "plan")
    }

    @Test
    func `taken back after it was used, it is told, and a share that comes later is an offer`()
        async throws
    {
        let invitation = try #require(try laptop.lockbook.shares(of: .path("/team")).first)
        let id = try #require(invitation.invitation)
        try laptop.lockbook.setShare(.path("/team"), of: String(id.prefix(8)), to: nil)
        try await laptop.sync()
        try await isTold("this invitation was taken back")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind) == [.offered])
        #expect(try desk.lockbook.offers().map(\.from) == ["ada"])
    }

    @Test func `used for what is deleted since, it is told`() async throws {
        try laptop.delete("/team")
        try await laptop.sync()
        try await isTold("this invitation was taken back")
    }

    @Test func `used in time and seen too late, it is told before it expires here`() async throws {
        laptop.clock.pass(days: 8)
        try await laptop.sync()
        try await isTold("this invitation was taken back")
    }

    @Test func `a server that is gone before it was asked is asked again`() async throws {
        try laptop.delete("/team")
        try await laptop.sync()
        desk.faults.next("/v1/claim", .lost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try await isTold("this invitation was taken back")
    }
}
