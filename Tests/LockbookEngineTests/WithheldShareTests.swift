import Foundation
import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// A server that keeps one share of several from a device that is new.
struct WithheldShareTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// `/team` and `/kept` of ada's on bob's desk, and a new phone of his from which `/kept` is kept.
    func withholding() async throws -> (
        laptop: Device, desk: Device, phone: Device, kept: FileID
    ) {
        let (laptop, desk) = try await shared()
        try laptop.write("/kept/b.md", "b")
        try await laptop.sync()
        try await share("/kept", .write, laptop, desk)
        let kept = try #require(FileID(hex: laptop.lockbook.info(.path("/kept")).id))
        let phone = try await bob.device(named: "phone", like: desk, synced: false)
        phone.change { try $0.withhold(kept) }
        return (laptop, desk, phone, kept)
    }

    /// As ``withholding()``, and the phone's next sync asks for the log from its beginning.
    private func asking() async throws -> (laptop: Device, phone: Device) {
        let (laptop, _, phone, _) = try await withholding()
        try await phone.sync()
        try laptop.write("/team/late.md", "late")
        try await laptop.sync()
        try await phone.sync()
        return (laptop, phone)
    }

    private func isRolledBack(_ device: Device) async throws {
        let error = await #expect(throws: LockbookError.self) { try await device.sync() }
        guard case .rolledBack(let known, let shown, _) = error, known == shown + 1 else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// What ada shares, as a device of bob's has it.
    private func shared(by laptop: Device, on device: Device) throws -> LocalStore {
        let owner = laptop.lockbook.store.context.owner
        return try LocalStore(StoreContext(device.lockbook.store, of: owner))
    }

    @Test func `the link to a share that a server keeps from a new device stays`() async throws {
        let (laptop, desk, phone, _) = try await withholding()
        let before = try desk.paths()

        for round in 0..<4 {
            let report = try await phone.sync()
            #expect(!report.notes.contains { $0.kind == .takenBack })
            #expect(report.pushed.isEmpty)
            // Asked for once more from the beginning, and not again.
            if round > 1 { #expect(report.traffic.requests == 1) }
        }
        #expect(try phone.paths().contains("/kept"))
        phone.faults.tellTruth()
        try await desk.sync()
        #expect(try desk.paths() == before)

        // What was kept from it comes after the next change there.
        try laptop.write("/kept/c.md", "c")
        try await laptop.sync()
        for device in [phone, phone, desk] { try await device.sync() }
        #expect(try await phone.snapshot() == desk.snapshot())
        #expect(try await phone.sync().traffic.requests == 1)
    }

    @Test func `a log that cannot be read from its beginning stays as it was agreed`() async throws
    {
        let (_, phone) = try await asking()
        phone.faults.before("/v1/pull") { phone.faults.next("/v1/pull", .lost) }

        await #expect(throws: LockbookError.self) { try await phone.sync() }

        #expect(try phone.lockbook.status().changes == [])
        try phone.write("/team/plan.md", "plan, longer")
        try await phone.sync()
        #expect(try await phone.text("/team/plan.md") == "plan, longer")
    }

    @Test func `what is written while a log is read from its beginning is no conflict`()
        async throws
    {
        let (laptop, phone) = try await asking()
        phone.faults.before("/v1/pull") {
            phone.faults.before("/v1/pull") {
                try laptop.write("/team/plan.md", "another plan")
                try await laptop.sync()
            }
        }
        for _ in 0..<2 {
            let report = try await phone.sync()
            #expect(report.pushed == [] && report.notes == [])
        }

        #expect(try await phone.text("/team/plan.md") == "another plan")
        #expect(try phone.lockbook.conflicts() == [])
    }

    @Test func `a log in which nothing more is shown from its beginning has no news`() async throws
    {
        let (_, phone) = try await asking()

        let report = try await phone.sync()

        #expect(report.traffic.requests == 2)
        #expect(report.pulled == [] && report.notes == [])
    }

    @Test func `where a copy of it has no room a log is read from its beginning another time`()
        async throws
    {
        let (_, phone) = try await asking()
        phone.faults.before("/v1/pull") {
            // As where what comes into the copy fills the disk.
            phone.faults.before("/v1/pull") { throw LockbookError.noSpace(for: "/notes") }
        }

        for _ in 0..<2 { #expect(try await phone.sync().traffic.requests == 2) }

        #expect(try await phone.sync().traffic.requests == 1)
    }

    @Test func `that a log cannot be copied for another reason than room is told`() async throws {
        let (laptop, phone) = try await asking()
        let store = try shared(by: laptop, on: phone)
        // The copy fails, and nothing else does.
        try store.queue.inDatabase { try $0.execute(sql: "CREATE TABLE \"no copy\" (id)") }
        let failure = try #require(throws: LockbookError.self) { try store.rehearsal() }

        await #expect(throws: failure) { try await phone.sync() }

        try store.queue.inDatabase { try $0.execute(sql: "DROP TABLE \"no copy\"") }
        #expect(try await phone.sync().traffic.requests == 2)
        #expect(try await phone.sync().traffic.requests == 1)
    }

    @Test func `a dry run reads a log from its beginning as the sync does`() async throws {
        let (_, phone) = try await asking()
        phone.faults.tellTruth()
        var options = SyncOptions()
        options.isDryRun = true

        let foretold = try await phone.sync(options)
        let report = try await phone.sync()

        #expect(foretold.pulled == report.pulled)
        #expect(report.pulled.contains { $0.hasPrefix("/kept") })
        #expect(try await phone.text("/kept/b.md") == "b")
    }

    @Test func `a log that is asked for from its beginning has to go as far as it went`()
        async throws
    {
        let (laptop, desk, phone, kept) = try await withholding()
        try await phone.sync()
        try laptop.write("/team/late.md", "late")
        try await laptop.sync()
        try await phone.sync()
        #expect(try await phone.text("/team/late.md") == "late")

        // Asked for more of it, the server shows what it had before that.
        phone.faults.tellTruth()
        phone.change { log in
            try log.withhold(kept)
            try log.cutLast()
        }
        for _ in 0..<2 { try await isRolledBack(phone) }

        phone.faults.tellTruth()
        for device in [desk, phone] { try await device.sync() }
        #expect(try await phone.snapshot() == desk.snapshot())
        let required = try shared(by: laptop, on: phone).read { try $0.requiredHeads() }
        #expect(required == [])
    }

    @Test func `a log of which a part was read anew has to go on to where it went`() async throws {
        let (laptop, desk) = try await shared()
        try requireMore(of: laptop, on: desk)
        for _ in 0..<2 { try await isRolledBack(desk) }

        var options = SyncOptions()
        options.acceptsRollback = true
        let report = try await desk.sync(options)
        #expect(report.rollback?.shares == ["ada"])
        #expect(try await desk.sync().traffic.requests == 1)
    }

    /// A sync came only so far in what somebody shares, and was killed.
    private func requireMore(of sharer: Device, on device: Device) throws {
        try shared(by: sharer, on: device).write { tree in
            let head = try #require(try tree.head())
            let later = LogHead(position: head.position + 1, hash: head.hash)
            try tree.set(.shownHead, to: later.bytes)
        }
    }

    @Test func `what a broken-off sync went back with is told with what the next one finds`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/more/c.md", "c")
        try await tablet.sync()
        try await share("/more", .write, tablet, desk)
        var options = SyncOptions()
        options.acceptsRollback = true
        try requireMore(of: laptop, on: desk)
        try desk.write("/own.md", "own")
        desk.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await desk.sync(options) }

        try requireMore(of: tablet, on: desk)
        let report = try await desk.sync(options)
        #expect(report.rollback?.shares == ["ada", "carol"])
        #expect(report.pushed == ["/own.md"])
        #expect(try await desk.sync().rollback == nil)
    }

    @Test func `a link that comes out of the trash after its share ended goes again`() async throws
    {
        let (laptop, desk) = try await shared()
        try desk.delete("/team")
        try await desk.sync()
        _ = try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        let link = try #require(try desk.lockbook.trash().first { $0.type == .link })
        _ = try desk.lockbook.restore([.id(prefix: link.id)])

        try await desk.sync()
        try await desk.sync()

        #expect(try desk.paths() == [])
    }
}

extension Device {
    /// The server's answers about logs come otherwise to it, until it tells the truth.
    fileprivate func change(
        _ change: @escaping @Sendable (inout Lockbook_V1_LogUpdate) throws -> Void
    ) {
        faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for log in response.logs.indices { try change(&response.logs[log]) }
            return Array(try response.serializedData() as Data)
        }
    }
}

extension Lockbook_V1_LogUpdate {
    /// As the server showed it before the last entry, where that is not all.
    fileprivate mutating func cutLast() throws {
        guard entries.count > 1 else { return }
        entries.removeLast()
        let newest = LogHead(try EntryHeader(Array(entries[entries.count - 1].header)))
        headPosition = newest.position
        head = Data(newest.hash.bytes)
        var listed: Set<Hash256> = []
        for group in entries.flatMap(\.groups) {
            guard case .whole(let bytes) = group.content else { continue }
            try listed.formUnion(EntryGroup(Array(bytes)).records.map(\.hash))
        }
        records = try records.filter { try listed.contains(FileRecord(Array($0)).hash) }
    }

    /// As the server would show it to somebody who may not see a scope.
    fileprivate mutating func withhold(_ scope: FileID) throws {
        for entry in entries.indices {
            entries[entry].groups = try entries[entry].groups.map { group in
                guard case .whole(let bytes) = group.content,
                    try EntryGroup(Array(bytes)).scope == scope
                else { return group }
                var hidden = Lockbook_V1_Group()
                hidden.hidden =
                    Data(scope.bytes) + Data(EntryGroup.hash(of: Array(bytes)).bytes)
                return hidden
            }
        }
        records = try records.filter { try FileRecord(Array($0)).facts.scope != scope }
    }
}
