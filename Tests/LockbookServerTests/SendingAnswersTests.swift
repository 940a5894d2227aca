import LockbookCrypto
import Synchronization
import Testing

@testable import LockbookServer

/// Answers that nobody reads are not kept in memory where there are too many of them.
struct SendingAnswersTests {
    private let answers = SendingAnswers(byteCount: 100)
    private let closed = Closed()
    private let ada: VerifyingKey
    private let bob: VerifyingKey

    private final class Closed: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func append(_ name: String) { names.withLock { $0.append(name) } }
    }

    init() throws {
        ada = try TestPerson("ada", seed: 1).keys.publicKeys.request
        bob = try TestPerson("bob", seed: 2).keys.publicKeys.request
    }

    private func begin(_ name: String, _ byteCount: Int, for account: VerifyingKey)
        -> SendingAnswers.Sending
    {
        answers.begin(byteCount, for: account) { [closed] in closed.append(name) }
    }

    @Test func `who holds the most is closed first, and of that the oldest`() {
        let sent = [
            begin("ada 1", 30, for: ada), begin("ada 2", 30, for: ada),
            begin("bob 1", 40, for: bob),
        ]
        #expect(closed.all.isEmpty && answers.byteCount == 100)
        let fourth = begin("bob 2", 25, for: bob)
        #expect(closed.all == ["bob 1"] && answers.byteCount == 85)
        let fifth = begin("ada 3", 60, for: ada)
        #expect(closed.all == ["bob 1", "ada 1", "ada 2"] && answers.byteCount == 85)
        withExtendedLifetime((sent, fourth, fifth)) {}
    }

    @Test func `what was sent counts no more`() {
        var first: SendingAnswers.Sending? = begin("1", 60, for: ada)
        #expect(first != nil)
        first = nil
        #expect(answers.byteCount == 0)
        let second = begin("2", 60, for: ada)
        #expect(closed.all.isEmpty && answers.byteCount == 60)
        withExtendedLifetime(second) {}
    }

    @Test func `one that is larger than there is room is sent alone`() {
        let first = begin("1", 60, for: ada)
        let second = begin("2", 200, for: bob)
        #expect(closed.all == ["1"] && answers.byteCount == 200)
        withExtendedLifetime((first, second)) {}
    }
}
