import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// What is behind a checkpoint goes, and who was away begins with it.
extension SharedCheckpointTests {
    @Test mutating func `what is behind it goes, and who was away begins with it`() async throws {
        let first = try await bob.pull(after: nil, from: server, log: ada.account)
        let known = LogHead(try EntryHeader(Array(first.entries[0].header)))
        for _ in 0..<3 { try await push([change([note])]) }
        try await send(states())
        try await collect()
        try await push([change([note])])

        let page = try await bob.pull(after: known, from: server, log: ada.account)
        #expect(page.hasCheckpoint && page.more && page.entries.isEmpty)
        #expect(page.checkpoint.headers.count == Int(head.position - 1 - known.position))
        #expect(try scopes(page.checkpoint) == [pub.id: true, sub.id: true])
        let checkpoint = try Checkpoint(Array(page.checkpoint.checkpoint))
        let rest = try await bob.pull(after: checkpoint.head, from: server, log: ada.account)
        #expect(rest.entries.count == 1 && rest.records.count == 1 && !rest.more)
        #expect(try await groupCount() == 1)
    }

    private func groupCount() async throws -> Int {
        let (account, last) = (ada.account, head.position)
        return try await server.folder.store.read { store in
            guard let key = try store.account(id: account)?.key else { return 0 }
            return try (0...last).reduce(0) { try $0 + store.groups($1, of: key).count }
        }
    }

    @Test mutating func `who was taken out is shown that, and nothing that came after`()
        async throws
    {
        let first = try await bob.pull(after: nil, from: server, log: ada.account)
        let known = LogHead(try EntryHeader(Array(first.entries[0].header)))
        pub.epoch = 2
        (sub.epoch, sub.parentEpoch) = (2, 2)
        (note.epoch, note.parentEpoch) = (2, 2)
        let end = try grant(pub, to: bob, .none, serial: 2)
        let outer = try change([pub, note], grant: end)
        var inner = try change([sub], wrap: [eve])
        inner.grants = [end]
        try await push([outer, inner])
        let removed = head
        try await push([change([note])])
        try await send(states())
        try await collect()

        let page = try await bob.pull(after: known, from: server, log: ada.account)
        #expect(try scopes(page.checkpoint) == [pub.id: false])
        #expect(page.checkpoint.items.isEmpty && page.checkpoint.complete && !page.more)
        #expect(page.headPosition == head.position)
        let state = try SeenScopeState(Array(page.checkpoint.states[0]))
        #expect(try state.wholeGrants() == [end])
        let quiet = try await bob.pull(after: head, from: server, log: ada.account)
        #expect(!quiet.hasCheckpoint && !quiet.more && quiet.entries.isEmpty)
        #expect(quiet.headPosition == head.position)
        // Who had learned it from the entry hears of nothing else.
        let told = try await bob.pull(after: removed, from: server, log: ada.account)
        #expect(!told.hasCheckpoint && !told.more && told.headPosition == removed.position)
        await #expect(throws: Refused.notPermitted) {
            _ = try await bob.pull(after: nil, from: server, log: ada.account)
        }
    }

    /// What was around a scope was asked of the folder's version of that time, which is gone then.
    @Test mutating func `a scope is inside of another one also when that has newer versions alone`()
        async throws
    {
        try await push([change([pub])])
        try await push([change([note])])
        try await send(states())
        try await collect()

        let page = try await bob.pull(after: nil, from: server, log: ada.account)
        #expect(try scopes(page.checkpoint) == [pub.id: true, sub.id: true])
        let before = head
        try await push([change([sub])])
        let rest = try await bob.pull(after: before, from: server, log: ada.account)
        guard case .whole = rest.entries[0].groups[0].content else {
            Issue.record("the scope inside is hidden")
            return
        }
    }
}
