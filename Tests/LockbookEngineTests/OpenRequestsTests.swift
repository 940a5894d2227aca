import LockbookTestSupport
import Synchronization
import Testing

@testable import LockbookEngine

/// What is waited for, as long as a server does not answer.
struct OpenRequestsTests {
    @Test func `a request is open until it is answered, and the oldest one counts`() {
        let requests = OpenRequests()
        #expect(requests.oldest == nil)
        let first = requests.begin()
        let began = requests.oldest
        let second = requests.begin()
        #expect(began != nil && requests.oldest == began)
        requests.end(first)
        #expect(requests.oldest != nil)
        requests.end(second)
        #expect(requests.oldest == nil)
    }

    @Test func `what another process does is waited for, and nothing when nobody is asked`()
        async throws
    {
        let alice = Person("alice", on: try TestServer())
        let lockbook = try await alice.firstDevice().lockbook
        #expect(lockbook.environment.openRequests.oldest == nil)
        #expect(lockbook.awaited == nil)
        lockbook.inLine.withLock { $0 = AwaitedWork("another sync") }
        #expect(lockbook.awaited?.name == "another sync")
    }
}
