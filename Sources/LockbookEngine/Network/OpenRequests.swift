import Synchronization

/// The requests to servers that no answer has come to yet.
final class OpenRequests: Sendable {
    private struct State {
        var next = 0
        var begun: [Int: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    /// When the oldest of them began; nil when none is open.
    var oldest: ContinuousClock.Instant? { state.withLock { $0.begun.values.min() } }

    /// - Returns: the number that ends it.
    func begin() -> Int {
        state.withLock { state in
            state.next += 1
            state.begun[state.next] = .now
            return state.next
        }
    }

    func end(_ number: Int) {
        state.withLock { _ = $0.begun.removeValue(forKey: number) }
    }
}
