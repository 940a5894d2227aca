import LockbookModel

/// How many requests that make much work are worked on at once for one account: the next ones wait.
///
/// One account on many connections keeps itself waiting, and nobody else.
actor AccountTurns {
    /// More than one device needs, and fewer than keep all cores.
    static let running = 4
    /// So many wait; what comes then is refused.
    static let waiting = 64

    private var turns: [AccountID: Turns] = [:]

    private struct Turns {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// - Throws: a refusal where too many wait already.
    nonisolated func taking<Value: Sendable>(
        for account: AccountID,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await take(for: account)
        do {
            let value = try await body()
            await giveBack(of: account)
            return value
        } catch {
            await giveBack(of: account)
            throw error
        }
    }

    private func take(for account: AccountID) async throws {
        var own = turns[account] ?? Turns()
        if own.running < Self.running {
            own.running += 1
            turns[account] = own
            return
        }
        guard own.waiting.count < Self.waiting else {
            throw Refusal(.unavailable, "too many requests of this account wait already")
        }
        await withCheckedContinuation {
            own.waiting.append($0)
            turns[account] = own
        }
    }

    private func giveBack(of account: AccountID) {
        guard var own = turns[account] else { return }
        if own.waiting.isEmpty {
            own.running -= 1
            turns[account] = own.running > 0 ? own : nil
        } else {
            // The next one goes on in the place of this one.
            let next = own.waiting.removeFirst()
            turns[account] = own
            next.resume()
        }
    }

    /// How many wait, for tests.
    func waitingCount(of account: AccountID) -> Int { turns[account]?.waiting.count ?? 0 }
}
