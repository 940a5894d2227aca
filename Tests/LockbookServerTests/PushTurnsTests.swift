import LockbookAPI
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
    private let large = pusher(of: 1)
    private let small = pusher(of: 2)

    private static func pusher(of author: UInt8) -> PushTurns.Pusher {
        PushTurns.Pusher(
            author: AccountID(hash: Hash256(sha256: [author])),
            device: DeviceID(random: .system)
        )
    }

    private func lose(_ count: UInt64, _ pusher: PushTurns.Pusher, _ turns: PushTurns) async {
        for position in 0..<count { await turns.lost(pusher, at: position, in: log) }
    }

    /// How long a push of somebody has to wait.
    private func wait(_ pusher: PushTurns.Pusher, _ turns: PushTurns) async throws -> Duration {
        let start = clock.now
        try await turns.wait(for: pusher, in: log)
        return clock.now - start
    }

    @Test func `after three lost races the others wait, two seconds at most`() async throws {
        let turns = PushTurns(clock: clock.clock)
        await lose(2, large, turns)
        #expect(try await wait(small, turns) == .zero)
        await turns.lost(large, at: 2, in: log)
        #expect(try await wait(large, turns) == .zero)
        try await turns.wait(for: small, in: AccountKey(row: 2))
        #expect(clock.now == .zero)
        #expect(try await wait(small, turns) == .seconds(2))
    }

    @Test func `a turn ends when its push is in, and there may be another one soon`()
        async throws
    {
        let turns = PushTurns(clock: clock.clock)
        for _ in 0..<3 {
            await lose(3, large, turns)
            await turns.won(large, in: log)
            #expect(try await wait(small, turns) == .zero)
            await turns.lost(large, at: 9, in: log)
            #expect(try await wait(small, turns) == .zero)
        }
        await lose(3, large, turns)
        #expect(try await wait(small, turns) == .seconds(2))
    }

    @Test func `losses of long ago do not count`() async throws {
        let turns = PushTurns(clock: clock.clock)
        for position in 0..<3 as Range<UInt64> {
            await turns.lost(large, at: position, in: log)
            clock.advance(by: .seconds(40))
        }
        #expect(try await wait(small, turns) == .zero)
    }

    @Test func `one entry that is sent again and again has lost once`() async throws {
        let turns = PushTurns(clock: clock.clock)
        for _ in 0..<10 { await turns.lost(large, at: 1, in: log) }
        #expect(try await wait(small, turns) == .zero)
    }

    @Test func `whose turn passed has no other one for a while, with any device`() async throws {
        let turns = PushTurns(clock: clock.clock)
        await lose(3, large, turns)
        #expect(try await wait(small, turns) == .seconds(2))
        let other = PushTurns.Pusher(author: large.author, device: DeviceID(random: .system))
        await lose(9, large, turns)
        await lose(9, other, turns)
        #expect(try await wait(small, turns) == .zero)
        await lose(3, small, turns)
        #expect(try await wait(large, turns) == .seconds(2), "others have theirs")
        clock.advance(by: .seconds(21))
        await lose(3, other, turns)
        #expect(try await wait(small, turns) == .seconds(2))
    }

    @Test func `the owner has a minute, and as many turns as he needs`() async throws {
        let turns = PushTurns(clock: clock.clock)
        let owner = PushTurns.Pusher(
            author: large.author,
            device: DeviceID(random: .system),
            isOwner: true
        )
        var second = PushTurns.Pusher(author: large.author, device: DeviceID(random: .system))
        second.isOwner = true
        for _ in 0..<3 {
            await turns.lost(owner, at: 0, in: log)
            // Longer than a member's losses count.
            clock.advance(by: .seconds(100))
            #expect(try await wait(small, turns) == .zero)
            // Nor does it matter whose turn it is.
            await lose(3, small, turns)
            await turns.lost(owner, at: 1, in: log)
            #expect(try await wait(owner, turns) == .zero)
            for _ in 0..<3 {
                let start = clock.now
                await #expect(throws: Refusal.self) { try await turns.wait(for: small, in: log) }
                #expect(clock.now - start == PushTurns.patience)
            }
            #expect(try await wait(second, turns) == PushTurns.patience, "it is his, too")
            clock.advance(by: .seconds(60))
            #expect(try await wait(small, turns) == .zero)
        }
        await lose(2, owner, turns)
        await turns.won(owner, in: log)
        #expect(try await wait(small, turns) == .zero)
    }

    @Test func `nobody waits for one turn after the other`() async throws {
        // Whenever a turn is over, another account has lost three races.
        let losers = (3..<40 as Range<UInt8>).map { Self.pusher(of: $0) }
        let next = Mutex(0)
        let turnsHere = Mutex<PushTurns?>(nil)
        let (log, time) = (log, clock)
        let turns = PushTurns(
            clock: TurnClock(
                now: { time.now },
                sleep: { duration in
                    time.advance(by: duration)
                    guard let turns = turnsHere.withLock({ $0 }) else { return }
                    let index = next.withLock { next in
                        next = (next + 1) % losers.count
                        return next
                    }
                    for position in 0..<3 as Range<UInt64> {
                        await turns.lost(losers[index], at: position, in: log)
                    }
                }
            )
        )
        turnsHere.withLock { $0 = turns }
        await lose(3, large, turns)
        #expect(try await wait(small, turns) == .seconds(2))
    }

    @Test func `what is remembered of very many devices is seldom looked through`() async {
        let turns = PushTurns(clock: clock.clock)
        for _ in 0..<5_000 { await turns.lost(Self.pusher(of: 1), at: 1, in: log) }
        #expect(await turns.forgetCount == 3)
    }

    @Test func `a push of an old entry gives no turn`() async throws {
        let clock = clock.clock
        let server = try TestServer(turnClock: clock)
        var ada = try await TestPerson.ada(at: server)
        let old = ada
        var stale: [Lockbook_V1_PushRequest] = []
        for name in ["a", "b", "c", "d"] {
            var rival = ada
            rival.device = old.device
            let late = try rival.record(rival.file("late " + name))
            stale.append(try rival.push([late]).request)
            ada.device = DeviceID(random: .system)
            try await ada.push([ada.record(ada.file(name))], to: server)
        }
        server.clock.advance(by: 301)
        for request in stale {
            let response: Lockbook_V1_PushResponse = try await ada.send(
                request,
                to: .push,
                of: server
            )
            guard case .moved = response.outcome else { throw DecodingFailure.length }
        }
        try await ada.push([ada.record(ada.file("e"))], to: server)
        #expect(self.clock.now == .zero)
    }
}
