import HTTPTypes
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// What one account asks for on many connections keeps nobody else waiting.
struct AccountTurnsTests {
    private let accounts = (0..<2).map { number in
        AccountID(hash: Hash256(sha256: [UInt8(number)]))
    }

    @Test func `an account waits for itself, keeps nobody, and is refused what is too much`()
        async throws
    {
        let turns = AccountTurns()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = accounts[0]
        let tasks = (0..<AccountTurns.running + AccountTurns.waiting).map { number in
            Task {
                try await turns.taking(for: first) {
                    for await _ in gate { break }
                    return number
                }
            }
        }
        while await turns.waitingCount(of: first) < AccountTurns.waiting { await Task.yield() }
        await #expect(throws: Refusal.self) { try await turns.taking(for: first) {} }
        #expect(try await turns.taking(for: accounts[1]) { 7 } == 7)
        #expect(await turns.waitingCount(of: first) == AccountTurns.waiting)

        // One that ends, if badly, lets the next one go on.
        open.finish()
        var done: Set<Int> = []
        for task in tasks { done.insert(try await task.value) }
        #expect(done.count == tasks.count)
        #expect(await turns.waitingCount(of: first) == 0)
        await #expect(throws: Refusal.self) {
            try await turns.taking(for: first) { throw Refusal(.notFound, "nothing") }
        }
        #expect(try await turns.taking(for: first) { 8 } == 8)
    }

    @Test(arguments: [
        ("pull", true), ("history", true), ("missing", true), ("blobs", true),
        ("checkpoint", true), ("upload", true), ("segments", true), ("push", false),
        ("stage", false), ("invite", false),
    ])
    func `what makes much work of little waits for its turn`(name: String, waits: Bool) throws {
        let route = try #require(Route(method: .post, path: "/v1/\(name)"))
        #expect(route.takesTurn == waits)
    }
}
