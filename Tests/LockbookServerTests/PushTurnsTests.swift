import LockbookCrypto
import LockbookModel
import Synchronization
import Testing

@testable import LockbookServer

/// A clock whose sleepers move it on.
private final class SleepClock: Sendable {
    private let time = Mutex(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    var clock: TurnClock {
        TurnClock(
            now: { self.now },
            sleep: { duration in
                self.time.withLock { $0 += duration }
                await Task.yield()
            }
        )
    }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }
}

struct PushTurnsTests {
    private let clock = SleepClock()
    private let log = AccountKey(row: 1)
    private let large = DeviceID(random: .system)
    private let small = DeviceID(random: .system)

    @Test func `after three lost races the others wait, two seconds at most`() async throws {
        let turns = PushTurns(clock: clock.clock)
        for _ in 0..<2 { await turns.lost(large, in: log) }
        try await turns.wait(for: small, in: log)
        #expect(clock.now == .zero)
        await turns.lost(large, in: log)
        try await turns.wait(for: large, in: log)
        #expect(clock.now == .zero)
        try await turns.wait(for: small, in: AccountKey(row: 2))
        #expect(clock.now == .zero)
        try await turns.wait(for: small, in: log)
        #expect(clock.now >= .seconds(2) && clock.now < .milliseconds(2_100))
    }

    @Test func `a turn ends when its push is in`() async throws {
        let turns = PushTurns(clock: clock.clock)
        for _ in 0..<3 { await turns.lost(large, in: log) }
        await turns.won(large, in: log)
        try await turns.wait(for: small, in: log)
        #expect(clock.now == .zero)
        await turns.lost(large, in: log)
        try await turns.wait(for: small, in: log)
        #expect(clock.now == .zero)
    }

    @Test func `losses of long ago do not count`() async throws {
        let turns = PushTurns(clock: clock.clock)
        for _ in 0..<3 {
            await turns.lost(large, in: log)
            clock.advance(by: .seconds(40))
        }
        let start = clock.now
        try await turns.wait(for: small, in: log)
        #expect(clock.now == start)
    }
}
