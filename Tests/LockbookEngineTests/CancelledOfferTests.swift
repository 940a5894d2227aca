import Foundation
import LockbookAPI
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// A share that was offered to bob for good, and was not given away after all, ends for carol.
struct CancelledOfferTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let desk: Device
    let tablet: Device

    init() async throws {
        people = try Sharers()
        (laptop, desk, tablet) = try await people.oneDeviceEach(
            holding: ["/team/plan.md": "plan"]
        )
        for device in [desk, tablet] { try await share("/team", .write, laptop, device) }
        try await give(laptop, desk)
    }

    /// What bob is offered.
    private func offer() throws -> String {
        try #require(try desk.lockbook.offers().first).id
    }

    private func takeOut(_ name: String) throws {
        try laptop.lockbook.setShare(.path("/team"), of: name, to: nil)
    }

    /// Bob makes his copy, of which he does not know yet that it continues nothing.
    private func take() async throws {
        try await take(desk)
        try await desk.sync()
    }

    private func kinds(_ device: Device) async throws -> Set<SyncReport.Note.Kind> {
        Set(try await device.sync().notes.map(\.kind))
    }

    /// - Parameters:
    ///   - isSeen: whether carol's device sees the offer and its end before all else.
    ///   - isRevoked: whether bob was taken out, which ends the offer as well.
    @Test(arguments: [false, true], [false, true])
    func `her link follows no copy that was made for it`(isSeen: Bool, isRevoked: Bool)
        async throws
    {
        if isSeen { try await tablet.sync() }
        if isRevoked {
            try takeOut("bob")
        } else {
            _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        }
        try await laptop.sync()
        if isSeen { try await tablet.sync() }
        try await take()
        try takeOut("carol")
        try await laptop.sync()

        #expect(try await kinds(tablet).contains(.takenBack))
        for device in [desk, tablet, tablet] {
            #expect(try await !kinds(device).contains(.transferred))
        }
        #expect(try tablet.paths() == [])
        #expect(try tablet.lockbook.offers().map(\.from) == ["bob"])
    }

    /// - Parameter isForAll: whether bob is taken out as well, so that nobody has the share any more.
    @Test(arguments: [false, true], [false, true])
    func `nor one that is cancelled by the very sync that takes her out`(
        isForAll: Bool,
        isSeen: Bool
    ) async throws {
        if isSeen { try await tablet.sync() }
        try await take()
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        try laptop.write("/team/secret.md", "secret")
        for name in isForAll ? ["bob", "carol"] : ["carol"] { try takeOut(name) }
        try await laptop.syncAsForetold()
        for _ in 0..<2 { #expect(try await !kinds(tablet).contains(.transferred)) }
        #expect(try tablet.paths() == [])
        #expect(try tablet.lockbook.offers().map(\.from) == ["bob"])
    }

    @Test func `a server that does not take the end of an offer keeps nobody in`() async throws {
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        for name in ["bob", "carol"] { try takeOut(name) }
        let team = try #require(FileID(hex: try laptop.lockbook.info(.path("/team")).id))
        var refusal = Lockbook_V1_ErrorResponse()
        refusal.code = .violation
        refusal.message = "no"
        refusal.file = Data(team.bytes)
        let body = Array(try refusal.serializedData() as Data)
        laptop.faults.refuse("/v1/push") { bytes in
            let request = try Lockbook_V1_PushRequest(serializedBytes: Data(bytes))
            let groups = try request.groups.map { try EntryGroup(Array($0)) }
            let isChange = groups.contains { $0.scope == team && $0.grants.isEmpty }
            return isChange ? (422, body) : nil
        }
        try await laptop.sync()
        #expect(try laptop.lockbook.shares().isEmpty)
        for device in [desk, tablet] {
            #expect(try await kinds(device).contains(.takenBack))
            #expect(try device.paths() == [])
        }
    }

    @Test func `what stood in a share when it ended before says nothing of its next end`()
        async throws
    {
        try await tablet.sync()
        try tablet.noteEarlierOffers()
        try await take()
        var told: Set<SyncReport.Note.Kind> = []
        for _ in 0..<2 {
            for device in [desk, laptop] { try await device.sync() }
            told.formUnion(try await kinds(tablet))
        }
        #expect(told.contains(.transferred))
        #expect(try tablet.paths() != [])
    }

    @Test func `nor when the owner deletes the account`() async throws {
        try await tablet.sync()
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        try await laptop.sync()
        try await tablet.sync()
        try await take()
        try await tablet.sync()
        try await laptop.lockbook.deleteAccount()
        for _ in 0..<2 { #expect(try await !kinds(tablet).contains(.transferred)) }
        #expect(try tablet.paths() == [])
    }

    @Test func `who was taken out and accepts it is not told that it is his`() async throws {
        try takeOut("bob")
        try await laptop.sync()
        try await take(desk)
        #expect(try await kinds(desk) == [.takenBack])
    }

    @Test func `a copy that she rejected takes the place of nothing`() async throws {
        let taken = try await desk.lockbook.accept(id: offer())
        try await desk.sync()
        for _ in 0..<2 { try await tablet.sync() }
        try tablet.lockbook.rejectShare(id: taken.id)
        try await laptop.sync()
        #expect(try await kinds(tablet) == [.takenBack])
        #expect(try tablet.paths() == [])
        #expect(try tablet.lockbook.offers() == [])
    }
}
