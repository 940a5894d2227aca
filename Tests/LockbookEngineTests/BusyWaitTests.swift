import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A change that has to wait for another process says so, and is made when that one is done.
@Suite struct BusyWaitTests {
    @Test func `who waits is told, and goes on when the other one is done`() async throws {
        let laptop = try await Person("alice", on: TestServer()).firstDevice()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let holder = try DatabaseQueue(
            path: laptop.directory + "/" + LocalStore.fileName,
            configuration: configuration
        )
        try holder.inDatabase { try $0.beginTransaction(.immediate) }
        let other = try laptop.again(busy: { try? holder.inDatabase { try $0.commit() } })

        try other.write("/plan.md", "words")
        #expect(try await laptop.text("/plan.md") == "words")
    }
}
