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

    func lines(_ report: SyncReport) -> [String] {
        report.notes.map { "\($0.kind) \($0.path) (\($0.detail))" }.sorted()
    }

    func isQuiet(_ device: Device, sourceLocation: SourceLocation = #_sourceLocation)
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
        #expect(throws: LockbookError.shareEnded(path: "/team", username: "ada")) {
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
}
