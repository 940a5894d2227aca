import Foundation
import LockbookAPI
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// What was promised, as invitations and shares that are given away, when one of the two is gone.
extension DeletedOwnerTests {
    @Test func `an invitation of whoever deletes his account lets nobody in`() async throws {
        let (laptop, desk) = try await shared(.admin)
        let week: Int64 = 7 * 86_400_000
        let invitations = [
            try await laptop.lockbook.invite(.path("/team"), mode: .read, lasting: week),
            try await laptop.lockbook.invite(.path("/team"), mode: .read, lasting: week),
        ]
        let admins = try await desk.lockbook.invite(.path("/team"), mode: .read, lasting: week)
        let tablet = try await carol.firstDevice(named: "tablet")
        _ = try await tablet.lockbook.acceptInvitation(invitations[0].code)
        try await laptop.lockbook.deleteAccount()
        // Who waits is told that nothing comes, and who comes later as well.
        let told = try await lines(tablet.sync())
        #expect(told.count == 1 && told.allSatisfy { $0.hasPrefix("claimRefused") }, "\(told)")
        #expect(try tablet.lockbook.status().awaited == nil)
        for invitation in [invitations[1], admins] {
            await #expect {
                _ = try await tablet.lockbook.acceptInvitation(invitation.code)
            } throws: { error in
                guard case LockbookError.invitationRefused(let reason) = error else { return false }
                return reason.contains("deleted")
            }
        }
        // The admin has none open any more.
        try await desk.sync()
        #expect(try desk.lockbook.shares() == [])
        try await desk.sync()
        try await isQuiet(desk)
        try await isQuiet(tablet)
    }

    @Test func `who used an invitation and deletes the account is let in nowhere`() async throws {
        let (laptop, _) = try await shared()
        let invitation = try await laptop.lockbook.invite(
            .path("/team"),
            mode: .read,
            lasting: 7 * 86_400_000
        )
        let tablet = try await carol.firstDevice(named: "tablet")
        _ = try await tablet.lockbook.acceptInvitation(invitation.code)
        try await tablet.lockbook.deleteAccount()
        #expect(try await laptop.sync().notes == [])
        let states = try laptop.lockbook.shares(of: .path("/team")).map(\.state.rawValue)
        #expect(states.sorted() == ["invited", "shared"])
        try await isQuiet(laptop)
    }

    @Test(arguments: [false, true])
    func `what was offered to be another's ends where he did not take it, and goes on where he did`(
        isTaken: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        try await laptop.sync()
        for device in [desk, tablet] { try await device.sync() }
        if isTaken {
            let offer = try #require(try desk.lockbook.offers().first)
            _ = try await desk.lockbook.accept(id: offer.id)
            try await desk.sync()
            try await tablet.sync()
        }
        try await laptop.lockbook.deleteAccount()
        for _ in 0..<3 { for device in [desk, tablet] { try await device.syncAsForetold() } }
        #expect(try desk.paths() == (isTaken ? ["/team/", "/team/plan.md"] : []))
        #expect(try desk.lockbook.offers() == [])
        #expect(try desk.lockbook.validate() == [])
        if isTaken {
            #expect(try tablet.paths() == ["/team", "/team/plan.md"])
        } else {
            #expect(try tablet.paths() == [])
        }
        for device in [desk, tablet] { try await isQuiet(device) }
    }

    /// A device that is to share something with somebody who has deleted his account since.
    private func promisingToWhoIsGone() async throws -> Device {
        let (laptop, _) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try laptop.write("/more/a.md", "a")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/more"), with: "carol", mode: .read)
        try await tablet.lockbook.deleteAccount()
        return laptop
    }

    /// - Parameter isMoved: whether what was to be shared is moved before the next sync.
    @Test(arguments: [false, true])
    func `an offer to who is gone that was on its way when this stopped keeps nothing back`(
        isMoved: Bool
    ) async throws {
        let laptop = try await promisingToWhoIsGone()
        laptop.faults.refuse("/v1/push") { bytes in
            let request = try Lockbook_V1_PushRequest(serializedBytes: Data(bytes))
            let groups = try request.groups.map { try EntryGroup(Array($0)) }
            guard groups.contains(where: { !$0.grants.isEmpty }) else { return nil }
            throw LockbookError.offline(server: "test", reason: "lost")
        }
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        laptop.faults.tellTruth()
        if isMoved { try laptop.move("/more", to: "/less") }
        let report = try await laptop.syncAsForetold()
        #expect(
            lines(report) == [
                "notShared \(isMoved ? "/less" : "/more") "
                    + "(with carol: this account was deleted by its owner)"
            ]
        )
        try await isQuiet(laptop)
        try await converge(ada, laptop)
    }

    @Test func `whom the news tell to be gone is let in nowhere, as a dry run says`() async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/hers/a.md", "a")
        try await tablet.sync()
        try await share("/hers", .admin, tablet, desk)
        try desk.write("/own/a.md", "a")
        try await desk.sync()
        for path in ["/own", "/hers"] {
            _ = try await desk.lockbook.share(.path(path), with: "ada", mode: .read)
        }
        _ = try await desk.lockbook.share(.path("/own"), with: "carol", mode: .read)
        try await laptop.lockbook.deleteAccount()
        let report = try await desk.syncAsForetold()
        #expect(
            lines(report) == [
                "notShared /hers (with ada: this account was deleted by its owner)",
                "notShared /own (with ada: this account was deleted by its owner)",
                "takenBack /team (ada, whose account was deleted)",
            ]
        )
        #expect(report.pushed.contains("/own") && !report.pushed.contains("/hers"))
        #expect(try desk.lockbook.status().shares == nil)
        try await isQuiet(desk)
        try await tablet.sync()
        #expect(try tablet.lockbook.offers().map(\.name) == ["own"])
        try await converge(bob, desk)
    }

    @Test func `who is gone and shares nothing here is let in nowhere, as a dry run says`()
        async throws
    {
        let (laptop, desk) = try await shared(.admin)
        let tablet = try await carol.firstDevice(named: "tablet")
        try desk.write("/own/a.md", "a")
        try desk.write("/more/a.md", "a")
        try await desk.sync()
        for path in ["/own", "/more", "/team"] {
            _ = try await desk.lockbook.share(.path(path), with: "carol", mode: .read)
        }
        _ = try await desk.lockbook.share(.path("/own"), with: "ada", mode: .read)
        try await tablet.lockbook.deleteAccount()
        _ = desk.faults.takeRequests()
        _ = try await desk.dryRun()
        // Once for each, also where shares of another account are among them.
        #expect(desk.faults.takeRequests().count { $0 == "/v1/account" } == 2)
        let report = try await desk.syncAsForetold()
        #expect(
            lines(report)
                == ["/more", "/own", "/team"].map {
                    "notShared \($0) (with carol: this account was deleted by its owner)"
                }
        )
        #expect(report.pushed.filter { $0.count > 1 } == ["/own"])
        try await isQuiet(desk)
        try await laptop.sync()
        #expect(try laptop.lockbook.offers().map(\.name) == ["own"])
    }

    @Test func `a dry run that is not told who is gone says what is wanted, a sync asks nobody`()
        async throws
    {
        let laptop = try await promisingToWhoIsGone()
        laptop.faults.next("/v1/account", .lost)
        #expect(try await laptop.dryRun().pushed.contains("/more"))
        laptop.faults.refuse("/v1/account") { _ in
            let answer = Lockbook_V1_ErrorResponse.with { $0.code = .notPermitted }
            return (403, Array(try answer.serializedData() as Data))
        }
        #expect(try await laptop.dryRun().pushed.contains("/more"))
        laptop.faults.tellTruth()
        _ = laptop.faults.takeRequests()
        #expect(try await laptop.sync().notes.map(\.kind) == [.notShared])
        #expect(!laptop.faults.takeRequests().contains("/v1/account"))
        try await isQuiet(laptop)
    }

    @Test func `what is given to who deletes the account can be kept`() async throws {
        let (laptop, desk) = try await shared()
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        try await laptop.sync()
        try await desk.lockbook.deleteAccount()
        try laptop.write("/team/plan.md", "more")
        try await laptop.sync()
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        #expect(try laptop.lockbook.shares() == [])
        #expect(try await laptop.text("/team/plan.md") == "more")
        try await converge(ada, laptop)
    }
}
