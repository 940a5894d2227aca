import LockbookEngine
import Testing

@testable import lockbook

/// When it is said what is waited for.
@Suite struct ProgressLineTests {
    private let now = ContinuousClock.now

    private func left(after quiet: Int64, _ work: AwaitedWork?) -> Int64 {
        ProgressLine.silenceLeft(after: quiet, waitingFor: work, now: now)
    }

    private func request(_ seconds: Int) -> AwaitedWork {
        AwaitedWork("http://server", since: now.advanced(by: .seconds(-seconds)))
    }

    @Test func `what this device computes is no silence of the server`() {
        #expect(left(after: 60_000, nil) == 5_000)
    }

    @Test func `silence counts from the beginning of the request`() {
        #expect(left(after: 60_000, request(0)) == 5_000)
        #expect(left(after: 60_000, request(4)) == 1_000)
        #expect(left(after: 60_000, request(6)) == -1_000)
    }

    @Test func `another process that holds a lock is told of sooner`() {
        var work = request(1)
        work.isLock = true
        #expect(left(after: 60_000, work) == 1_000)
    }

    @Test func `what was heard since ends the silence`() {
        #expect(left(after: 1_000, request(6)) == 4_000)
    }

    @Test func `where the beginning is not known all silence counts`() {
        #expect(left(after: 6_000, AwaitedWork("http://server")) == -1_000)
    }
}
