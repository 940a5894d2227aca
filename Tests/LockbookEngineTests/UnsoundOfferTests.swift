import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// Owners of shares who sign what no server takes that looks at it, on one that lets it through.
struct UnsoundOfferTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// What an owner signs that no file may become, behind what he pushed to get there.
    private struct Lie: Sendable {
        let owner: Intruder
        let record: FileRecord

        init(_ step: Intruder.Step, by device: Device, in path: String) async throws {
            owner = try Intruder(owner: device, of: path)
            let records = try owner.records(endingWith: step)
            for record in records.dropLast() { try await owner.push([record]) }
            record = try #require(records.last)
        }

        /// The answer to a pull with it, where that tells of the owner's log.
        func add(to body: [UInt8]) throws -> [UInt8] {
            let logs = try Lockbook_V1_PullResponse(serializedBytes: Data(body)).logs
            let log = logs.firstIndex { Array($0.log) == owner.owner.hash.bytes }
            return try log.map { try owner.add([record], to: body, log: $0) } ?? body
        }
    }

    @Test(arguments: Intruder.Step.allCases)
    func `of what is only offered each sync fails after all else, until who offers it is blocked`(
        step: Intruder.Step
    ) async throws {
        let laptop = try await ada.firstDevice(holding: ["/team/plan.md": "plan"])
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        for device in [laptop, desk] { try await device.sync() }
        let lie = try await Lie(step, by: laptop, in: "/team")
        try await desk.sync()
        desk.faults.lie("/v1/pull") { try lie.add(to: $0) }
        try desk.write("/own.md", "own")
        for _ in 0..<2 { #expect(try await liars(desk) == ["ada"]) }
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])
        let tablet = try await bob.device(named: "tablet", like: desk)
        #expect(try await tablet.text("/own.md") == "own")
        try await desk.lockbook.block("ada")
        for _ in 0..<2 { try await desk.sync() }
    }

    @Test func `what was much to read and is wrong is told, and not read anew for a while`()
        async throws
    {
        let laptop = try await ada.firstDevice(holding: ["/team/plan.md": "plan"])
        let usual = try await bob.firstDevice(named: "desk")
        let desk = try usual.again(readingInVain: 0)
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        let lie = try await Lie(.key, by: laptop, in: "/team")
        desk.faults.lie("/v1/pull") { try lie.add(to: $0) }
        #expect(try await liars(desk) == ["ada"])
        _ = desk.faults.takeRequests()
        #expect(try await liars(desk) == ["ada"])
        #expect(desk.faults.takeRequests() == ["/v1/pull"])
        let owner = laptop.lockbook.store.context.owner
        let kept = try LocalStore(StoreContext(desk.lockbook.store, of: owner))
            .read { try #require(try $0.setting(.readInVain)) }
        // It may name a note.
        for error in await failures(desk) {
            guard case .integrity(let reason, _) = error else { continue }
            #expect(!String(decoding: kept, as: UTF8.self).contains(reason))
        }
        desk.faults.tellTruth()
        #expect(try await liars(desk) == ["ada"])
        // A server that lied once keeps nothing out for good.
        desk.clock.pass(days: 1)
        try await desk.sync()
        #expect(try usual.lockbook.offers().map(\.name) == ["team"])
    }

    @Test func `of what is accepted each sync fails, and names all, until they are left`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(holding: ["/hers/note.md": "hers"])
        try await share("/hers", .write, tablet, desk)
        let lies = [
            try await Lie(.key, by: laptop, in: "/team"),
            try await Lie(.type, by: tablet, in: "/hers"),
        ]
        try await desk.sync()
        desk.faults.lie("/v1/pull") { body in
            try lies.reduce(body) { try $1.add(to: $0) }
        }
        for _ in 0..<2 { #expect(try await liars(desk) == ["ada", "carol"]) }
        try desk.lockbook.leaveShare(.path("/team"))
        // It is offered still.
        #expect(try await liars(desk) == ["ada", "carol"])
        try await desk.lockbook.block("ada")
        #expect(try await liars(desk) == ["carol"])
        try await desk.lockbook.block("carol")
        #expect(try await liars(desk) == ["carol"])
        try desk.lockbook.leaveShare(.path("/hers"))
        for _ in 0..<2 { try await desk.sync() }
    }

    @Test func `what is wrong with this account's own is told beside it`() async throws {
        let (laptop, desk) = try await shared()
        let lie = try await Lie(.key, by: laptop, in: "/team")
        try await desk.sync()
        desk.faults.lie("/v1/pull") { body in
            let told = try lie.add(to: body)
            var answer = try Lockbook_V1_PullResponse(serializedBytes: Data(told))
            // What nobody can have left here who uses an invitation.
            answer.claims = [Data([1]), Data([1])]
            return Array(try answer.serializedData() as Data)
        }
        let failures = await failures(desk)
        #expect(failures.count == 2)
        for failure in failures {
            guard case .integrity = failure else {
                Issue.record("\(failure)")
                continue
            }
        }
        #expect(try await liars(desk) == ["ada"])
    }

    /// Whose shares a sync names that fails of them.
    private func liars(_ device: Device) async throws -> [String] {
        await failures(device).compactMap { error in
            if case .integrity(_, let sharer) = error { sharer } else { nil }
        }.sorted()
    }

    /// All that a sync fails of.
    private func failures(_ device: Device) async -> [LockbookError] {
        let error = await #expect(throws: LockbookError.self) { try await device.sync() }
        return if case .several(let errors)? = error { errors } else { error.map { [$0] } ?? [] }
    }
}
