import HTTPTypes
import LockbookCrypto
import Testing

@testable import LockbookServer

/// Large bodies take turns.
struct BodyBudgetTests {
    private let accounts: [VerifyingKey] = (0..<5).compactMap { seed in
        SigningKey(seed: [UInt8](repeating: seed, count: 32))?.publicKey
    }

    @Test func `who finds no room goes on when there is some, in the order of coming`()
        async throws
    {
        let budget = BodyBudget(byteCount: 100)
        try await budget.take(60, for: accounts[0])
        let large = Task { try await budget.take(80, for: accounts[1]) }
        while await budget.waitingCount < 1 { await Task.yield() }
        // Nobody overtakes one that needs more.
        let small = Task { try await budget.take(10, for: accounts[2]) }
        while await budget.waitingCount < 2 { await Task.yield() }
        await budget.giveBack(60, of: accounts[0])
        try await large.value
        try await small.value
        #expect(await budget.waitingCount == 0)
        await budget.giveBack(80, of: accounts[1])
        await budget.giveBack(10, of: accounts[2])
        try await budget.take(100, for: accounts[3])
    }

    @Test func `an account has a quarter, and who waits for himself keeps nobody`() async throws {
        let budget = BodyBudget(byteCount: 100)
        try await budget.take(15, for: accounts[0])
        try await budget.take(10, for: accounts[0])
        let further = Task { try await budget.take(15, for: accounts[0]) }
        while await budget.waitingCount < 1 { await Task.yield() }
        // All the rest, with nothing given back.
        for account in accounts[1...3] { try await budget.take(25, for: account) }
        let last = Task { try await budget.take(15, for: accounts[4]) }
        while await budget.waitingCount < 2 { await Task.yield() }
        await budget.giveBack(25, of: accounts[1])
        try await last.value
        // 10 are free, and he holds 25.
        #expect(await budget.waitingCount == 1)
        await budget.giveBack(10, of: accounts[0])
        // 20 are free: he holds 15, so that he has to wait for more of his own.
        #expect(await budget.waitingCount == 1)
        await budget.giveBack(15, of: accounts[0])
        try await further.value
        #expect(await budget.waitingCount == 0)
    }

    @Test func `who keeps himself waiting on too many connections is refused`() async throws {
        let budget = BodyBudget(byteCount: 100)
        try await budget.take(25, for: accounts[0])
        let waiting = (0..<64).map { _ in Task { try await budget.take(25, for: accounts[0]) } }
        while await budget.waitingCount < 64 { await Task.yield() }
        let error = await #expect(throws: Refusal.self) {
            try await budget.take(25, for: accounts[0])
        }
        #expect(error?.kind == .unavailable)
        try await budget.take(25, for: accounts[1])
        for _ in waiting { await budget.giveBack(25, of: accounts[0]) }
        for task in waiting { try await task.value }
    }

    /// One account could have a body below the limit on each connection.
    @Test func `bodies that take no turns are 256 MiB together at most`() {
        let most = ServerApplication.maximumConnectionCount * BodyBudget.smallByteCount
        #expect(most <= 256 << 20)
    }

    @Test func `a body that is said to be empty takes no room, one of which nothing is said may`() {
        #expect(BodyReader.announced(by: [.contentLength: "0"]) == 0)
        #expect(BodyReader.announced(by: [.contentLength: "1048577"]) == 1_048_577)
        #expect(BodyReader.announced(by: [.transferEncoding: "chunked"]) == nil)
    }
}
