import LockbookCrypto
import Synchronization

/// Answers that are being sent: each is in memory until it is read.
///
/// Where they are too many bytes together, connections of accounts with the most of it are closed, those
/// first on which an answer is sent the longest. Who reads is done soon, and nobody waits for who does not.
final class SendingAnswers: Sendable {
    /// Smaller ones are not counted.
    static let smallByteCount = 64 << 10

    private let most: Int
    private let state = Mutex(State())

    /// An answer that counts until nobody holds this any more.
    final class Sending: Sendable {
        private let number: Int
        private let answers: SendingAnswers

        fileprivate init(_ number: Int, of answers: SendingAnswers) {
            (self.number, self.answers) = (number, answers)
        }

        deinit { answers.state.withLock { _ = $0.remove(number) } }
    }

    private struct Entry: Sendable {
        let byteCount: Int
        let account: VerifyingKey
        let close: @Sendable () -> Void
    }

    private struct State: Sendable {
        /// The later it began, the higher its number.
        private var all: [Int: Entry] = [:]
        private var last = 0
        private(set) var byteCount = 0

        mutating func add(_ entry: Entry) -> Int {
            last += 1
            all[last] = entry
            byteCount += entry.byteCount
            return last
        }

        mutating func remove(_ number: Int) -> Entry? {
            guard let entry = all.removeValue(forKey: number) else { return nil }
            byteCount -= entry.byteCount
            return entry
        }

        /// The one that is to end first, beside the newest.
        func oldestOfLargest() -> Int? {
            var sums: [VerifyingKey: Int] = [:]
            for entry in all.values { sums[entry.account, default: 0] += entry.byteCount }
            let others = all.filter { $0.key != last }
            return others.min { left, right in
                let first = sums[left.value.account] ?? 0
                let second = sums[right.value.account] ?? 0
                return first == second ? left.key < right.key : first > second
            }?.key
        }
    }

    /// - Parameter byteCount: how many bytes may be in memory together.
    init(byteCount: Int) { most = byteCount }

    /// Counts an answer, and closes the connections of others where there are too many bytes now.
    func begin(
        _ byteCount: Int,
        for account: VerifyingKey,
        close: @escaping @Sendable () -> Void
    ) -> Sending {
        let entry = Entry(byteCount: byteCount, account: account, close: close)
        let (number, ended) = state.withLock { state -> (Int, [Entry]) in
            let number = state.add(entry)
            var ended: [Entry] = []
            while state.byteCount > most, let oldest = state.oldestOfLargest(),
                let entry = state.remove(oldest)
            {
                ended.append(entry)
            }
            return (number, ended)
        }
        for entry in ended { entry.close() }
        return Sending(number, of: self)
    }

    /// How many bytes there are, for tests.
    var byteCount: Int { state.withLock { $0.byteCount } }
}
