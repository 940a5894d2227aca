import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A log of which no checkpoint can be signed here.
struct CheckpointInVainTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Each sync would go through all of the tree.
    @Test func `it is not tried again before as much has changed`() async throws {
        let (laptop, _) = try await shared()
        let team = try laptop.lockbook.info(.path("/team")).id
        let store = laptop.lockbook.store
        try store.write { tree in
            try tree.set(.recordsSinceCheckpoint, number: 10_000)
            // Its members may have the key.
            try tree.db.execute(sql: "UPDATE file SET damaged = 1 WHERE id = x'\(team)'")
        }
        try await laptop.sync()
        #expect(try store.read { try $0.number(.recordsSinceCheckpoint) } == 0)
    }
}
