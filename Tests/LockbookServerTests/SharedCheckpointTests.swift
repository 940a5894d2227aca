import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// Checkpoints of logs with shares: which are kept, what each reader gets of one, and what goes.
struct SharedCheckpointTests {
    let server: TestServer
    var ada: TestPerson
    var bob: TestPerson
    var eve: TestPerson
    var pub: File
    var sub: File
    var note: File
    let secret: File
    var head = LogHead(position: 0, hash: .zero)
    /// What the server has of each file, and of the grants.
    var records: [FileID: FileRecord] = [:]
    var grants: [Grant] = []

    /// Bob writes in `pub`, with the scope `sub` in it; eve reads `sub`.
    init() async throws {
        server = try TestServer(keptVersions: 0)
        ada = try TestPerson("ada", seed: 1)
        bob = try TestPerson("bob", seed: 2)
        eve = try TestPerson("eve", seed: 3)
        let root = try await ada.register(at: server).rootRecord
        try await bob.register(at: server)
        try await eve.register(at: server)
        pub = try ada.file("pub", type: .folder)
        sub = try ada.file("sub", in: pub.id, type: .folder)
        note = try ada.file("note.md", in: pub.id)
        secret = try ada.file("secret.md")
        records[ada.root] = try FileRecord(Array(root))
        let first = try [pub, sub, note, secret].map { try ada.record($0) }
        for record in first { records[record.facts.id] = record }
        try await ada.push(first, to: server)
        head = try #require(ada.head)
        pub.scope = pub.id
        sub.scope = pub.id
        note.scope = pub.id
        try await push([
            try change([pub, sub, note], grant: grant(pub, to: bob, .write), wrap: [bob])
        ])
        sub.scope = sub.id
        let inner = try grant(sub, to: eve, .read)
        var change = try change([sub], grant: inner, wrap: [eve])
        change.grants.append(grants[0])
        try await push([change])
    }

    mutating func grant(
        _ file: File,
        to other: TestPerson,
        _ mode: ShareMode,
        serial: UInt64 = 1
    ) throws -> Grant {
        let grant = try ada.grant(file.id, to: other, mode, serial: serial)
        grants.removeAll { $0.file == file.id && $0.grantee == grant.grantee }
        grants.append(grant)
        return grant
    }

    mutating func change(_ files: [File], grant: Grant? = nil, wrap: [TestPerson] = [])
        throws -> ScopeChange
    {
        let sealed = try files.map { try ada.record($0) }
        for record in sealed { records[record.facts.id] = record }
        return ScopeChange(
            scope: files[0].scope,
            records: sealed,
            grants: grant.map { [$0] } ?? [],
            wraps: try wrap.map { try ada.wrap(files[0].scope, for: $0, epoch: files[0].epoch) }
        )
    }

    mutating func push(_ changes: [ScopeChange]) async throws {
        let next = try await ada.push(changes, in: ada.account, after: head, to: server)
        head = try #require(next)
    }

    /// What an honest device of ada's says of each scope.
    func states(_ grants: [Grant]? = nil) throws -> [ScopeState] {
        var gathered = GatheredState(rootOf: ada.account)
        for (id, record) in records.sorted(by: { $0.key < $1.key }) {
            let facts = record.facts
            gathered.add(
                RecordReference(file: id, hash: record.hash),
                in: facts.scope,
                top: facts.scope == id ? facts : nil
            )
        }
        return try gathered.states(grants ?? self.grants).map { state in
            var state = state
            let people = [bob, eve].filter { person in
                state.grants.contains { $0.mode > .none && $0.grantee == person.keys.publicKeys }
            }
            let epoch = records[state.scope]?.facts.epoch ?? 1
            state.wraps =
                try people.isEmpty
                ? []
                : (people + [ada]).map { try ada.wrap(state.scope, for: $0, epoch: epoch) }
                    .sorted { $0.grantee < $1.grantee }
            return state
        }
    }

    func send(_ states: [ScopeState], sending: [ScopeState]? = nil) async throws {
        let checkpoint = try Checkpoint(
            log: ada.account,
            head: head,
            states: states.map(\.reference),
            author: ada.account,
            device: ada.device,
            created: Timestamp(milliseconds: 3),
            signedBy: ada.keys.signing
        )
        try await send(checkpoint, sending ?? states)
    }

    private func send(_ checkpoint: Checkpoint, _ states: [ScopeState]) async throws {
        let request = Lockbook_V1_CheckpointRequest.with {
            $0.checkpoint = Data(checkpoint.bytes)
            $0.states = states.map { Data($0.seen.bytes) }
        }
        let _: Lockbook_V1_CheckpointResponse = try await ada.send(
            request,
            to: .checkpoint,
            of: server
        )
    }

    func collect() async throws {
        server.clock.advance(by: 91 * 86_400)
        try await server.server.collect()
    }

    func scopes(_ page: Lockbook_V1_CheckpointPage) throws -> [FileID: Bool] {
        let seen = try page.states.map { try SeenScopeState(Array($0)) }
        return Dictionary(uniqueKeysWithValues: seen.map { ($0.scope, $0.isWhole) })
    }

    @Test func `each reader begins with his part of a checkpoint`() async throws {
        try await send(states())
        try await send(states())

        let all = try await ada.pull(after: nil, from: server).checkpoint
        #expect(try scopes(all) == [ada.root: true, pub.id: true, sub.id: true])
        #expect(all.items.count == 5 && all.headers.count == 4 && all.complete)
        let outer = try await bob.pull(after: nil, from: server, log: ada.account).checkpoint
        #expect(try scopes(outer) == [pub.id: true, sub.id: true])
        #expect(Set(outer.items.compactMap { FileID($0.file) }) == [pub.id, sub.id, note.id])
        #expect(outer.headers.count == 1)
        let inner = try await eve.pull(after: nil, from: server, log: ada.account).checkpoint
        #expect(try scopes(inner) == [sub.id: true])
        #expect(inner.items.compactMap { FileID($0.file) } == [sub.id])
        #expect(all.checkpoint == inner.checkpoint && all.checkpoint == outer.checkpoint)
    }

    @Test(arguments: [0, 1, 2] as [UInt64])
    func `a cursor that a member made up brings him no earlier headers`(_ headersTo: UInt64)
        async throws
    {
        try await send(states())
        let cursor = Lockbook_V1_CheckpointCursor.with {
            $0.checkpoint = head.position
            $0.headersTo = headersTo
        }
        let page = try await bob.pull(
            after: nil,
            cursor: cursor,
            from: server,
            log: ada.account
        ).checkpoint
        let headers = try page.headers.map { try EntryHeader(Array($0)) }
        #expect(headers.map(\.position) == [head.position])
        #expect(page.complete)
    }

    @Test func `a checkpoint that is not our state is refused`() async throws {
        let good = try states()
        let place = try #require(good.firstIndex { $0.scope == pub.id })
        func refuses(
            _ change: (inout [ScopeState]) throws -> Void,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            var bad = good
            try change(&bad)
            await #expect(throws: Refused.self, sourceLocation: sourceLocation) {
                try await send(bad)
            }
        }
        try await refuses { $0.removeLast() }
        try await refuses { $0[place].grants = [] }
        try await refuses { $0[place].inner = [] }
        try await refuses { $0[place].wraps.removeLast() }
        try await refuses { $0[place].wraps = [] }
        let none = ScopeDigest(scope: pub.id, sortedRecords: [])
        try await refuses { $0[place].files = none }
        // Valid, but not what the server has: a later grant, one for somebody else, an older key.
        try await refuses { $0[place].grants = [try ada.grant(pub.id, to: bob, .write, serial: 2)] }
        try await refuses { states in
            states[place].grants = [try ada.grant(pub.id, to: eve, .write)]
            states[place].wraps = try [ada, eve].map { try ada.wrap(pub.id, for: $0) }
                .sorted { $0.grantee < $1.grantee }
        }
        try await refuses { states in
            states[place].wraps = try [ada, bob].map { try ada.wrap(pub.id, for: $0, epoch: 2) }
                .sorted { $0.grantee < $1.grantee }
        }
        // Signed, and not sent or sent otherwise.
        await #expect(throws: Refused.malformed) { try await send(good, sending: []) }
        await #expect(throws: Refused.malformed) { try await send(good, sending: good.reversed()) }
        // As if nothing were shared.
        let old = try Checkpoint(
            log: ada.account,
            head: head,
            scopes: good.map(\.files),
            author: ada.account,
            device: ada.device,
            created: Timestamp(milliseconds: 3),
            signedBy: ada.keys.signing
        )
        await #expect(throws: Refused.malformed) { try await send(old, []) }
        try await send(good)
    }
}
