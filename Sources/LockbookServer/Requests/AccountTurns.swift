import LockbookModel
import Synchronization

/// How many requests that make much work are worked on at once for one account: the next ones wait.
///
/// One account on many connections keeps itself waiting, and nobody else. What is to be sent is
/// counted, too: who reads no answer is given a few of them, and no more.
final class AccountTurns: Sendable {
    /// More than one device needs, and fewer than keep all cores.
    static let running = 4
    /// So many answers are sent beside them, as after a line broke and the next one goes on; what
    /// is answered then keeps its turn.
    static let sending = 16
    /// So many wait; what comes then is refused.
    static let waiting = 64

    private let accounts = Mutex<[AccountID: Turns]>([:])

    private struct Turns {
        var running = 0
        var sending = 0
        var waiting: [CheckedContinuation<Void, any Error>] = []

        var isOver: Bool { running == 0 && sending == 0 && waiting.isEmpty }

        /// One stops working, and who waited longest goes on in its place.
        mutating func goOn() {
            if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
        }
    }

    /// A turn of an account's, until nobody holds it any more.
    ///
    /// An answer may be dropped at any point of its way, so that it is not given back by hand.
    final class Turn: Sendable {
        private let turns: AccountTurns
        private let account: AccountID
        private let isSending = Mutex(false)

        fileprivate init(of account: AccountID, in turns: AccountTurns) {
            (self.account, self.turns) = (account, turns)
        }

        deinit {
            turns.end(of: account, sending: isSending.withLock { $0 })
        }

        /// The work is done, and its answer is to be sent: the next one begins, unless too many are sent.
        func beginSending() {
            isSending.withLock { isSending in
                if !isSending { isSending = turns.beginSending(of: account) }
            }
        }
    }

    /// Waits for a turn.
    /// - Throws: a refusal where too many wait already.
    func take(for account: AccountID) async throws -> Turn {
        try await withCheckedThrowingContinuation { goOn in
            accounts.withLock { accounts in
                var own = accounts[account] ?? Turns()
                if own.running < Self.running {
                    own.running += 1
                    goOn.resume()
                } else if own.waiting.count < Self.waiting {
                    own.waiting.append(goOn)
                } else {
                    goOn.resume(throwing: Self.tooMany)
                }
                accounts[account] = own
            }
        }
        return Turn(of: account, in: self)
    }

    static let tooMany = Refusal(
        .unavailable,
        "too many requests of this account wait already"
    )

    private func beginSending(of account: AccountID) -> Bool {
        change(account) { own in
            guard own.sending < Self.sending else { return false }
            own.sending += 1
            own.goOn()
            return true
        }
    }

    private func end(of account: AccountID, sending: Bool) {
        change(account) { own in
            if sending { own.sending -= 1 } else { own.goOn() }
        }
    }

    private func change<Value: Sendable>(
        _ account: AccountID,
        _ body: @Sendable (inout Turns) -> Value
    ) -> Value {
        accounts.withLock { accounts in
            var own = accounts[account] ?? Turns()
            let value = body(&own)
            accounts[account] = own.isOver ? nil : own
            return value
        }
    }

    /// How many wait, and how many are sent, for tests.
    func counts(of account: AccountID) -> (waiting: Int, sending: Int) {
        accounts.withLock { accounts in
            let own = accounts[account] ?? Turns()
            return (own.waiting.count, own.sending)
        }
    }
}
