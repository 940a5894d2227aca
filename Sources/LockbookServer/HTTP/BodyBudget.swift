import LockbookCrypto

/// How many bytes of large bodies, or of what large pushes list, are held at once: who comes when there is
/// no room waits for his turn.
///
/// Small requests go past it, so that large ones keep nobody from reading. One account has a
/// quarter of it at the most: who sends slowly on many connections waits for himself.
actor BodyBudget {
    /// Smaller bodies are not counted: on each connection there is one at most.
    static let smallByteCount = 256 << 10

    private var free: Int
    /// The most that one account holds.
    private let share: Int
    private var held: [VerifyingKey: Int] = [:]
    private var waiting: [Waiting] = []

    private struct Waiting {
        let byteCount: Int
        let account: VerifyingKey
        let goOn: CheckedContinuation<Void, Never>
    }

    init(byteCount: Int) { (free, share) = (byteCount, byteCount / 4) }

    /// Waits until so many bytes may be held; `giveBack` ends it.
    /// - Throws: a refusal where too many bodies of the account wait already.
    func take(_ byteCount: Int, for account: VerifyingKey) async throws(Refusal) {
        let isNext = waiting.allSatisfy { isOverShare($0.byteCount, $0.account) }
        if isNext, byteCount <= free, !isOverShare(byteCount, account) {
            hold(byteCount, account)
        } else {
            let own = waiting.count { $0.account == account }
            guard own < AccountTurns.waiting else { throw AccountTurns.tooMany }
            await withCheckedContinuation {
                waiting.append(Waiting(byteCount: byteCount, account: account, goOn: $0))
            }
        }
    }

    func giveBack(_ byteCount: Int, of account: VerifyingKey) {
        hold(-byteCount, account)
        var index = 0
        while index < waiting.count {
            let next = waiting[index]
            if isOverShare(next.byteCount, next.account) {
                // Who waits for himself keeps nobody.
                index += 1
            } else if next.byteCount <= free {
                hold(next.byteCount, next.account)
                waiting.remove(at: index).goOn.resume()
            } else {
                // Nobody overtakes one that needs more room.
                return
            }
        }
    }

    /// Something that is larger than a share may be held alone.
    private func isOverShare(_ byteCount: Int, _ account: VerifyingKey) -> Bool {
        held[account].map { $0 + byteCount > share } ?? false
    }

    private func hold(_ byteCount: Int, _ account: VerifyingKey) {
        free -= byteCount
        let sum = held[account, default: 0] + byteCount
        held[account] = sum == 0 ? nil : sum
    }

    /// How many wait, for tests.
    var waitingCount: Int { waiting.count }
}
