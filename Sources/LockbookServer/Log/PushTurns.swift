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
actor PushTurns {
    static let lossesForTurn = 3
    static let turn = Duration.seconds(2)
    static let memory = Duration.seconds(60)
    private static let step = Duration.milliseconds(20)

    private let clock: TurnClock
    private var losses: [AccountKey: [DeviceID: [Duration]]] = [:]
    private var turns: [AccountKey: (device: DeviceID, until: Duration)] = [:]

    init(clock: TurnClock) {
        self.clock = clock
    }

    /// Returns at once, or when the turn of another device is over.
    func wait(for device: DeviceID, in log: AccountKey) async throws {
        while let turn = turns[log], turn.device != device, clock.now() < turn.until {
            try await clock.sleep(Self.step)
        }
    }

    func lost(_ device: DeviceID, in log: AccountKey) {
        let now = clock.now()
        var recent = losses[log, default: [:]][device, default: []]
        recent.removeAll { $0 < now - Self.memory }
        recent.append(now)
        losses[log, default: [:]][device] = recent
        let isFree = turns[log].map { $0.until <= now } ?? true
        if recent.count >= Self.lossesForTurn, isFree {
            turns[log] = (device, now + Self.turn)
        }
        if losses.count > 1_000 { forget(before: now - Self.memory) }
    }

    func won(_ device: DeviceID, in log: AccountKey) {
        losses[log]?[device] = nil
        if losses[log]?.isEmpty == true { losses[log] = nil }
        if turns[log]?.device == device { turns[log] = nil }
    }

    private func forget(before time: Duration) {
        losses = losses.filter { $0.value.values.contains { ($0.last ?? .zero) >= time } }
        turns = turns.filter { $0.value.until >= time }
    }
}
