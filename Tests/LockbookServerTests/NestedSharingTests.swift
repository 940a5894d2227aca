import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

/// What a server refuses where a share stands inside of another one.
struct NestedSharingTests: SharedTree {
    let server: TestServer
    var ada: TestPerson
    let bob: TestPerson
    let eve: TestPerson
    var outer: File
    var plan: File
    var inner: File
    var note: File
    var other: File
    let bobsGrant: Grant
    let evesGrant: Grant
    /// Ada's head once bob may write in the outer folder, and eve in the inner one.
    var head: LogHead

    init() async throws {
        server = try TestServer()
        let (owner, bob, eve) = try await TestPerson.three(at: server)
        var ada = owner
        outer = try ada.file("outer", type: .folder)
        plan = try ada.file("plan.md", in: outer.id)
        inner = try ada.file("inner", in: outer.id, type: .folder)
        note = try ada.file("note.md", in: inner.id)
        other = try ada.file("other", type: .folder)
        _ = try await ada.push(
            [outer, plan, inner, note, other].map { try ada.record($0) },
            to: server
        )
        outer.scope = outer.id
        plan.scope = outer.id
        inner.scope = outer.id
        note.scope = outer.id
        bobsGrant = try ada.grant(outer.id, to: bob, .write)
        evesGrant = try ada.grant(inner.id, to: eve, .write)
        let all = try [outer, plan, inner, note].map { try ada.record($0) }
        let first = try #require(ada.head)
        head = try #require(
            try await ada.push(
                [
                    ScopeChange(
                        scope: outer.id,
                        records: all,
                        grants: [bobsGrant],
                        wraps: [ada.wrap(outer.id, for: bob)]
                    )
                ],
                in: ada.account,
                after: first,
                to: server
            )
        )
        inner.scope = inner.id
        note.scope = inner.id
        (self.ada, self.bob, self.eve) = (ada, bob, eve)
        try await refuses([try nesting(telling: [])])
        head = try #require(
            try await ada.push(
                [try nesting(telling: [bobsGrant])],
                in: ada.account,
                after: head,
                to: server
            )
        )
        self.ada = ada
    }

    /// The entry that lets eve into the inner folder.
    private mutating func nesting(telling told: [Grant]) throws -> ScopeChange {
        ScopeChange(
            scope: inner.id,
            records: [try ada.record(inner), try ada.record(note)],
            grants: [evesGrant] + told,
            wraps: [try ada.wrap(inner.id, for: eve)]
        )
    }

    private func takes(
        _ changes: [ScopeChange],
        by person: TestPerson? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let head = try await (person ?? ada).push(
            changes,
            in: ada.account,
            after: head,
            to: server
        )
        #expect(head != nil, sourceLocation: sourceLocation)
    }

    @Test func `who may write outside writes inside as well, and not the other way round`()
        async throws
    {
        try await refuses(
            [ScopeChange(scope: outer.id, records: [record(plan, by: eve)])],
            by: eve
        )
        var renamed = inner
        renamed.name = try FileName("mine")
        try await refuses(
            [ScopeChange(scope: inner.id, records: [record(renamed, by: bob)])],
            by: bob
        )
        try await takes([ScopeChange(scope: inner.id, records: [record(note, by: bob)])], by: bob)
        let update = try await eve.pull(after: nil, from: server, log: ada.account)
        #expect(update.entries.count == 2)
        #expect(update.records.count == 3)
        let all = try await bob.pull(after: nil, from: server, log: ada.account)
        #expect(all.entries.count == 3)
        #expect(all.records.count == 4 + 2 + 1)
        #expect(
            all.entries.allSatisfy { entry in
                entry.groups.allSatisfy { group in
                    if case .whole = group.content { true } else { false }
                }
            }
        )
    }

    @Test func `what changes outside is told inside`() async throws {
        let mode = try ada.grant(outer.id, to: bob, .read, serial: 2)
        let change = ScopeChange(scope: outer.id, grants: [mode])
        try await refuses([change])
        // Something else than what holds.
        let lie = try ada.grant(outer.id, to: bob, .write, serial: 3)
        try await refuses([change, ScopeChange(scope: inner.id, grants: [lie])])
        try await refuses([ScopeChange(scope: inner.id, grants: [mode])])
        // A grant of the scope inside is none of those outside.
        try await refuses([
            change, ScopeChange(scope: inner.id, grants: [mode]),
            ScopeChange(scope: other.id, grants: [evesGrant]),
        ])
        try await takes([change, ScopeChange(scope: inner.id, grants: [mode])])
    }

    @Test mutating func `who is let in gets the scopes inside`() async throws {
        var carl = try TestPerson("carl", seed: 4)
        try await carl.register(at: server)
        let carls = try ada.grant(outer.id, to: carl, .read)
        let outside = ScopeChange(
            scope: outer.id,
            records: [try ada.record(outer), try ada.record(plan)],
            grants: [carls],
            wraps: [try ada.wrap(outer.id, for: carl)]
        )
        var naming = outside
        naming.inner = [inner.id]
        let inside = ScopeChange(
            scope: inner.id,
            records: [try ada.record(inner), try ada.record(note)],
            grants: [carls]
        )
        try await refuses([outside])
        try await refuses([outside, inside])
        try await refuses([naming])
        try await takes([naming, inside])
    }

    @Test mutating func `what leaves a share has a new key, and the share says so`() async throws {
        var moved = plan
        moved.parent = other.id
        moved.scope = ada.root
        try await refuses([ScopeChange(scope: ada.root, records: [try ada.record(moved)])])
        moved.epoch = 2
        let record = try ada.record(moved)
        try await refuses([ScopeChange(scope: ada.root, records: [record])])
        try await refuses([
            ScopeChange(scope: ada.root, records: [record]),
            ScopeChange(scope: outer.id, left: [moved.id, note.id]),
        ])
        try await refuses([
            ScopeChange(scope: ada.root, records: [record]),
            ScopeChange(scope: inner.id, left: [moved.id]),
        ])
        try await takes([
            ScopeChange(scope: ada.root, records: [record]),
            ScopeChange(scope: outer.id, left: [moved.id]),
        ])
    }

    @Test mutating func `into a share further in a file goes as it is`() async throws {
        var moved = plan
        moved.parent = inner.id
        moved.scope = inner.id
        try await refuses(
            [ScopeChange(scope: inner.id, records: [record(moved, by: bob)])],
            by: bob
        )
        try await takes([ScopeChange(scope: inner.id, records: [try ada.record(moved)])])
    }
}
