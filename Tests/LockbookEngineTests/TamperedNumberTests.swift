import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Numbers in a database that no program of ours wrote there.
struct TamperedNumberTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `a log after which nothing can come is a damaged database`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        let last = LogHead(position: .max, hash: .zero)
        try laptop.lockbook.store.write { try $0.set(.head, to: last.bytes) }
        let directory = laptop.lockbook.account.directory
        await #expect(throws: LockbookError.damagedStore(directory: directory)) {
            try await laptop.sync()
        }
    }

    @Test(arguments: [Int64.max, .min])
    func `a sync comes through whatever stands for clock and checkpoint`(number: Int64) async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        try laptop.lockbook.store.write { tree in
            try tree.set(.clockOffset, number: number)
            try tree.set(.recordsSinceCheckpoint, number: number)
        }
        try await laptop.sync()
        #expect(try laptop.lockbook.store.read { try !$0.hasChanges() })
        #expect(try laptop.lockbook.store.read { try $0.number(.clockOffset) } == 0)
    }
}
