import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel

/// Accounts with their devices and their server, alone in their world: nothing of it comes from
/// outside but the plan.
package actor World {
    let plan: Plan
    let name: String
    let clock: SimulatedClock
    var server: SimulatedServer
    var devices: [SimulatedDevice] = []
    var oracle = Oracle()
    /// What its owner moved into a share, on which device, and when.
    var movesIn: [String: (device: Int, sequence: Int)] = [:]
    package internal(set) var tally = Tally()
    /// Accounts that are gone from the server, with the step at which each was deleted.
    var deletedAccounts: [Int: Int] = [:]
    /// Requests that were given up and did not arrive yet.
    var lateRequests: [WireRequest] = []
    /// Rises with everything that a user does.
    var sequence = 0
    /// Rises with everything that happens.
    private(set) var happenings = 0
    /// The first promise that broke, in case the engine gives another reason for stopping.
    var broken: Broken?
    var hasFaults = true
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    private let isTraced: Bool
    private var depth = 0
    /// Words to be followed, and the documents in which they were seen.
    let watched: Set<Int>
    var carriers: [Int: Set<String>] = [:]
    var foldersOfCarriers: [Int: Set<String>] = [:]
    /// Words that are gone and have to be followed to know whether they may be.
    package internal(set) var unexplained: Set<Int> = []

    /// 2030-01-01: later than any file that a disk of today has.
    static let start: Int64 = 1_893_456_000_000

    /// - Parameter server: the folder in which its server begins; nil for a new one.
    init(plan: Plan, server: SimulatedFolder?, watching: Set<Int> = [], isTraced: Bool = false)
        throws
    {
        self.plan = plan
        watched = watching
        name = WorldNames.next()
        self.isTraced = isTraced
        clock = SimulatedClock(milliseconds: Self.start)
        let folder = try server?.copy("\(name)-server-0")
        self.server = try SimulatedServer(
            name: name,
            clock: clock,
            keptVersions: plan.keptVersions,
            pageByteCount: plan.pageByteCount,
            folder: folder
        )
    }

    /// Runs all of the plan, then lets everything converge and asks the oracle.
    /// - Returns: a number that is the same for the same events.
    /// - Throws: `Broken`.
    func run(from beginning: Beginning) async throws -> UInt64 {
        defer { end() }
        try setUp(from: beginning)
        for event in plan.events {
            try await happen(event)
            try await watch()
        }
        try await heal()
        return hash
    }

    /// Nobody wants to know any more what is on the disks, so that closing need not write it.
    private func end() {
        for device in devices { device.folder.kill() }
        for device in devices where plan.hasDisk { forgetPlaces(of: device) }
        server.folder.kill()
        devices = []
    }

    // MARK: Trace

    func trace(_ line: @autoclosure () -> String) {
        let line = line()
        for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        if isTraced { print(String(repeating: "    ", count: depth) + line) }
    }

    func require(_ condition: Bool, _ promise: @autoclosure () -> String) throws {
        if condition { return }
        let failure = Broken(promise())
        broken = broken ?? failure
        throw failure
    }

    // MARK: Events

    func happen(_ event: Event) async throws {
        happenings += 1
        depth += 1
        defer { depth -= 1 }
        var draw = Draw(event.draw)
        clock.advance(by: 500 + Int64(draw.below(40_000)))
        let device = devices[event.device % devices.count]
        device.bytes.restart(Draw(event.draw, UInt64(device.number)))
        trace("\(sequence): \(event)")
        if draw.once(in: 2) { try await deliverLateRequests() }
        if event.kind.isOfUsers {
            try await edit(device, event.kind, &draw)
        } else if event.kind == .sync {
            try await sync(
                device,
                event.interruptions,
                &draw,
                isForetold: plan.isForetold && event.interruptions.isEmpty
            )
        } else {
            try await trouble(device, event, &draw)
        }
        if let broken { throw broken }
    }
}
