import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A link that ends each connection after so many bytes: what is more goes in smaller portions.
struct BreakingLinkTests {
    private static let closed = LockbookError.offline(
        server: "test",
        reason: "the connection was closed"
    )

    /// Six segments.
    private static let large = noise(6_800_000, seed: 7)

    private let alice: Person
    private let notes = (0..<60).map { noise(10_000, seed: UInt64(100 + $0)) }

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    private func writeNotes(on device: Device) throws {
        for (number, note) in notes.enumerated() { try device.write("/\(number).bin", note) }
    }

    @Test func `many notes are pushed in one sync`() async throws {
        let laptop = try await alice.firstDevice()
        try writeNotes(on: laptop)
        laptop.faults.breakOff(afterSending: 200_000)
        _ = laptop.faults.takeRequests()

        let report = try await laptop.sync()

        #expect(report.pushed.count == notes.count)
        #expect(try laptop.lockbook.status().changes == [])
        #expect(laptop.faults.takeRequests().count < 30)
        laptop.faults.carryAll()
        try await converge(alice, laptop)
    }

    @Test func `many notes arrive in one sync`() async throws {
        let laptop = try await alice.firstDevice()
        try writeNotes(on: laptop)
        try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        phone.faults.breakOff(afterReceiving: 200_000)
        _ = phone.faults.takeRequests()

        try await phone.sync()

        #expect(phone.faults.takeRequests().count < 30)
        #expect(try phone.lockbook.status().notHere == 0)
        phone.faults.carryAll()
        try await converge(alice, laptop, phone)
    }

    /// Of so many folders the names alone are more than the link carries at once.
    private func writeNames(on device: Device, signingAfter count: Int64 = .max) async throws {
        let writer = try device.again(signingAfter: count)
        _ = try writer.lockbook.create(paths: (0..<600).map { "/\($0)/" })
        try await writer.sync()
    }

    /// As entries, or as the state of a checkpoint.
    @Test(arguments: [.max, 1] as [Int64])
    func `what is more than one answer carries arrives in one sync`(count: Int64) async throws {
        let laptop = try await alice.firstDevice()
        try await writeNames(on: laptop, signingAfter: count)
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        phone.faults.breakOff(afterReceiving: 120_000)
        _ = phone.faults.takeRequests()

        try await phone.sync()

        #expect(phone.faults.takeRequests().count < 40)
        phone.faults.carryAll()
        #expect(try phone.paths().count == 600)
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [2_500_000, 1_100_000])
    func `a large document is pushed, and arrives`(most: Int) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/large.bin", Self.large)
        laptop.faults.breakOff(afterSending: most)
        try await laptop.sync()
        #expect(try laptop.lockbook.status().changes == [])

        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        phone.faults.breakOff(afterReceiving: most)
        try await phone.sync()

        phone.faults.carryAll()
        _ = phone.faults.takeRequests()
        #expect(try await phone.text("/large.bin") == Self.large)
        #expect(phone.faults.takeRequests() == [])
    }

    @Test func `a link that is too narrow ends the sync soon, and what got through is kept`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/large.bin", Self.large)
        try writeNotes(on: laptop)
        laptop.faults.breakOff(afterSending: 900_000)
        _ = laptop.faults.takeRequests()
        await #expect(throws: Self.closed) { try await laptop.sync() }
        // What is asked first, and a segment as often as it may be in vain.
        #expect(laptop.faults.takeRequests().count < 15)

        laptop.faults.breakOff(afterSending: 1_100_000)
        laptop.faults.before("/v1/push") { throw Self.closed }
        await #expect(throws: Self.closed) { try await laptop.sync() }
        laptop.faults.carryAll()
        _ = laptop.faults.takeSent()
        try await laptop.sync()
        #expect(laptop.faults.takeSent() < 1_000_000)
        try await converge(alice, laptop)
    }

    @Test func `over a slow link all is pushed in one sync`() async throws {
        let laptop = try await alice.firstDevice()
        try writeNotes(on: laptop)
        // What travels with the push, and half of it twice.
        for path in ["/v1/push", "/v1/stage", "/v1/stage"] {
            laptop.faults.before(path) { throw TooLargeRequest(failure: Self.closed) }
        }
        _ = laptop.faults.takeRequests()

        let report = try await laptop.sync()

        #expect(report.pushed.count == notes.count)
        #expect((9..<30).contains(laptop.faults.takeRequests().count))
        try await converge(alice, laptop)
    }

    @Test func `after much that stayed without an answer the next sync begins with half`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try writeNotes(on: laptop)
        laptop.faults.before("/v1/push") {
            throw TooLargeRequest(failure: Self.closed, isTriedAgain: false)
        }
        _ = laptop.faults.takeRequests()
        await #expect(throws: Self.closed) { try await laptop.sync() }
        #expect(laptop.faults.takeRequests() == ["/v1/pull", "/v1/push"])

        try await laptop.sync()
        let requests = laptop.faults.takeRequests()
        #expect(requests.contains("/v1/stage"), "\(requests)")
        try await converge(alice, laptop)
    }

    @Test func `a server that is away is asked once`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        laptop.faults.next("/v1/push", .lost)
        _ = laptop.faults.takeRequests()
        await #expect(throws: LockbookError.offline(server: "test", reason: "lost")) {
            try await laptop.sync()
        }
        #expect(laptop.faults.takeRequests() == ["/v1/pull", "/v1/push"])
    }

    @Test func `a server that answered before is not taken for one with TLS`() async throws {
        let laptop = try await alice.firstDevice()
        laptop.faults.before("/v1/pull") { throw UnansweredConnection(server: "test") }
        await #expect(throws: Self.closed) { try await laptop.sync() }
    }

    @Test func `portions are halved, and what is in vain ends`() {
        var link = LinkPortion()
        let broken = BrokenConnection(failure: Self.closed, isFresh: true)
        var tries = 0
        while link.goesOn(after: broken, carrying: link.byteCount ?? 8 << 20, canSplit: true) {
            tries += 1
        }
        #expect(link.byteCount == 64 << 10)
        #expect(tries == 7 + 3)
        link.gotThrough(1)
        let goesOn = link.goesOn(after: broken, carrying: 0, canSplit: false)
        #expect(goesOn)
    }

    @Test func `a connection that had carried other exchanges says nothing of the next one`() {
        var link = LinkPortion()
        let used = BrokenConnection(failure: Self.closed, isFresh: false)
        let goesOn = link.goesOn(after: used, carrying: 8 << 20, canSplit: true)
        #expect(goesOn)
        #expect(link.byteCount == nil)
    }

    // MARK: What is known to the next sync

    private func portion(of device: Device) throws -> Int64 {
        try device.lockbook.store.read { try $0.number(.linkPortion) }
    }

    @Test func `the next sync begins with what the link carried`() async throws {
        let laptop = try await alice.firstDevice()
        try writeNotes(on: laptop)
        laptop.faults.breakOff(afterSending: 200_000)
        try await laptop.sync()
        for (number, note) in notes.enumerated() { try laptop.write("/more/\(number).bin", note) }

        let later = try laptop.again()
        try await later.sync()

        let requests = later.faults.takeRequests()
        #expect(requests.contains("/v1/stage"))
        #expect(requests.last == "/v1/push")
        laptop.faults.carryAll()
        try await converge(alice, laptop, later)
    }

    @Test func `a sync that failed tells the next one, too`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/large.bin", Self.large)
        laptop.faults.breakOff(afterSending: 900_000)
        await #expect(throws: Self.closed) { try await laptop.sync() }
        #expect(try portion(of: laptop) == 1 << 20)
    }

    @Test func `a dry run tells the next sync nothing`() async throws {
        let laptop = try await alice.firstDevice()
        try await writeNames(on: laptop)
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        phone.faults.breakOff(afterReceiving: 120_000)
        var options = SyncOptions()
        options.isDryRun = true
        try await phone.sync(options)
        #expect(try portion(of: phone) == 0)
        try await phone.sync()
        #expect(try portion(of: phone) > 0)
    }

    @Test(arguments: [1, 8, 9])
    func `nonsense that is kept does no harm`(count: Int) async throws {
        let laptop = try await alice.firstDevice()
        let nonsense = [UInt8](repeating: 255, count: count)
        try laptop.lockbook.store.write { try $0.set(.linkPortion, to: nonsense) }
        try writeNotes(on: laptop)
        _ = laptop.faults.takeRequests()
        try await laptop.sync()
        #expect(laptop.faults.takeRequests() == ["/v1/pull", "/v1/push"])
    }

    @Test(arguments: [.min, -1, 0, 8 << 20, .max] as [Int64])
    func `what is no portion is none`(remembered: Int64) {
        #expect(LinkPortion(remembered: remembered).byteCount == nil)
    }

    @Test(
        arguments: [
            (1, 64 << 10), (64 << 10, 64 << 10), (5_000_000, 5_000_000),
        ] as [(Int64, Int)]
    )
    func `a portion is never too small`(remembered: Int64, byteCount: Int) {
        #expect(LinkPortion(remembered: remembered).byteCount == byteCount)
    }

    @Test func `after some portions that got through twice as much is tried`() {
        var link = LinkPortion(remembered: 2 << 20)
        for _ in 0..<100 { link.gotThrough(1 << 20) }
        #expect(link.byteCount == 2 << 20)
        for _ in 0..<3 { link.gotThrough(2 << 20) }
        #expect(link.byteCount == 2 << 20)
        link.gotThrough(2 << 20)
        #expect(link.byteCount == 4 << 20)
        for _ in 0..<4 { link.gotThrough(4 << 20) }
        #expect(link.byteCount == nil)
        #expect(link.remembered == 0)
    }

    @Test func `what is tried in vain is tried later the next time`() {
        var link = LinkPortion(remembered: 1 << 20)
        let broken = BrokenConnection(failure: Self.closed, isFresh: true)
        for patience in [4, 8, 16] {
            for _ in 1..<patience { link.gotThrough(1 << 20) }
            #expect(link.byteCount == 1 << 20)
            link.gotThrough(1 << 20)
            #expect(link.byteCount == 2 << 20)
            let goesOn = link.goesOn(after: broken, carrying: 2 << 20, canSplit: true)
            #expect(goesOn)
            #expect(link.byteCount == 1 << 20)
        }
    }
}
