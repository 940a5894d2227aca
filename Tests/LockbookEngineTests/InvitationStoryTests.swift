import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// Somebody is invited who has no account, by a code that no server sees.
struct InvitationStoryTests {
    let server: TestServer
    let ada: Person
    let laptop: Device
    let bob: Person

    init() async throws {
        server = try TestServer()
        ada = Person("ada", on: server)
        bob = Person("bob", on: server)
        laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
    }

    private static let week: Int64 = 7 * 86_400_000

    private func invite(_ mode: ShareRight = .write) async throws -> Invitation {
        try await laptop.lockbook.invite(.path("/team"), mode: mode, lasting: Self.week)
    }

    /// Bob's new account, which used the code.
    private func accept(_ code: String, at destination: String? = nil) async throws -> Device {
        let desk = try await bob.firstDevice(named: "desk", registered: false)
        let accepted = try await desk.lockbook.acceptInvitation(code, to: destination)
        #expect(accepted.from == "ada" && !accepted.isLetIn)
        return desk
    }

    @Test func `who has no account is let in, at the place he asked for`() async throws {
        let invitation = try await invite()
        #expect(try laptop.lockbook.status().invitations == 1)
        #expect(try laptop.lockbook.shares(of: .path("/team")).map(\.state) == [.invited])

        let desk = try await accept(invitation.code, at: "/from ada")
        #expect(try desk.lockbook.status().awaited == ["ada"])
        try await desk.sync()
        #expect(try desk.paths() == [])
        let told = try await laptop.sync()
        #expect(told.notes.map(\.kind) == [.joined])
        #expect(told.notes.map(\.detail) == ["bob, write"])
        // Used once more before he has read of it, the code says that he is in.
        let again = try await desk.lockbook.acceptInvitation(invitation.code, to: "/from ada")
        #expect(again.isLetIn)
        let report = try await desk.sync()

        #expect(report.notes.map(\.kind) == [.accepted])
        #expect(try desk.lockbook.offers() == [])
        #expect(try await desk.text("/from ada/plan.md") == "plan")
        try desk.write("/from ada/plan.md", "by bob")
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "by bob")
        #expect(try desk.lockbook.status().awaited == nil)
        #expect(try laptop.lockbook.status().invitations == nil)
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
        try await converge(ada, laptop)
        try await converge(bob, desk)
        #expect(try await laptop.sync().traffic.requests == 1)
        await #expect(throws: LockbookError.invitationNotNeeded(path: "/from ada")) {
            _ = try await desk.lockbook.acceptInvitation(invitation.code)
        }
        try desk.lockbook.leaveShare(.path("/from ada"))
        try await desk.sync()
        let id = try laptop.lockbook.info(.path("/team")).id
        await #expect(throws: LockbookError.invitationHeld(id: id)) {
            _ = try await desk.lockbook.acceptInvitation(invitation.code)
        }
        _ = try desk.lockbook.acceptShare(id: id)
        #expect(try await desk.text("/team/plan.md") == "by bob")
    }

    @Test func `any device of the owner lets him in`() async throws {
        let invitation = try await invite()
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        let desk = try await accept(invitation.code)

        try await phone.sync()
        try await desk.sync()

        #expect(try await desk.text("/team/plan.md") == "plan")
        try await laptop.sync()
        #expect(try laptop.lockbook.shares().map(\.state) == [.shared])
        try await converge(ada, laptop, phone)
    }

    @Test(arguments: [false, true])
    func `a code that a server forgot is good again when that is followed back`(isCutOff: Bool)
        async throws
    {
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        let invitation = try await invite()
        try await laptop.sync()
        try server.restore(backup)
        let desk = try await bob.firstDevice(named: "desk")
        await desk.refuses(invitation.code, "no such invitation")

        var options = SyncOptions()
        options.acceptsRollback = true
        if isCutOff {
            laptop.faults.next("/v1/invite", .lost)
            await #expect(throws: LockbookError.self) { try await laptop.sync(options) }
            try await laptop.sync()
        } else {
            try await laptop.sync(options)
        }
        _ = try await desk.lockbook.acceptInvitation(invitation.code)
        #expect(try await laptop.sync().notes.map(\.kind) == [.joined])
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan")
    }

    @Test func `a code is for one account, once`() async throws {
        let invitation = try await invite()
        _ = try await accept(invitation.code)
        let eve = try await Person("eve", on: server).firstDevice(named: "tablet")
        await eve.refuses(invitation.code, "used already")
        try await laptop.sync()
        await eve.refuses(invitation.code, "used already")
        await #expect(throws: LockbookError.self) {
            _ = try await laptop.lockbook.acceptInvitation(invitation.code)
        }
    }

    @Test func `expired, it is worthless, whenever the server brings the claim`() async throws {
        let invitation = try await invite()
        let late = try await Person("eve", on: server).firstDevice(named: "tablet")
        late.clock.pass(days: 8)
        await late.refuses(invitation.code, "expired")
        // In time, but held back.
        let desk = try await accept(invitation.code)
        laptop.clock.pass(days: 8)
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.claimRefused])
        #expect(try laptop.lockbook.shares() == [])
        desk.clock.pass(days: 8)
        #expect(try await desk.sync().notes.map(\.kind) == [.claimRefused])
        #expect(try desk.lockbook.status().awaited == nil)
        #expect(try await laptop.sync().notes == [])
    }

    @Test(arguments: [-10, 400])
    func `where the clock is wrong, it is told that it may be`(days: Int64) async throws {
        laptop.clock.pass(days: Int64(days))
        await #expect {
            _ = try await invite()
        } throws: { error in
            guard case LockbookError.refused(let reason) = error else { return false }
            return reason.contains("by this server's clock")
        }
        #expect(try laptop.lockbook.shares() == [])
    }

    @Test func `taken back, it is worthless, also when it was used before that is synced`()
        async throws
    {
        let first = try await invite()
        let second = try await invite()
        let desk = try await accept(first.code)
        for invitation in [first, second] {
            let id = String(invitation.id.prefix(8))
            try laptop.lockbook.setShare(.path("/team"), of: id, to: nil)
        }
        try await laptop.sync()
        await desk.refuses(second.code, "taken back")
        try await desk.sync()

        #expect(try laptop.lockbook.shares() == [])
        #expect(try desk.paths() == [])
        #expect(throws: LockbookError.self) {
            try laptop.lockbook.setShare(.path("/team"), of: "ffffffff", to: nil)
        }
    }

    @Test func `when the server is not there, there is no invitation`() async throws {
        laptop.faults.next("/v1/invite", .lost)
        await #expect(throws: LockbookError.self) { _ = try await invite() }
        #expect(try laptop.lockbook.shares() == [])
        for days in [0, 366] as [Int64] {
            await #expect(throws: LockbookError.self) {
                _ = try await laptop.lockbook.invite(
                    .path("/team"),
                    mode: .read,
                    lasting: days * 86_400_000
                )
            }
        }
        let desk = try await bob.firstDevice(named: "desk")
        for code in ["", "lbi1", "lbi1aaaa", "hello"] {
            await #expect(throws: LockbookError.self) {
                _ = try await desk.lockbook.acceptInvitation(code)
            }
        }
    }

    @Test func `what was deleted meanwhile lets nobody in`() async throws {
        let invitation = try await invite()
        _ = try await accept(invitation.code)
        try laptop.delete("/team")
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.claimRefused])
        #expect(try laptop.lockbook.shares() == [])
    }

    @Test func `who was let in by another device and kept out since is not let in again`()
        async throws
    {
        let invitation = try await invite()
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        let desk = try await accept(invitation.code)
        // Decided on the laptop, which is cut off before anybody knows.
        laptop.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        #expect(try laptop.lockbook.shares().map(\.state) == [.waiting])
        try await phone.sync()
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
        try phone.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await phone.sync()

        try await laptop.sync()
        try await desk.sync()

        #expect(try laptop.lockbook.shares() == [])
        #expect(try desk.paths() == [])
        try await converge(ada, laptop, phone)
    }

    @Test func `taken back before he is let in, he is not, wherever the sync was cut off`()
        async throws
    {
        let faults = laptop.faults
        for isDecided in [false, true] {
            let desk = try await Person(isDecided ? "eve" : "dan", on: server)
                .firstDevice(named: "desk")
            _ = try await desk.lockbook.acceptInvitation(try await invite().code)
            if isDecided {
                // The log has who used it, and the grant is on its way.
                faults.before("/v1/push") { faults.next("/v1/push", .answerLost) }
            } else {
                faults.next("/v1/push", .lost)
            }
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
            try laptop.lockbook.setShare(.path("/team"), of: isDecided ? "eve" : "dan", to: nil)
            try await laptop.sync()
            try await desk.sync()
            #expect(try laptop.lockbook.shares() == [])
            #expect(try desk.paths() == [])
        }
    }
}
