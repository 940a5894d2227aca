import Foundation
import LockbookAPI
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// What one device wanted of a share that another device of its owner has given away meanwhile.
struct TransferElsewhereTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let phone: Device
    let desk: Device
    let tablet: Device

    /// Ada has two devices and shares `/team` with bob and carol.
    init() async throws {
        people = try Sharers()
        (laptop, phone, desk, tablet) = try await people.devices(
            holding: ["/team/plan.md": "plan"]
        )
        for device in [desk, tablet] { try await share("/team", .write, laptop, device) }
        try await phone.sync()
    }

    func give() async throws {
        try await give(laptop, desk)
    }

    func take() async throws {
        try await take(desk)
        try await desk.sync()
    }

    /// The laptop gives it to bob, of which the phone knows nothing.
    /// - Parameter isSettled: whether its sync comes to its end, and not only to what takes the share
    ///   back from everybody.
    private func handOver(isSettled: Bool = true) async throws {
        try await give()
        try await take()
        if isSettled {
            try await laptop.sync()
            return
        }
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
    }

    private func undone(_ report: SyncReport) -> [String] {
        report.notes.filter { $0.kind == .notDone || $0.kind == .notPushed }
            .map { "\($0.path) \($0.detail)" }
    }

    /// Everybody's syncs until nothing is left to do, and who may see the new share then.
    private func members() async throws -> [String] {
        let devices = [laptop, phone, desk, tablet]
        for _ in 0..<4 { for device in devices { try await device.sync() } }
        for device in devices {
            #expect(try device.lockbook.validate() == [])
            let report = try await device.sync()
            #expect(report.pulled.isEmpty && report.pushed.isEmpty && report.notes.isEmpty)
        }
        return try desk.lockbook.shares(of: .path("/team")).map { "\($0.username) \($0.mode)" }
    }

    @Test(arguments: [true, false])
    func `who is taken out there is taken out of the copy`(isSettled: Bool) async throws {
        try await handOver(isSettled: isSettled)
        try phone.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        #expect(try await undone(phone.syncAsForetold()) == [])
        try desk.write("/team/secret.md", "secret")

        #expect(try await members() == ["ada admin"])
        #expect(try tablet.paths().isEmpty && tablet.lockbook.offers().isEmpty)
    }

    @Test(arguments: [true, false])
    func `who may do less there may do less in the copy`(isSettled: Bool) async throws {
        try await handOver(isSettled: isSettled)
        try phone.lockbook.setShare(.path("/team"), of: "carol", to: .read)
        #expect(try await undone(phone.syncAsForetold()) == [])
        #expect(try await members() == ["ada admin", "carol read"])
    }

    @Test func `another mode lets nobody in whom the new owner has taken out`() async throws {
        try await handOver()
        try desk.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try await desk.sync()
        try phone.lockbook.setShare(.path("/team"), of: "carol", to: .read)
        #expect(
            try await undone(phone.syncAsForetold()) == [
                "/team what carol may do is for its new owner to say"
            ]
        )
        #expect(try await members() == ["ada admin"])
    }

    @Test(arguments: [nil, ShareRight.read])
    func `of its new owner it is told that he has it`(mode: ShareRight?) async throws {
        try await handOver()
        try phone.lockbook.setShare(.path("/team"), of: "bob", to: mode)
        try phone.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        #expect(
            try await undone(phone.syncAsForetold()) == [
                "/team what you wanted of it is not done, because it has another owner now, bob"
            ]
        )
        #expect(try await members() == ["ada admin"])
    }

    @Test func `whom the new owner does not know he lets in himself`() async throws {
        _ = try await Person("dan", on: people.server).firstDevice(named: "netbook")
        try await handOver()
        _ = try await phone.lockbook.share(.path("/team"), with: "dan", mode: .write)
        #expect(
            try await undone(phone.syncAsForetold()) == [
                "/team dan is for its new owner to let in"
            ]
        )
        #expect(try await members() == ["ada admin", "carol write"])
    }

    @Test(arguments: [true, false])
    func `that it is kept is told to be too late`(isByRevoke: Bool) async throws {
        try await give()
        try await phone.sync()
        try await take()
        try await laptop.sync()
        if isByRevoke {
            try phone.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        } else {
            _ = try phone.lockbook.cancelTransfer(.path("/team"))
        }
        #expect(
            try await undone(phone.syncAsForetold()) == [
                "/team what you wanted of it is not done, because it has another owner now, bob"
            ]
        )
        #expect(try await members() == ["ada admin", "carol write"])
    }

    @Test func `two devices let go of it at once, and nobody is taken out of the copy`()
        async throws
    {
        try await give()
        try await phone.sync()
        try await take()
        phone.faults.before("/v1/push") { [laptop] in try await laptop.sync() }
        try await phone.sync()
        #expect(try await members() == ["ada admin", "carol write"])
    }

    @Test func `who is taken out while another device lets go of it is taken out of the copy`()
        async throws
    {
        try await give()
        try await take()
        try phone.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        phone.faults.before("/v1/push") { [laptop] in try await laptop.sync() }
        try await phone.sync()
        #expect(try await members() == ["ada admin"])
    }

    @Test func `what was wanted waits until the log of the new owner was read`() async throws {
        try await give()
        try phone.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        phone.faults.before("/v1/push") { [laptop, desk] in
            let offer = try #require(try desk.lockbook.offers().first)
            _ = try await desk.lockbook.accept(id: offer.id)
            try await desk.sync()
            try await laptop.sync()
        }
        #expect(
            try await undone(phone.sync()) == [
                "/team what you wanted of it waits for the next sync, "
                    + "because it has another owner now"
            ]
        )
        #expect(try await members() == ["ada admin"])
    }

    @Test func `what is shared anew when it was restored is a share of its own`() async throws {
        let netbook = try await Person("dan", on: people.server).firstDevice(named: "netbook")
        try await handOver()
        try await phone.sync()
        _ = try phone.lockbook.restore([.path("/team")])
        _ = try await phone.lockbook.share(.path("/team-1"), with: "dan", mode: .write)
        #expect(try await undone(phone.syncAsForetold()) == [])
        try await netbook.sync()
        #expect(try netbook.lockbook.offers().map(\.from) == ["ada"])
        #expect(try await members() == ["ada admin", "carol write"])
    }

    /// Its sync comes between the pull and the push of the one that lets go of the share.
    @Test(arguments: [nil, ShareRight.read])
    func `what a device decides that has not seen the copy holds there`(mode: ShareRight?)
        async throws
    {
        try await give()
        try await phone.sync()
        try phone.lockbook.setShare(.path("/team"), of: "carol", to: mode)
        try await take()
        phone.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            response.offers = []
            return Array(try response.serializedData() as Data)
        }
        laptop.faults.before("/v1/push") { [phone] in try await phone.sync() }
        try await laptop.sync()
        phone.faults.tellTruth()
        #expect(try await members() == ["ada admin"] + (mode.map { ["carol \($0)"] } ?? []))
    }

    @Test func `what is undecided in it is so for who had it before, on each device`() async throws
    {
        let devices = [laptop, phone, desk, tablet]
        func undecided() throws -> [Int] { try devices.map { try $0.lockbook.conflicts().count } }
        try phone.write("/team/plan.md", "plan of ada")
        try desk.write("/team/plan.md", "plan of bob")
        for device in [desk, phone, laptop, desk, tablet] { try await device.sync() }
        #expect(try undecided() == [1, 1, 1, 1])
        try await give()
        try await take()
        #expect(try await members() == ["ada admin", "carol write"])
        #expect(try undecided() == [1, 1, 1, 1])
    }

    @Test(arguments: [false, true])
    func `it is not said to be kept while a sync that was cut off may have given it`(
        isByRevoke: Bool
    ) async throws {
        try await handOver(isSettled: false)
        if isByRevoke {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        } else {
            #expect(
                throws: LockbookError.badShare(
                    path: "/team",
                    reason: "bob has accepted it, and the sync that was cut off may have told "
                        + "everybody; the next one says what has become of it"
                )
            ) {
                try laptop.lockbook.cancelTransfer(.path("/team"))
            }
        }
        let report = try await laptop.sync()
        #expect(report.notes.contains { $0.kind == .transferred })
        #expect(undone(report) == [])
        #expect(try await members() == ["ada admin", "carol write"])
    }
}
