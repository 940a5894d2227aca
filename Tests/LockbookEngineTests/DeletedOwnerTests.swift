import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// What becomes of shares whose owner deletes his account, on the devices of those who had them.
struct DeletedOwnerTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func lines(_ report: SyncReport) -> [String] {
        report.notes.map { "\($0.kind) \($0.path) (\($0.detail))" }.sorted()
    }

    private func isQuiet(_ device: Device, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let report = try await device.syncAsForetold()
        #expect(report.notes == [] && report.pulled == [], sourceLocation: sourceLocation)
        #expect(report.traffic.requests == 1, sourceLocation: sourceLocation)
        #expect(try device.lockbook.status().changes == [], sourceLocation: sourceLocation)
        #expect(try device.lockbook.validate() == [], sourceLocation: sourceLocation)
    }

    @Test func `links go, and what was not synced is one's own, on every device`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md", "old.md"])
        let phone = try await bob.device(named: "phone", like: desk)
        try desk.write("/team/plan.md", "bob's words")
        try desk.write("/team/new.md", "bob's new words")
        try desk.write("/team/gone.md", "bob's words that he deleted")
        try desk.delete("/team/gone.md")
        try desk.move("/team/old.md", to: "/team/deep/")
        try phone.write("/team/deep/note.md", "from the phone")
        try await laptop.lockbook.deleteAccount()

        let told = try await lines(desk.syncAsForetold())
        for line in [
            "keptOwn /new.md (/team/new.md)", "keptOwn /plan.md (/team/plan.md)",
        ] { #expect(told.contains(line), "\(told)") }
        #expect(told.contains("takenBack /team (ada, whose account was deleted)"))
        #expect(try await desk.text("/plan.md") == "bob's words")
        #expect(try await desk.text("/new.md") == "bob's new words")
        #expect(try !desk.paths().contains { $0.hasPrefix("/team") })
        try await isQuiet(desk)

        let there = try await lines(phone.syncAsForetold())
        #expect(there.contains("takenBack /team (ada, whose account was deleted)"), "\(there)")
        #expect(there.contains("keptOwn /note.md (/team/deep/note.md)"), "\(there)")
        #expect(try await phone.text("/note.md") == "from the phone")
        try await isQuiet(phone)
        try await desk.sync()
        try await converge(bob, desk, phone)
    }

    private struct Lost: Error {}

    /// A device that knows of contents without having them.
    private func reader(like device: Device, of person: Person) async throws -> Device {
        let reader = try await person.device(named: "reader", like: device, synced: false)
        reader.faults.before("/v1/blobs") { throw Lost() }
        await #expect(throws: Lost.self) { try await reader.sync() }
        return reader
    }

    @Test func `a content that is not here names who took it along, and all else goes on`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let reader = try await reader(like: desk, of: bob)
        try reader.write("/own.md", "own")
        try await laptop.lockbook.deleteAccount()
        let gone = LockbookError.ownerDeleted(path: "/team/plan.md", username: "ada")
        await #expect(throws: gone) { _ = try await reader.text("/team/plan.md") }
        await #expect(throws: gone) {
            try await reader.lockbook.fetch(.path("/team/plan.md"))
        }
        var query = SearchQuery("own")
        query.fetches = true
        var found: [SearchEvent] = []
        try await reader.lockbook.search(query, in: [.path("/")]) { found += $0 }
        let isTold = found.contains { event in
            if case .unreadable("/team/plan.md", gone) = event { true } else { false }
        }
        #expect(isTold && found.count > 1)
        let report = try await Place().export(reader)
        #expect(report.created == 1 && report.problems.map(\.path) == ["/team/plan.md"])
        #expect(report.problems.allSatisfy { $0.reason.contains("ada") })
    }

    /// The share goes on; it is the reader who is not there any more.
    @Test
    func `a content of a share that is not here names who asks, where he deleted his account`()
        async throws
    {
        let (_, desk) = try await shared()
        let reader = try await reader(like: desk, of: bob)
        try await desk.lockbook.deleteAccount()
        let gone = LockbookError.ownerDeleted(path: "/team/plan.md", username: "bob")
        await #expect(throws: gone) { _ = try await reader.text("/team/plan.md") }
        #expect(try reader.lockbook.status().deleted != nil)
    }

    @Test func `a new device finds nothing behind a link to what ended`() async throws {
        let (laptop, desk) = try await shared()
        try await laptop.lockbook.deleteAccount()
        let phone = try await bob.device(named: "phone", like: desk)
        #expect(try phone.paths() == ["/team"])
        #expect(throws: LockbookError.leadsNowhere(path: "/team")) {
            try phone.lockbook.list(.path("/team"), recursive: false)
        }
        await #expect(throws: LockbookError.leadsNowhere(path: "/team")) {
            try await phone.text("/team/plan.md")
        }
    }

    @Test(arguments: [ShareRight.read, .write, .admin])
    func `whatever one might do there, it is over`(mode: ShareRight) async throws {
        let (laptop, desk) = try await shared(mode)
        if mode == .admin {
            _ = try await carol.firstDevice(named: "hers")
            _ = try await desk.lockbook.share(.path("/team"), with: "carol", mode: .read)
        }
        try await laptop.lockbook.deleteAccount()
        let told = try await lines(desk.syncAsForetold())
        #expect(told == ["takenBack /team (ada, whose account was deleted)"])
        #expect(try desk.paths() == [])
        try await isQuiet(desk)
        try await converge(bob, desk)
    }

    @Test func `shares inside of shares, and what was only offered, end with it`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "part/note.md"])
        try laptop.write("/more/a.md", "a")
        let tablet = try await carol.firstDevice(named: "tablet")
        _ = try await laptop.lockbook.share(.path("/more"), with: "bob", mode: .read)
        try await share("/team/part", .write, laptop, tablet)
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.name) == ["more"])
        try desk.write("/team/part/note.md", "bob's words")
        try tablet.write("/part/note.md", "carol's words")
        try await laptop.lockbook.deleteAccount()

        let told = try await lines(desk.syncAsForetold())
        #expect(
            told == [
                "keptOwn /note.md (/team/part/note.md)",
                "takenBack /team (ada, whose account was deleted)",
                "takenBack more (ada, whose account was deleted)",
            ]
        )
        #expect(try desk.lockbook.offers() == [])
        #expect(
            try await lines(tablet.syncAsForetold()) == [
                "keptOwn /note.md (/part/note.md)",
                "takenBack /part (ada, whose account was deleted)",
            ]
        )
        for device in [desk, tablet] { try await isQuiet(device) }
        try await converge(bob, desk)
        try await converge(carol, tablet)
    }

    @Test func `what others share stays`() async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/hers/a.md", "a")
        try await tablet.sync()
        try await share("/hers", .write, tablet, desk)
        try desk.write("/hers/a.md", "bob's words")
        try desk.write("/team/plan.md", "bob's plan")
        try await laptop.lockbook.deleteAccount()
        try await desk.syncAsForetold()
        try await tablet.sync()
        #expect(try await tablet.text("/hers/a.md") == "bob's words")
        #expect(try desk.paths() == ["/hers", "/hers/a.md", "/plan.md"])
        try await isQuiet(desk)
    }

    @Test func `it ends while words are on their way, and they are kept`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's own words")
        desk.faults.before("/v1/push") { try await laptop.lockbook.deleteAccount() }
        let told = try await lines(desk.sync())
        #expect(
            told == [
                "keptOwn /plan.md (/team/plan.md)",
                "takenBack /team (ada, whose account was deleted)",
            ]
        )
        // The copy goes with the next sync.
        try await desk.sync()
        try await isQuiet(desk)
        try await converge(bob, desk)
    }

    @Test func `what was sent and not answered is one's own`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's own words")
        desk.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try await laptop.lockbook.deleteAccount()
        #expect(
            try await lines(desk.syncAsForetold()) == [
                "keptOwn /plan.md (/team/plan.md)",
                "takenBack /team (ada, whose account was deleted)",
            ]
        )
        try await isQuiet(desk)
    }

    @Test func `a sync that is killed when it had learned of it is completed by the next`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's own words")
        let owner = laptop.lockbook.keys
        let end = try AccountEnd(created: Timestamp(milliseconds: 5), by: owner)
        try await laptop.lockbook.deleteAccount()
        let other = try LocalStore(
            StoreContext(desk.lockbook.store, of: AccountID(owner.publicKeys))
        )
        try other.write { try $0.endOwner(end) }
        #expect(
            try await lines(desk.syncAsForetold()) == [
                "keptOwn /plan.md (/team/plan.md)",
                "takenBack /team (ada, whose account was deleted)",
            ]
        )
        try await isQuiet(desk)
    }

    @Test func `a link that went does not come out of the trash`() async throws {
        let (laptop, desk) = try await shared()
        try await laptop.lockbook.deleteAccount()
        try await desk.sync()
        #expect(throws: LockbookError.shareEnded(path: "/team")) {
            _ = try desk.lockbook.restore([.path("/team")])
        }
        try await isQuiet(desk)
    }

    @Test func `it is over for good, also on a server that was put back`() async throws {
        let (laptop, desk) = try await shared()
        let backup = try ada.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try desk.write("/team/plan.md", "bob's own words")
        try await laptop.lockbook.deleteAccount()
        try await desk.sync()
        try ada.server.restore(backup)
        var options = SyncOptions()
        options.acceptsRollback = true
        try await desk.sync(options)
        #expect(try desk.paths() == ["/plan.md"])
        for _ in 0..<2 { try await desk.sync() }
        #expect(try desk.paths() == ["/plan.md"])
        #expect(try desk.lockbook.offers() == [])
        // Of the account itself nothing happened then, and it can be deleted again.
        try await laptop.sync()
        try await laptop.lockbook.deleteAccount()
        try await desk.sync()
        try await isQuiet(desk)
    }

    @Test func `of more logs than one request names each is told`() async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/hers/a.md", "a")
        try await tablet.sync()
        try await share("/hers", .write, tablet, desk)
        for device in [laptop, tablet] { try await device.lockbook.deleteAccount() }
        let narrow = try desk.again(following: 1)
        let told = try await lines(narrow.sync())
        #expect(
            told == [
                "takenBack /hers (carol, whose account was deleted)",
                "takenBack /team (ada, whose account was deleted)",
            ]
        )
        #expect(try desk.paths() == [])
        try await narrow.sync()
        try await isQuiet(narrow)
        try await isQuiet(desk)
    }

    // MARK: Invitations

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

    // MARK: Shares that are being given away

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

    @Test func `an offer to who is gone that was on its way when this stopped keeps nothing back`()
        async throws
    {
        let (laptop, _) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try laptop.write("/more/a.md", "a")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/more"), with: "carol", mode: .read)
        try await tablet.lockbook.deleteAccount()
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.notShared])
        try await isQuiet(laptop)
        try await converge(ada, laptop)
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

    // MARK: What is not believed

    private func isNotBelieved(
        _ desk: Device,
        _ end: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await desk.snapshot()
        desk.faults.lie("/v1/pull") { body in
            var answer = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for index in answer.logs.indices.dropFirst() { answer.logs[index].end = Data(end) }
            return Array(try answer.serializedData() as Data)
        }
        await #expect(sourceLocation: sourceLocation) {
            try await desk.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        desk.faults.tellTruth()
        #expect(try await desk.snapshot() == before, sourceLocation: sourceLocation)
    }

    @Test func `what another one signed, or for something else, ends nothing`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's words")
        let owner = laptop.lockbook.keys
        let eve = try AccountKeys(
            seed: try #require(AccountSeed(Array(repeating: 7, count: 32)))
        )
        let time = Timestamp(milliseconds: 5)
        let real = try AccountEnd(created: time, by: owner).bytes
        var altered = real
        altered[104] ^= 1
        let message = Array(real.dropLast(64))
        let forOther = try owner.signing.sign(message, for: .account)
        for forged in [
            altered, try AccountEnd(created: time, by: eve).bytes,
            try AccountEnd(created: time, by: desk.lockbook.keys).bytes, message + forOther, [1],
        ] {
            try await isNotBelieved(desk, forged)
        }
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "bob's words")
    }

    @Test func `a server that only says so ends nothing`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's words")
        let before = try await desk.snapshot()
        desk.faults.refuse("/v1/pull") { _ in
            let answer = Lockbook_V1_ErrorResponse.with {
                $0.code = .ended
                $0.message = "she is gone"
            }
            return (410, Array(try answer.serializedData() as Data))
        }
        await #expect(throws: LockbookError.refused(reason: "she is gone")) {
            try await desk.sync()
        }
        desk.faults.tellTruth()
        #expect(try await desk.snapshot() == before)
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "bob's words")
    }
}
