import LockbookEngine

/// Everything that will happen in one world, drawn from its seed.
package struct Plan: Sendable {
    package internal(set) var seed: UInt64
    package var deviceCount: Int
    /// Whose each device is, by number; empty when all are of one account.
    package var accounts: [Int] = []
    /// Larger contents stay on the server until they are read.
    package var lazyByteCount: UInt64
    package var checkpointRecordCount: Int64
    /// How many versions of a document the server keeps longer than its retention.
    package var keptVersions: Int
    /// The bytes of records that one answer of the server aims at; nil for the usual ones.
    var pageByteCount: Int?
    /// How much devices take at once.
    var portions = Portions()
    /// Whether a dry run says of each sync to which nothing happens what it will do.
    var isForetold: Bool
    /// Whether texts are mostly changed in the same few documents.
    package var isNarrow = false
    /// Whether people take back, bring back and decide.
    package var hasCommands = false
    /// Whether shares get other owners.
    package var hasTransfers = false
    /// Whether people copy out to the disk, and take in from it.
    package var hasDisk = false
    package var events: [Event]

    package var edits: Int { events.reduce(0) { $0 + $1.count { $0.isEdit } } }
    package var shareActions: Int { events.reduce(0) { $0 + $1.count { $0.isSharing } } }
    package var commands: Int { events.reduce(0) { $0 + $1.count { $0.isCommand } } }
    package var syncs: Int { events.reduce(0) { $0 + $1.count { $0 == .sync } } }
    package var faults: Int { events.reduce(0) { $0 + $1.faultCount } }

    /// Whether several accounts share.
    package var isSharing: Bool { !accounts.isEmpty }

    func account(of device: Int) -> Int {
        device < accounts.count ? accounts[device] : 0
    }

    static let fewestEdits = 50
    static let fewestSyncs = 15
    static let fewestFaults = 5

    /// One account with its devices.
    /// - Parameters:
    ///   - hasCommands: whether people take back, bring back and decide as well.
    ///   - hasDisk: whether people copy out to the disk, and take in from it.
    package init(seed: UInt64, hasCommands: Bool = false, hasDisk: Bool = false) {
        self.seed = seed
        self.hasCommands = hasCommands
        self.hasDisk = hasDisk
        var draw = Draw(seed, 1)
        keptVersions = Self.keptVersions(seed)
        pageByteCount = Self.pageByteCount(seed)
        portions = Portions(seed)
        isForetold = Self.isForetold(seed)
        deviceCount = draw.weighted([(5, 3), (2, 4)])
        lazyByteCount = draw.once(in: 3) ? 50_000 : 10_000_000
        checkpointRecordCount = Int64(draw.weighted([(3, 8), (2, 24), (1, 256)]))
        events = []
        let planner = Planner(
            deviceCount: deviceCount,
            hasLarge: draw.once(in: 5),
            focus: draw.below(3),
            hasCommands: hasCommands,
            hasDisk: hasDisk
        )
        isNarrow = planner.focus == 2
        add(from: planner, &draw)
    }

    private static func keptVersions(_ seed: UInt64) -> Int {
        var draw = Draw(seed, 7)
        return draw.weighted([(3, 0), (2, 1), (1, 2), (3, 20)])
    }

    private static func isForetold(_ seed: UInt64) -> Bool {
        var draw = Draw(seed, 10)
        return draw.once(in: 8)
    }

    private static func pageByteCount(_ seed: UInt64) -> Int? {
        var draw = Draw(seed, 8)
        return draw.weighted([(2, nil), (1, 1_000), (1, 4_000)])
    }

    /// Several accounts that share, on one server.
    /// - Parameters:
    ///   - isCalm: whether nothing fails.
    ///   - hasCommands: whether people take back, bring back and decide as well.
    ///   - hasTransfers: whether shares get other owners.
    ///   - hasDisk: whether people copy out to the disk, and take in from it.
    package init(
        sharing seed: UInt64,
        isCalm: Bool = false,
        hasCommands: Bool = false,
        hasTransfers: Bool = false,
        hasDisk: Bool = false
    ) {
        self.seed = seed
        self.hasCommands = hasCommands
        self.hasTransfers = hasTransfers
        self.hasDisk = hasDisk
        var draw = Draw(seed, 6)
        keptVersions = Self.keptVersions(seed)
        pageByteCount = Self.pageByteCount(seed)
        portions = Portions(seed)
        isForetold = Self.isForetold(seed)
        accounts = draw.weighted([
            (3, [0, 1, 0]), (3, [0, 1, 1]), (2, [0, 1, 2]), (2, [0, 1, 0, 1]), (2, [0, 1, 2, 0]),
            (2, [0, 1, 2, 1]),
        ])
        deviceCount = accounts.count
        lazyByteCount = draw.once(in: 3) ? 50_000 : 10_000_000
        checkpointRecordCount = Int64(draw.weighted([(3, 8), (2, 24), (1, 256)]))
        events = []
        let planner = Planner(
            deviceCount: deviceCount,
            hasLarge: draw.once(in: 8),
            focus: draw.below(3),
            isSharing: true,
            isCalm: isCalm,
            hasCommands: hasCommands,
            hasTransfers: hasTransfers,
            hasDisk: hasDisk
        )
        begin(&draw)
        if hasTransfers { give() }
        add(from: planner, &draw)
        if !isCalm { deleteAccount() }
    }

    /// In some worlds somebody deletes an account in the second half, also in the middle of a sync.
    private mutating func deleteAccount() {
        var draw = Draw(seed, 12)
        guard draw.once(in: 5) else { return }
        let place = events.count / 2 + draw.below(events.count / 2)
        let event = Event(
            kind: .deleteAccount,
            device: draw.below(deviceCount),
            draw: draw.next()
        )
        let next = events[place...].firstIndex { $0.kind == .sync }
        guard draw.once(in: 2), let next else { return events.insert(event, at: place) }
        events[next].interruptions.append(
            Interruption(
                request: draw.below(4),
                happening: .event(event),
                draw: draw.next()
            )
        )
    }

    /// Something is shared, and accepted.
    ///
    /// In half of the worlds several things are, so that what is shared can move from one to another.
    private mutating func begin(_ draw: inout Draw) {
        let kinds: [(Event.Kind, Int)] = [
            (.createFolder, 0), (.createFolder, 0), (.write, 0), (.write, 0), (.write, 0),
            (.write, 1), (.share, 0), (.sync, 0), (.sync, 1), (.accept, 1),
        ]
        for (kind, device) in kinds {
            events.append(Event(kind: kind, device: device, draw: draw.next()))
        }
        var more = Draw(seed, 10)
        guard more.once(in: 2) else { return }
        let others: [(Event.Kind, Int)] = [
            (.createFolder, 0), (.createFolder, 0), (.write, 0), (.write, 0), (.share, 0),
            (.share, 0), (.share, 0), (.sync, 0), (.sync, 1), (.accept, 1), (.accept, 1),
            (.moveShared, 0), (.sync, 0), (.sync, 1),
        ]
        for (kind, device) in others {
            events.append(Event(kind: kind, device: device, draw: more.next()))
        }
    }

    /// In half of the worlds of transfers something is given away before anything else happens, and in
    /// half of those taken as well.
    private mutating func give() {
        var draw = Draw(seed, 13)
        let kinds: [(Event.Kind, Int)] = [(.transfer, 0), (.sync, 0), (.sync, 1), (.accept, 1)]
        for (kind, device) in kinds.prefix(draw.weighted([(2, 0), (1, 3), (1, 4)])) {
            events.append(Event(kind: kind, device: device, draw: draw.next()))
        }
    }

    private mutating func add(from planner: Planner, _ draw: inout Draw) {
        var edits = 0
        var syncs = 0
        var faults = planner.isCalm ? Self.fewestFaults : 0
        while edits < Self.fewestEdits || syncs < Self.fewestSyncs || faults < Self.fewestFaults {
            let event = planner.event(&draw)
            edits += event.count(where: \.isOfUsers)
            syncs += event.count(where: { $0 == .sync })
            faults += event.faultCount
            events.append(event)
        }
    }
}

/// How much devices take at once; nil for what they usually do.
struct Portions {
    /// The bytes of records that wait before they are merged.
    var waitingByteCount: Int?
    /// The records of an entry that need not be pushed at once.
    var pushRecordCount: Int?
    /// The bytes of records and contents in one request.
    var batchByteCount: Int?

    init() {}

    init(_ seed: UInt64) {
        var draw = Draw(seed, 9)
        waitingByteCount = draw.weighted([(3, nil), (1, 0), (1, 4_000)])
        pushRecordCount = draw.weighted([(4, nil), (1, 1), (1, 2), (1, 5)])
        batchByteCount = draw.weighted([(3, nil), (1, 1_000), (1, 4_000)])
    }

    var areUsual: Bool {
        waitingByteCount == nil && pushRecordCount == nil && batchByteCount == nil
    }

    func set(in environment: inout EngineEnvironment) {
        environment.waitingByteCount = waitingByteCount ?? environment.waitingByteCount
        environment.pushRecordCount = pushRecordCount ?? environment.pushRecordCount
        environment.batchByteCount = batchByteCount ?? environment.batchByteCount
    }
}
