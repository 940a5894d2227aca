import LockbookModel

/// The time that turns are measured in.
package struct TurnClock: Sendable {
    package var now: @Sendable () -> Duration
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    package static let system: TurnClock = {
        let start = ContinuousClock.now
        return TurnClock(
            now: { ContinuousClock.now - start },
            sleep: { try await Task.sleep(for: $0) }
        )
    }()
}

/// Gives a device that keeps losing the race for the head of a log a short time without rivals.
///
/// A large push needs longer to be made again than small ones do: without this it might never win.
/// Others wait no longer than one turn, whoever has the next one, and an account whose device let a
/// turn pass has to do without for a while: else one could keep all others from the log by losing.
///
/// The owner of a log has longer turns, and as many as he needs: taking a large share back takes
/// longer to make than a member needs for any number of small pushes, by which he would stay.
actor PushTurns {
    struct Pusher: Hashable, Sendable {
        let author: AccountID
        let device: DeviceID
        /// Whether it is his own log.
        var isOwner = false
        var terms: Terms { isOwner ? owners : members }
    }

    private struct Loss {
        /// Of the entry that lost.
        let position: UInt64
        let time: Duration
    }

    private struct Turn {
        let pusher: Pusher
        let until: Duration
    }

    struct Terms {
        let lossesForTurn: Int
        let turn: Duration
        /// How long a loss counts.
        let memory: Duration
    }

    static let members = Terms(lossesForTurn: 3, turn: .seconds(2), memory: .seconds(60))
    static let owners = Terms(lossesForTurn: 2, turn: .seconds(60), memory: .seconds(300))
    /// The longest that anybody waits.
    static let patience = members.turn
    /// How long who let a turn pass has no other one.
    static let pause = Duration.seconds(20)
    private static let step = Duration.milliseconds(20)

    private let clock: TurnClock
    private var losses: [AccountKey: [Pusher: [Loss]]] = [:]
    private var turns: [AccountKey: Turn] = [:]
    /// When the last turn of an account ended without its push.
    private var passed: [AccountKey: [AccountID: Duration]] = [:]
    /// How much is remembered before what is too old is looked for.
    private var most = 1_000
    /// How often that was looked for, for tests.
    private(set) var forgetCount = 0

    private var count: Int {
        losses.values.reduce(turns.count + passed.count) { $0 + $1.count }
    }

    init(clock: TurnClock) {
        self.clock = clock
    }

    /// Returns at once, or when the turn of another device is over, or `patience` has passed.
    /// - Throws: a refusal where it is the owner's turn still, and this is somebody else.
    func wait(for pusher: Pusher, in log: AccountKey) async throws {
        let end = clock.now() + Self.patience
        while let turn = turns[log], turn.pusher != pusher, clock.now() < turn.until {
            guard clock.now() < end else {
                guard turn.pusher.isOwner, !pusher.isOwner else { return }
                throw Refusal(.unavailable, "the owner of this share is at work on much of it")
            }
            try await clock.sleep(Self.step)
        }
    }

    /// Notes a race that was lost; the same entry loses once, however often it is sent.
    func lost(_ pusher: Pusher, at position: UInt64, in log: AccountKey) {
        let now = clock.now()
        let terms = pusher.terms
        var recent = losses[log, default: [:]][pusher, default: []]
        recent.removeAll { $0.time < now - terms.memory || $0.position == position }
        recent.append(Loss(position: position, time: now))
        losses[log, default: [:]][pusher] = recent
        endTurn(of: log, at: now)
        let hasPassed =
            !pusher.isOwner
            && passed[log]?[pusher.author].map { $0 >= now - Self.pause } ?? false
        // A member's turn does not keep the owner from his own.
        let isFree = turns[log].map { pusher.isOwner && !$0.pusher.isOwner } ?? true
        if recent.count >= terms.lossesForTurn, isFree, !hasPassed {
            losses[log]?[pusher] = nil
            turns[log] = Turn(pusher: pusher, until: now + terms.turn)
        }
        if count > most {
            forget(before: now - Self.owners.memory)
            // All of it each time would let one account with many devices keep everybody waiting.
            most = max(1_000, 2 * count)
        }
    }

    func won(_ pusher: Pusher, in log: AccountKey) {
        endTurn(of: log, at: clock.now())
        losses[log]?[pusher] = nil
        if losses[log]?.isEmpty == true { losses[log] = nil }
        if turns[log]?.pusher == pusher { turns[log] = nil }
    }

    /// Ends a turn whose time is over.
    private func endTurn(of log: AccountKey, at now: Duration) {
        guard let turn = turns[log], turn.until <= now else { return }
        turns[log] = nil
        passed[log, default: [:]][turn.pusher.author] = turn.until
    }

    private func forget(before time: Duration) {
        forgetCount += 1
        losses = losses.compactMapValues { pushers in
            let kept = pushers.filter { ($0.value.last?.time ?? .zero) >= time }
            return kept.isEmpty ? nil : kept
        }
        turns = turns.filter { $0.value.until >= time }
        passed = passed.compactMapValues { authors in
            let kept = authors.filter { $0.value >= time }
            return kept.isEmpty ? nil : kept
        }
    }
}
