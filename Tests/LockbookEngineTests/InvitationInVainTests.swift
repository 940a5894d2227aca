import Foundation
import LockbookAPI
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// Who used an invitation in vain is told so by his next sync, as far as the server knows it.
struct InvitationInVainTests {
    let server: TestServer
    let laptop: Device
    let desk: Device
    let code: String

    /// Bob has used an invitation to what ada shares, and she has not seen that yet.
    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        code = try await Self.invite(laptop)
        _ = try await desk.lockbook.acceptInvitation(code)
    }

    private static func invite(_ laptop: Device, _ mode: ShareRight = .read) async throws
        -> String
    {
        let week: Int64 = 7 * 86_400_000
        return try await laptop.lockbook.invite(.path("/team"), mode: mode, lasting: week).code
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
        #expect(notes.map(\.detail) == ["ada's; \(reason)"], sourceLocation: sourceLocation)
        #expect(try desk.lockbook.status().awaited == nil, sourceLocation: sourceLocation)
        let report = try await desk.sync()
        #expect(report.notes == [] && report.traffic.requests == 1, sourceLocation: sourceLocation)
    }

    private func isRefusedAgain(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let refusal = LockbookError.invitationRefused(
            reason: "you used this invitation already, and it lets you in no more"
        )
        await #expect(throws: refusal, sourceLocation: sourceLocation) {
            _ = try await desk.lockbook.acceptInvitation(code)
        }
        #expect(try desk.lockbook.status().awaited == nil, sourceLocation: sourceLocation)
    }

    private func takeOut() async throws {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
    }

    @Test func `a device whose clock is ahead asks about its clock`() async throws {
        let phone = try await Person("carol", on: server).firstDevice(named: "phone")
        let code = try await Self.invite(laptop)
        phone.clock.pass(days: 8)
        let refusal = LockbookError.invitationRefused(
            reason: "by this device's clock this invitation has expired; is it right?"
        )
        await #expect(throws: refusal) { _ = try await phone.lockbook.acceptInvitation(code) }

        phone.clock.pass(days: -8)
        _ = try await phone.lockbook.acceptInvitation(code)
        #expect(try phone.lockbook.status().awaited == ["ada"])
    }

    @Test func `who was let in with less than the code promised has that`() async throws {
        let more = try await Self.invite(laptop, .write)
        let phone = try await Person("carol", on: server).firstDevice(named: "phone")
        _ = try await phone.lockbook.acceptInvitation(more)
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "carol", to: .read)
        try await laptop.sync()

        let notes = try await phone.sync().notes
        #expect(notes.map(\.kind) == [.accepted])
        #expect(try await phone.text("/team/plan.md") == "plan")
        #expect(try phone.lockbook.status().awaited == nil)
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
        try await isTold("the server says: this invitation was taken back")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind) == [.offered])
        #expect(try desk.lockbook.offers().map(\.from) == ["ada"])
    }

    @Test func `used for what is deleted since, it is told`() async throws {
        try laptop.delete("/team")
        try await laptop.sync()
        try await isTold("the server says: this invitation was taken back")
    }

    @Test func `used in time and seen too late, it is told before it expires here`() async throws {
        laptop.clock.pass(days: 8)
        try await laptop.sync()
        try await isTold("the server says: this invitation was taken back")
    }

    @Test func `let in and taken out before he syncs, it is told, and the code is refused`()
        async throws
    {
        try await laptop.sync()
        try await takeOut()
        try await isTold("it is used up, and lets you in no more")
        try await isRefusedAgain()
    }

    @Test func `taken out after he was in, he is not let in by the same code again`() async throws {
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind).contains(.accepted))
        try await takeOut()
        try await desk.sync()
        try await isRefusedAgain()
        for device in [laptop, desk] { #expect(try await device.sync().notes == []) }
    }

    @Test(arguments: [false, true])
    func `whose first answer was lost is let in when he uses the code again`(isMet: Bool)
        async throws
    {
        let tablet = try await Person("eve", on: server).firstDevice(named: "tablet")
        if isMet {
            try laptop.write("/other.md", "other")
            try await laptop.sync()
            _ = try await laptop.lockbook.share(.path("/other.md"), with: "eve", mode: .read)
            try await laptop.sync()
            try await tablet.sync()
        }
        let code = try await Self.invite(laptop)
        tablet.faults.next("/v1/claim", .answerLost)
        await #expect(throws: LockbookError.self) {
            _ = try await tablet.lockbook.acceptInvitation(code)
        }
        try await laptop.sync()
        _ = try await tablet.lockbook.acceptInvitation(code, to: "/theirs")
        #expect(try await tablet.sync().notes.map(\.kind).contains(.accepted))
        #expect(try await tablet.text("/theirs/plan.md") == "plan")
    }

    @Test func `whose share could not be made yet is not told that nothing comes`() async throws {
        laptop.faults.refuse("/v1/push") { body in
            let request = try Lockbook_V1_PushRequest(serializedBytes: Data(body))
            let letsIn = try request.groups.contains { group in
                try !EntryGroup(Array(group)).grants.isEmpty
            }
            guard letsIn else { return nil }
            let answer = Lockbook_V1_ErrorResponse.with {
                $0.code = .tooLarge
                $0.message = "not today"
            }
            return (413, Array(try answer.serializedData() as Data))
        }
        _ = try? await laptop.sync()
        #expect(try await desk.sync().notes == [])
        #expect(try desk.lockbook.status().awaited == ["ada"])
        laptop.faults.tellTruth()
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind).contains(.accepted))
        #expect(try await desk.text("/team/plan.md") == "plan")
    }

    @Test func `who reads already waits until he may do what the code promises`() async throws {
        try await laptop.sync()
        try await desk.sync()
        let code = try await Self.invite(laptop, .write)
        _ = try await desk.lockbook.acceptInvitation(code)
        #expect(try await desk.sync().notes == [])
        #expect(try desk.lockbook.status().awaited == ["ada"])
        #expect(throws: LockbookError.readOnly(path: "/team/plan.md")) {
            try desk.write("/team/plan.md", "by bob")
        }
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind).contains(.accepted))
        #expect(try desk.lockbook.status().awaited == nil)
        try desk.write("/team/plan.md", "by bob")
    }

    @Test func `who reads, and is taken out, is not let in to write by a code that he used`()
        async throws
    {
        try await laptop.sync()
        try await desk.sync()
        let code = try await Self.invite(laptop, .write)
        _ = try await desk.lockbook.acceptInvitation(code)
        // This goes first, and only then the share is taken back.
        try laptop.move("/team/plan.md", to: "/plan.md")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        let notes = try await laptop.sync().notes
        #expect(notes.map(\.kind) == [.claimRefused])
        #expect(notes.map(\.detail) == ["bob: you take the share back from that account"])
        #expect(try laptop.lockbook.shares() == [])
        try await desk.sync()
        #expect(try desk.paths() == [])
    }

    @Test func `a server that is gone before it was asked is asked again`() async throws {
        try laptop.delete("/team")
        try await laptop.sync()
        desk.faults.next("/v1/claim", .lost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try await isTold("the server says: this invitation was taken back")
    }

    /// - Parameter isLetIn: whether the inviter has let him in, or his invitation is over.
    @Test(arguments: [false, true])
    func `what became of an invitation is told by the next sync where one was killed before`(
        isLetIn: Bool
    ) async throws {
        if !isLetIn { laptop.clock.pass(days: 8) }
        try await laptop.sync()
        try desk.refuseToNoteNews(true)
        await #expect(throws: (any Error).self) { try await desk.sync() }
        try desk.refuseToNoteNews(false)

        let notes = try await desk.sync().notes
        #expect(notes.map(\.kind) == [isLetIn ? .accepted : .claimRefused])
        #expect(try desk.paths() == (isLetIn ? ["/team", "/team/plan.md"] : []))
        #expect(try await desk.sync().notes == [])
    }
}
