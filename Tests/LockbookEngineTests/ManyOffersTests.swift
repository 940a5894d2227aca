import Foundation
import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

@testable import LockbookEngine

/// Offers of several accounts, some of which mean no good, keep nobody else's out.
struct ManyOffersTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `logs that ended take no place of those that are offered`() async throws {
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        let phone = try await carol.firstDevice(named: "phone")
        try phone.write("/bait.md", "bait")
        try laptop.write("/plan.md", "plan")
        for device in [laptop, desk, phone] { try await device.sync() }
        let narrow = try desk.again(following: 1)
        _ = try await phone.lockbook.share(.path("/bait.md"), with: "bob", mode: .read)
        try await phone.sync()
        try await narrow.sync()
        #expect(try narrow.lockbook.offers().map(\.from) == ["carol"])
        try phone.lockbook.setShare(.path("/bait.md"), of: "bob", to: nil)
        try await phone.sync()
        #expect(try await narrow.sync().notes.map(\.kind) == [.takenBack])

        _ = try await laptop.lockbook.share(.path("/plan.md"), with: "bob", mode: .read)
        try await laptop.sync()
        try await narrow.sync()
        #expect(try narrow.lockbook.offers().map(\.from) == ["ada"])
        // What ended is offered again, and is there once there is room for it.
        _ = try await phone.lockbook.share(.path("/bait.md"), with: "bob", mode: .write)
        try await phone.sync()
        let wide = try desk.again(following: 2)
        try await wide.sync()
        #expect(try Set(wide.lockbook.offers().map(\.from)) == ["ada", "carol"])
        _ = try wide.lockbook.acceptShare(id: #require(wide.lockbook.offers().first).id)
    }

    @Test func `what one account shares is not looked through for what another one does`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/hers.md", "hers")
        try await tablet.sync()
        try await share("/hers.md", .write, tablet, desk)
        let (owner, other) = (
            laptop.lockbook.store.context.owner, tablet.lockbook.store.context.owner
        )
        _ = try await desk.lockbook.withServer { sync in
            try await sync.run()
            let log = sync.others.first { $0.store.context.owner == owner }
            let shared = try #require(log).store
            var asked = 0
            shared.queue.inDatabase { db in db.trace { _ in asked += 1 } }
            defer { shared.queue.inDatabase { db in db.trace() } }
            let ahead = try sync.copiesAhead(of: other)
            #expect(ahead == [])
            #expect(asked == 0)
        }
    }

    /// Has the server name accounts that nobody made as sharing something with this one.
    private func makeUpOffers(_ count: UInt8, to device: Device) throws {
        let made = try (0..<count).map { number in
            try AccountCertificate(
                username: try #require(Username("nobody-\(number)")),
                keys: try AccountKeys(
                    seed: try #require(AccountSeed(Array(repeating: number, count: 32)))
                ),
                created: Timestamp(milliseconds: 1)
            ).bytes
        }
        device.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            response.offers += made.map { Data($0) }
            return Array(try response.serializedData() as Data)
        }
    }

    private func stores(of device: Device) throws -> Int {
        try StoreContext.namesOfSharers(in: device.directory).count
    }

    @Test func `of offers that a server made up no stores stay`() async throws {
        let desk = try await bob.firstDevice(named: "desk")
        try makeUpOffers(3, to: desk)
        for _ in 0..<2 {
            try await desk.sync()
            #expect(try stores(of: desk) == 3)
        }
        desk.faults.tellTruth()
        try await desk.sync()
        #expect(try stores(of: desk) == 0)
    }

    @Test func `of many offers that a server made up few are asked for, and a true one comes`()
        async throws
    {
        let laptop = try await ada.firstDevice(holding: ["/plan.md": "plan"])
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/plan.md"), with: "bob", mode: .read)
        try await laptop.sync()
        try makeUpOffers(40, to: desk)
        // All have had their turn after three.
        for _ in 0..<3 {
            let report = try await desk.sync()
            #expect(report.traffic.requests < 60)
            #expect(try stores(of: desk) <= 1 + Sync.vainOfferCount)
        }
        #expect(try desk.lockbook.offers().map(\.from) == ["ada"])
        _ = try desk.lockbook.acceptShare(id: #require(desk.lockbook.offers().first).id)
        try await desk.sync()
        #expect(try await desk.text("/plan.md") == "plan")
        desk.faults.tellTruth()
        for _ in 0..<2 { try await desk.sync() }
        #expect(try stores(of: desk) == 1)
    }

    @Test func `who was invited by somebody does not wait for the turn of that`() async throws {
        let laptop = try await ada.firstDevice(holding: ["/plan.md": "plan"])
        let desk = try await bob.firstDevice(named: "desk")
        let day: Int64 = 86_400_000
        let code = try await laptop.lockbook.invite(.path("/plan.md"), mode: .read, lasting: day)
        _ = try await desk.lockbook.acceptInvitation(code.code)
        try await laptop.sync()
        try makeUpOffers(40, to: desk)
        // It would be the last that is asked for.
        let last = laptop.lockbook.store.context.owner.hash.bytes
        try desk.lockbook.store.write { try $0.set(.vainOffer, to: last) }
        let report = try await desk.sync()
        #expect(!report.notes.contains { $0.kind == .claimRefused })
        #expect(try desk.lockbook.status().awaited == nil)
        #expect(try desk.lockbook.offers().isEmpty)
    }

    @Test func `what each page of a log says of offers and claims does not add up`() async throws {
        let alice = Person("alice", on: try TestServer(pageByteCount: 300))
        let laptop = try await alice.firstDevice()
        for name in ["one", "two", "three"] {
            try laptop.write("/\(name).md", name)
            try await laptop.sync()
        }
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        let count = Mutex(0)
        phone.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if !isFirst {
                // Neither is one: each that is taken makes the sync fail.
                response.offers = [Data([7])]
                response.claims = [Data([7])]
            }
            return Array(try response.serializedData() as Data)
        }
        try await phone.sync()
        let answers = count.withLock { $0 }
        #expect(answers > 2)
        phone.faults.tellTruth()
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [false, true])
    func `two accounts offer files of one id`(acceptsOtherFirst: Bool) async throws {
        let id = Array(repeating: UInt8(0xab), count: 16)
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        let phone = try await carol.firstDevice(named: "phone")
        for (device, name) in [(laptop, "plan.md"), (phone, "bait.md")] {
            let maker = try device.again(random: .choosing(id))
            _ = try maker.lockbook.create(path: "/x/")
            try maker.write("/x/\(name)", name)
            #expect(try maker.lockbook.info(.path("/x")).id == String(repeating: "ab", count: 16))
        }
        for device in [laptop, phone, desk] { try await device.sync() }
        for device in [laptop, phone] {
            _ = try await device.lockbook.share(.path("/x"), with: "bob", mode: .read)
            try await device.sync()
        }
        try await desk.sync()
        let offers = try desk.lockbook.offers()
        #expect(offers.map(\.from) == ["ada", "carol"])
        #expect(
            throws: LockbookError.ambiguous(
                prefix: "id:" + offers[0].id,
                matches: offers.map { "\($0.from):\($0.id)" }
            )
        ) { try desk.lockbook.acceptShare(id: offers[0].id) }
        let order = acceptsOtherFirst ? ["carol", "ada"] : ["ada", "carol"]
        for (index, name) in order.enumerated() {
            #expect(try desk.lockbook.offers().map(\.from) == order[index...].sorted())
            _ = try desk.lockbook.acceptShare(id: name + ":" + offers[0].id, to: "/of-" + name)
        }
        try await desk.sync()
        #expect(try await desk.text("/of-ada/plan.md") == "plan.md")
        #expect(try await desk.text("/of-carol/bait.md") == "bait.md")
        #expect(
            try desk.lockbook.list(.path("/"), recursive: true).map(\.path).sorted()
                == ["/of-ada", "/of-ada/plan.md", "/of-carol", "/of-carol/bait.md"]
        )
        try desk.lockbook.leaveShare(.path("/of-carol"))
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try await desk.text("/of-ada/plan.md") == "plan.md")
    }
}

extension RandomSource {
    /// What draws an id that somebody chose, and chance from then on.
    static func choosing(_ id: [UInt8]) -> RandomSource {
        let isDrawn = Mutex(false)
        return RandomSource { count in
            guard count == id.count else { return RandomSource.system.bytes(count) }
            let isFirst = isDrawn.withLock { isDrawn in
                defer { isDrawn = true }
                return !isDrawn
            }
            return isFirst ? id : RandomSource.system.bytes(count)
        }
    }
}
