import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// What one account asks for on many connections keeps nobody else waiting.
struct AccountTurnsTests {
    private let accounts = (0..<2).map { number in
        AccountID(hash: Hash256(sha256: [UInt8(number)]))
    }
    private let turns = AccountTurns()

    /// Takes so many turns more than are given at once; the rest of them wait.
    private func taking(_ more: Int) async -> (
        held: [AccountTurns.Turn], waiting: [Task<AccountTurns.Turn, any Error>]
    ) {
        var held: [AccountTurns.Turn] = []
        for _ in 0..<AccountTurns.running {
            if let turn = try? await turns.take(for: accounts[0]) { held.append(turn) }
        }
        let (turns, account) = (turns, accounts[0])
        var waiting: [Task<AccountTurns.Turn, any Error>] = []
        for _ in 0..<more {
            waiting.append(Task { try await turns.take(for: account) })
            // One after the other: turns go to who waited longest.
            while turns.counts(of: account).waiting < waiting.count { await Task.yield() }
        }
        return (held, waiting)
    }

    @Test func `an account waits for itself, keeps nobody, and is refused what is too much`()
        async throws
    {
        let first = accounts[0]
        var (held, waiting) = await taking(AccountTurns.waiting)
        #expect(held.count == AccountTurns.running)
        await #expect(throws: Refusal.self) { _ = try await turns.take(for: first) }
        _ = try await turns.take(for: accounts[1])
        #expect(turns.counts(of: first).waiting == AccountTurns.waiting)

        // One that ends lets the next one go on.
        while !waiting.isEmpty {
            held.removeFirst()
            held.append(try await waiting.removeFirst().value)
            #expect(turns.counts(of: first).waiting == waiting.count)
        }
        held = []
        #expect(turns.counts(of: first) == (0, 0))
        _ = try await turns.take(for: first)
    }

    @Test func `answers that are being sent keep no turn until there are too many`() async throws {
        let account = accounts[0]
        var sent: [AccountTurns.Turn] = []
        for _ in 0..<AccountTurns.sending {
            let turn = try await turns.take(for: account)
            turn.beginSending()
            turn.beginSending()
            sent.append(turn)
        }
        #expect(turns.counts(of: account) == (0, AccountTurns.sending))
        var (held, waiting) = await taking(1)
        held[0].beginSending()
        #expect(turns.counts(of: account) == (1, AccountTurns.sending), "it keeps its turn")

        sent.removeFirst()
        #expect(turns.counts(of: account) == (1, AccountTurns.sending - 1))
        held[1].beginSending()
        held.append(try await waiting.removeFirst().value)
        #expect(turns.counts(of: account) == (0, AccountTurns.sending))
        held = []
        #expect(turns.counts(of: account) == (0, AccountTurns.sending - 1))
        sent = []
        #expect(turns.counts(of: account) == (0, 0))
    }

    @Test(arguments: [
        ("pull", true), ("history", true), ("missing", true), ("blobs", true),
        ("checkpoint", true), ("upload", true), ("segments", true), ("push", false),
        ("stage", true), ("invite", false),
    ])
    func `what makes much work of little waits for its turn, and a push later by itself`(
        name: String,
        waits: Bool
    ) throws {
        let route = try #require(Route(method: .post, path: "/v1/\(name)"))
        #expect(route.takesTurn == waits)
    }

    /// What waits is bytes alone: tiny messages take many times as much room.
    @Test func `a push is taken apart when its turn has come, and not before`() async throws {
        let server = try TestServer()
        var ada = try await TestPerson.ada(at: server)
        var request = try ada.push([ada.record(ada.file("a.md"))]).request
        request.groups = []
        let (empty, account, turns) = (request, ada.account, server.server.accountTurns)
        var held: [AccountTurns.Turn] = []
        for _ in 0..<AccountTurns.running { held.append(try await turns.take(for: account)) }
        var waiting = (0..<AccountTurns.waiting).map { _ in
            Task { try await turns.take(for: account) }
        }
        while turns.counts(of: account).waiting < waiting.count { await Task.yield() }
        await #expect(throws: Refused.unavailable) {
            let _: Lockbook_V1_PushResponse = try await ada.send(empty, to: .push, of: server)
        }
        held = []
        while !waiting.isEmpty { _ = try await waiting.removeFirst().value }
        await #expect(throws: Refused.malformed) {
            let _: Lockbook_V1_PushResponse = try await ada.send(empty, to: .push, of: server)
        }
    }

    @Test func `contents take turns, too`() throws {
        let name = String(repeating: "0a", count: 32)
        for (method, path) in [
            (HTTPRequest.Method.get, "/v1/blob/\(name)/0/1"), (.put, "/v1/upload/\(name)/0"),
        ] {
            #expect(try #require(Route(method: method, path: path[...])).takesTurn)
        }
    }
}
