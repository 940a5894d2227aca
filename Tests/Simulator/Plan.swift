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
    package var events: [Event]

    package var edits: Int { events.reduce(0) { $0 + $1.count { $0.isEdit } } }
    package var shareActions: Int { events.reduce(0) { $0 + $1.count { $0.isSharing } } }
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

    package init(seed: UInt64) {
        self.seed = seed
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
            focus: draw.below(3)
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
    /// - Parameter isCalm: whether nothing fails.
    package init(sharing seed: UInt64, isCalm: Bool = false) {
        self.seed = seed
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
            isCalm: isCalm
        )
        begin(&draw)
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

    private mutating func add(from planner: Planner, _ draw: inout Draw) {
        var edits = 0
        var syncs = 0
        var faults = planner.isCalm ? Self.fewestFaults : 0
        while edits < Self.fewestEdits || syncs < Self.fewestSyncs || faults < Self.fewestFaults {
            let event = planner.event(&draw)
            edits += event.count(where: { $0.isEdit || $0.isSharing })
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

/// Draws events.
struct Planner {
    let deviceCount: Int
    /// Whether contents are drawn that are files, and travel in segments.
    let hasLarge: Bool
    /// What there is more of in this world.
    let focus: Int
    var isSharing = false
    var isCalm = false

    func event(_ draw: inout Draw) -> Event {
        let kind: Event.Kind =
            draw.weighted([
                (64, nil), (isSharing ? 32 : 20, .sync), (1, .restart), (isCalm ? 0 : 8, .kill),
            ]) ?? edit(&draw)
        switch kind {
        case .sync: return sync(&draw)
        case .kill: return fault(&draw)
        default: return make(kind, &draw)
        }
    }

    private func make(_ kind: Event.Kind, _ draw: inout Draw) -> Event {
        Event(kind: kind, device: draw.below(deviceCount), draw: draw.next())
    }

    private func edit(_ draw: inout Draw) -> Event.Kind {
        if isSharing, draw.below(5) < 2 { return sharing(&draw) }
        let folders = focus == 1 ? 3 : 1
        let texts = focus == 2 ? 2 : 1
        return draw.weighted([
            (4, .create), (5 * folders, .createFolder), (10, .write), (8 * texts, .append),
            (16 * texts, .change), (2, .replace), (4, .writeBytes), (hasLarge ? 3 : 0, .writeLarge),
            (9 * folders, .move), (6, .rename), (6, .delete), (4, .copy),
        ])
    }

    private func sharing(_ draw: inout Draw) -> Event.Kind {
        draw.weighted([
            (8, .share), (14, .accept), (2, .reject), (2, .leave), (4, .shareMode), (5, .revoke),
            (4, .moveOut), (3, .moveIn), (8, .moveShared), (2, .deleteShared),
            (2, .deleteLink), (4, .restore), (2, .purge), (2, .emptyTrash),
        ])
    }

    private func sync(_ draw: inout Draw) -> Event {
        var event = make(.sync, &draw)
        if isCalm { return event }
        let count = draw.weighted([(10, 0), (6, 1), (3, 2), (1, 4)])
        var draws = Draw(event.draw, 1)
        for _ in 0..<count {
            let happening: Interruption.Happening =
                draw.once(in: 2) ? .fault(wireFault(&draw)) : .event(inner(of: event, &draw))
            event.interruptions.append(
                Interruption(
                    request: draw.below(4),
                    happening: happening,
                    draw: draws.next()
                )
            )
        }
        return event
    }

    private func wireFault(_ draw: inout Draw) -> Interruption.Fault {
        draw.weighted([
            (3, .lost), (4, .answerLost), (3, .doubled), (3, .late), (2, .killedBefore),
            (3, .killedBeforeAnswer), (3, .serverKilled),
            (hasLarge ? 6 : 0, .serverKilledInPart),
        ])
    }

    /// What happens while a request of a sync is under way: mostly somebody types, on this device
    /// or another one, or another device syncs first.
    private func inner(of outer: Event, _ draw: inout Draw) -> Event {
        let kind: Event.Kind? = draw.weighted([(10, nil), (8, .sync), (1, .killServer), (1, .away)])
        var event = make(kind ?? edit(&draw), &draw)
        if kind == nil, draw.once(in: 2) {
            event.device = outer.device
            if draw.once(in: 2) { event.kind = .change }
        }
        if kind == .sync, event.device == outer.device {
            event.device = (outer.device + 1) % deviceCount
        }
        return event
    }

    private func fault(_ draw: inout Draw) -> Event {
        let kind: Event.Kind = draw.weighted([
            (4, .kill), (4, .killWhileEditing), (6, .killWhileSyncing), (2, .fullDisk),
            (3, .killServer), (3, .away), (1, .wrongClock), (3, .backUp), (3, .putBack),
            (1, .duplicate),
        ])
        return make(kind, &draw)
    }
}

extension Event {
    /// This event and those inside it that a condition holds for.
    func count(where condition: (Kind) -> Bool) -> Int {
        let inner = interruptions.reduce(0) { count, interruption in
            guard case .event(let event) = interruption.happening else { return count }
            return count + event.count(where: condition)
        }
        return inner + (condition(kind) ? 1 : 0)
    }

    var faultCount: Int {
        interruptions.count(where: \.isFault)
            + count {
                !$0.isEdit && !$0.isSharing && $0 != .sync && $0 != .restart && $0 != .backUp
            }
    }
}
