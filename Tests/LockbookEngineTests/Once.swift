import LockbookCrypto
import Synchronization
import Testing

/// Randomness at which something else happens, once.
final class Once: Sendable {
    private typealias Waiting = (count: Int, body: @Sendable () throws -> Void)

    private let waiting = Mutex<Waiting?>(nil)

    /// - Parameter count: of how many bytes the next draw is at which it happens.
    func atDraw(of count: Int, _ body: @escaping @Sendable () throws -> Void) {
        waiting.withLock { $0 = (count, body) }
    }

    var random: RandomSource {
        RandomSource { count in
            let body = self.waiting.withLock { waiting -> (@Sendable () throws -> Void)? in
                guard let next = waiting, next.count == count else { return nil }
                waiting = nil
                return next.body
            }
            do { try body?() } catch { Issue.record(error) }
            return RandomSource.system.bytes(count)
        }
    }
}
