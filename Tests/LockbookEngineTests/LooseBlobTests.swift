import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Contents that are let go while an entry waits, of which it is not known whether it arrived.
struct LooseBlobTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// How many contents are of no earlier version, and of nothing that a command replaced.
    private func presentCount(on device: Device) throws -> Int {
        try device.lockbook.store.read { tree in
            try Int.fetchOne(
                tree.db,
                sql: """
                    SELECT count(*) FROM blob WHERE name NOT IN (
                        SELECT blob FROM version
                        UNION SELECT blob FROM replaced WHERE blob IS NOT NULL
                    )
                    """
            ) ?? 0
        }
    }

    @Test(arguments: [true, false])
    func `go when it is known what became of it`(hasArrived: Bool) async throws {
        let laptop = try await alice.firstDevice(holding: ["/b.md": "b"])
        for number in 0..<25 { try laptop.write("/a.md", "\(number)") }
        // So many that no command of before can be taken back.
        for number in 0..<60 { try laptop.write("/c.md", "\(number)") }
        try #require(try presentCount(on: laptop) == 3)
        laptop.faults.next("/v1/push", hasArrived ? .answerLost : .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        laptop.clock.pass(days: 100)
        try laptop.write("/a.md", "last")
        laptop.clock.pass(days: -100)
        #expect(try presentCount(on: laptop) == 8)

        try await laptop.sync()
        #expect(try presentCount(on: laptop) == 3)
        #expect(try await laptop.text("/a.md") == "last")
        #expect(try laptop.lockbook.validate() == [])
    }
}
