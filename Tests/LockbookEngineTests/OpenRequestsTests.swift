import Glibc
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

    @Test func `a connection is closed also where the server's time cannot be kept`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let connection = WatchedConnection()
        var environment = laptop.lockbook.environment
        environment.connect = { _ in connection }
        let lockbook = try Lockbook.open(directory: laptop.directory, environment: environment)
        await #expect(throws: LockbookError.self) {
            _ = try await lockbook.withServer { sync in
                try sync.store.write { try $0.set(.clockOffset, number: 7) }
                try #require(unlink(laptop.directory + "/account.json") == 0)
            }
        }
        #expect(connection.closings.withLock { $0 } == 1)
    }
}

/// A connection to nobody.
private final class WatchedConnection: ServerConnection {
    let closings = Mutex(0)

    func send(_ request: WireRequest) async throws -> WireResponse {
        throw LockbookError.offline(server: "nobody", reason: "nobody is there")
    }

    func close() async { closings.withLock { $0 += 1 } }
}
