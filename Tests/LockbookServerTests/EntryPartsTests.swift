import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// What a server does with entries of which one answer cannot hold all records.
struct EntryPartsTests {
    let server: TestServer
    var ada: TestPerson
    let records: [FileRecord]
    /// Ada's registration, before the entry that is large.
    let registered: LogHead

    init() async throws {
        server = try TestServer(pageByteCount: 2_000)
        ada = try await TestPerson.ada(at: server)
        registered = try #require(ada.head)
        var ada = ada
        records = try (1...30).map { try ada.record(ada.file("note\($0).md")) }
        try await ada.push(records, to: server)
        self.ada = ada
    }

    private var sorted: [Data] {
        records.sorted { $0.facts.id < $1.facts.id }.map { Data($0.bytes) }
    }

    @Test func `come in parts, and then goes on what follows`() async throws {
        var ada = ada
        let late = try ada.record(ada.file("late.md"))
        try await ada.push([late], to: server)
        var update = try await ada.pull(after: registered, from: server)
        #expect(update.entries.count == 1)
        var found = update.records
        var parts = 1
        while update.hasNext {
            #expect(update.more)
            #expect(update.next.position == registered.position + 1)
            #expect(update.next.recordsAfter == UInt32(found.count))
            update = try await ada.pull(
                after: registered,
                entryCursor: update.next,
                from: server
            )
            #expect(update.entries.isEmpty)
            #expect(!update.records.isEmpty)
            found += update.records
            parts += 1
        }
        #expect(found == sorted)
        #expect(parts > 3)
        // The entry after it is still to come.
        #expect(update.more)
        let header = try #require(ada.head)
        let rest = try await ada.pull(
            after: LogHead(position: header.position - 1, hash: try await previous(of: header)),
            from: server
        )
        #expect(rest.records == [Data(late.bytes)])
        #expect(!rest.more)
    }

    private func previous(of head: LogHead) async throws -> Hash256 {
        let account = ada.account
        return try await server.folder.store.read { store in
            let stored = try store.account(id: account)
            let key = try #require(stored).key
            let entry = try store.entry(head.position - 1, of: key)
            return try #require(entry).hash
        }
    }

    @Test(arguments: [0, 30, 31, .max] as [UInt32])
    func `begin anew for a cursor that was never given out`(count: UInt32) async throws {
        let cursor = Lockbook_V1_EntryCursor.with {
            $0.position = registered.position + 1
            $0.recordsAfter = count
        }
        let update = try await ada.pull(after: registered, entryCursor: cursor, from: server)
        #expect(update.entries.count == 1)
        #expect(update.records.first == sorted.first)
    }

    @Test(arguments: [0, 2, .max] as [UInt64])
    func `begin anew for a cursor of another entry`(position: UInt64) async throws {
        let cursor = Lockbook_V1_EntryCursor.with {
            $0.position = position
            $0.recordsAfter = 3
        }
        let update = try await ada.pull(after: registered, entryCursor: cursor, from: server)
        #expect(update.entries.count == 1)
        #expect(update.records.first == sorted.first)
    }

    @Test(arguments: [1, 1_000, .max] as [UInt32])
    func `hold no more than is asked for, and than the server sends`(most: UInt32) async throws {
        var found: [Data] = []
        var cursor: Lockbook_V1_EntryCursor?
        repeat {
            let update = try await ada.pull(
                after: registered,
                entryCursor: cursor,
                from: server,
                pageByteCount: most
            )
            let byteCount = update.records.reduce(0) { $0 + $1.count }
            #expect(update.records.count == 1 || byteCount <= min(2_000, Int(most)))
            found += update.records
            try #require(!update.records.isEmpty && found.count <= records.count)
            cursor = update.hasNext ? update.next : nil
        } while cursor != nil
        #expect(found == sorted)
    }

    @Test func `stand alone in a page`() async throws {
        var ada = ada
        let small = try ada.record(ada.file("small.md"))
        try await ada.push([small], to: server)
        let known = try #require(ada.head)
        try await ada.push([try ada.record(ada.file("a.md"))], to: server)
        try await ada.push(
            try (1...30).map { try ada.record(ada.file("more\($0).md")) },
            to: server
        )
        let update = try await ada.pull(after: known, from: server)
        #expect(update.entries.count == 1)
        #expect(!update.hasNext)
        #expect(update.more)
    }

    /// Ada shares a folder with somebody.
    /// - Returns: the head of her log.
    private func share(with bob: TestPerson) async throws -> LogHead {
        var writer = ada
        var pub = try writer.file("pub", type: .folder)
        try await writer.push([writer.record(pub)], to: server)
        pub.scope = pub.id
        let share = ScopeChange(
            scope: pub.id,
            records: [try writer.record(pub)],
            grants: [try writer.grant(pub.id, to: bob, .read)],
            wraps: [try writer.wrap(pub.id, for: bob)]
        )
        let before = try #require(writer.head)
        let shared = try await writer.push([share], in: ada.account, after: before, to: server)
        return try #require(shared)
    }

    @Test func `leave to the next log what is left of an answer`() async throws {
        var bob = try TestPerson("bob", seed: 2)
        try await bob.register(at: server)
        _ = try await share(with: bob)
        let registered = try #require(bob.head)
        for number in 1...3 {
            try await bob.push([try bob.record(bob.file("note\(number).md"))], to: server)
        }
        let alone = try await bob.pull(after: registered, from: server)
        #expect(alone.entries.count > 1)
        let updates = try await pull(registered, as: bob, isAdaFirst: true)
        #expect(updates[0].entries.count == 1)
        #expect(!updates[0].more)
        #expect(updates[1].entries.count == 1)
        #expect(updates[1].more)
    }

    @Test func `leave no room for other logs, of which only the heads are told`() async throws {
        var bob = try TestPerson("bob", seed: 2)
        try await bob.register(at: server)
        let head = try await share(with: bob)
        let registered = try #require(bob.head)
        try await bob.push(
            try (1...30).map { try bob.record(bob.file("note\($0).md")) },
            to: server
        )
        let known = try #require(bob.head)

        let far = try await pull(registered, as: bob)
        #expect(far[0].hasNext)
        #expect(far[1].entries.isEmpty)
        #expect(far[1].records.isEmpty)
        #expect(far[1].more)
        #expect(far[1].headPosition == head.position)
        #expect(far[1].head == Data(head.hash.bytes))

        let near = try await pull(known, as: bob)
        #expect(near[0].entries.isEmpty)
        #expect(near[1].entries.count == 1)
        #expect(!near[1].more)
    }

    /// Asks for bob's log after an entry, and for all of ada's.
    private func pull(
        _ head: LogHead,
        as bob: TestPerson,
        isAdaFirst: Bool = false
    ) async throws -> [Lockbook_V1_LogUpdate] {
        var request = Lockbook_V1_PullRequest()
        request.logs = [
            .with {
                $0.log = Data(bob.account.hash.bytes)
                $0.known = true
                $0.position = head.position
                $0.head = Data(head.hash.bytes)
            },
            .with { $0.log = Data(ada.account.hash.bytes) },
        ]
        if isAdaFirst { request.logs.reverse() }
        let answer: Lockbook_V1_PullResponse = try await bob.send(request, to: .pull, of: server)
        try #require(answer.logs.count == 2)
        return answer.logs
    }

    @Test func `have groups that one answer can hold`() async throws {
        var ada = ada
        var (request, _) = try ada.push([try ada.record(ada.file("a.md"))])
        request.groups = (0..<2).map { _ in Data(count: 7 << 20) }
        let (writer, large) = (ada, request)
        await #expect(throws: Refused.tooLarge) {
            _ = try await writer.send(
                large,
                to: .push,
                of: server,
                as: Lockbook_V1_PushResponse.self
            )
        }
    }
}
