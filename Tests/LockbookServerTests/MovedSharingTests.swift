import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

/// What a server asks of an entry that brings a share into another one, or out of it.
struct MovedSharingTests {
    let server: TestServer
    var ada: TestPerson
    let bob: TestPerson
    let eve: TestPerson
    let carl: TestPerson
    var outer: File
    var inner: File
    var note: File
    var deepest: File
    var other: File
    let bobsGrant: Grant
    let evesGrant: Grant
    let carlsGrant: Grant
    /// Ada's head once bob may write in the outer folder, eve in another one, and carl in one in that.
    var head: LogHead

    init() async throws {
        server = try TestServer()
        var people: [TestPerson] = []
        for (index, name) in ["ada", "bob", "eve", "carl"].enumerated() {
            var person = try TestPerson(name, seed: UInt8(index + 1))
            try await person.register(at: server)
            people.append(person)
        }
        (ada, bob, eve, carl) = (people[0], people[1], people[2], people[3])
        outer = try ada.file("outer", type: .folder)
        inner = try ada.file("inner", type: .folder)
        note = try ada.file("note.md", in: inner.id)
        deepest = try ada.file("deepest", in: inner.id, type: .folder)
        other = try ada.file("other", type: .folder)
        let all = [outer, inner, note, deepest, other]
        var records: [FileRecord] = []
        for file in all { records.append(try ada.record(file)) }
        _ = try await ada.push(records, to: server)
        outer.scope = outer.id
        inner.scope = inner.id
        note.scope = inner.id
        deepest.scope = deepest.id
        bobsGrant = try ada.grant(outer.id, to: bob, .write)
        evesGrant = try ada.grant(inner.id, to: eve, .write)
        carlsGrant = try ada.grant(deepest.id, to: carl, .write)
        head = try #require(ada.head)
        head = try #require(
            try await ada.push(
                [
                    ScopeChange(
                        scope: outer.id,
                        records: [try ada.record(outer)],
                        grants: [bobsGrant],
                        wraps: [try ada.wrap(outer.id, for: bob)]
                    ),
                    ScopeChange(
                        scope: inner.id,
                        records: [try ada.record(inner), try ada.record(note)],
                        grants: [evesGrant],
                        wraps: [try ada.wrap(inner.id, for: eve)],
                        inner: [deepest.id]
                    ),
                    ScopeChange(
                        scope: deepest.id,
                        records: [try ada.record(deepest)],
                        grants: [carlsGrant, evesGrant],
                        wraps: [try ada.wrap(deepest.id, for: carl)]
                    ),
                ].sorted { $0.scope < $1.scope },
                in: ada.account,
                after: head,
                to: server
            )
        )
    }

    /// How the inner folder, with what is in it, comes into another one.
    private func moved(
        to folder: FileID,
        epoch: UInt32 = 2,
        told: [Grant],
        by person: TestPerson? = nil
    ) throws -> [ScopeChange] {
        let person = person ?? ada
        var top = inner
        var below = [note, deepest]
        (top.parent, top.epoch) = (folder, epoch)
        for index in below.indices {
            (below[index].epoch, below[index].parentEpoch) = (epoch, epoch)
        }
        var signer = person
        signer.folders = ada.folders
        func record(_ file: File) throws -> FileRecord {
            var file = file
            (file.author, file.device) = (person.account, person.device)
            return try signer.record(file, owner: ada.account)
        }
        return [
            ScopeChange(
                scope: inner.id,
                records: [try record(top), try record(below[0])],
                grants: [evesGrant] + told,
                wraps: [try ada.wrap(inner.id, for: eve, epoch: epoch)],
                inner: [deepest.id],
                isMoved: true
            ),
            ScopeChange(
                scope: deepest.id,
                records: [try record(below[1])],
                grants: [carlsGrant, evesGrant] + told,
                wraps: [try ada.wrap(deepest.id, for: carl, epoch: epoch)],
                isMoved: true
            ),
        ]
    }

    private func into(_ changes: [ScopeChange]) -> [ScopeChange] {
        changes + [ScopeChange(scope: outer.id, inner: [inner.id, deepest.id])]
    }

    private func refuses(
        _ changes: [ScopeChange],
        by person: TestPerson? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await server.stateHash(of: ada)
        await #expect(throws: Refused.violation, sourceLocation: sourceLocation) {
            _ = try await (person ?? ada).push(
                changes.sorted { $0.scope < $1.scope },
                in: ada.account,
                after: head,
                to: server
            )
        }
        #expect(try await server.stateHash(of: ada) == before, sourceLocation: sourceLocation)
    }

    private mutating func takes(
        _ changes: [ScopeChange],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let new = try await ada.push(
            changes.sorted { $0.scope < $1.scope },
            in: ada.account,
            after: head,
            to: server
        )
        head = try #require(new, sourceLocation: sourceLocation)
    }

    /// The groups that somebody is shown whole of the newest entry.
    private func shown(to person: TestPerson) async throws -> Set<FileID> {
        let before = LogHead(position: head.position - 1, hash: previous)
        let update = try await person.pull(after: before, from: server, log: ada.account)
        let entry = try #require(update.entries.first)
        return Set(
            try entry.groups.compactMap { group -> FileID? in
                guard case .whole(let bytes) = group.content else { return nil }
                return try EntryGroup(Array(bytes)).scope
            }
        )
    }

    private var previous = Hash256.zero

    @Test mutating func `a share comes into another one whole, and who sees that is told`()
        async throws
    {
        let whole = try moved(to: outer.id, told: [bobsGrant])
        // Not said at all, not said to be inside, not told.
        try await refuses(
            into(whole).map { change in
                var change = change
                change.isMoved = false
                return change
            }
        )
        try await refuses(whole)
        try await refuses(into(try moved(to: outer.id, told: [])))
        try await refuses(into(try moved(to: outer.id, epoch: 1, told: [bobsGrant])))
        // Without a file of it, a grant on it, the key for who holds that, or the scope inside.
        for index in whole.indices {
            var changes = whole
            changes[index].records.removeLast()
            try await refuses(into(changes))
            changes = whole
            let scope = changes[index].scope
            changes[index].grants.removeAll { $0.file == scope }
            try await refuses(into(changes))
            changes = whole
            changes[index].wraps = []
            try await refuses(into(changes))
            changes = whole
            changes[index].isMoved = false
            try await refuses(into(changes))
        }
        try await refuses(into([whole[0]]))
        var changes = whole
        changes[0].inner = []
        try await refuses(into(changes))
        // A lie of where it stands.
        changes = whole
        changes[1].grants.removeAll { [bobsGrant] in $0.file == bobsGrant.file }
        try await refuses(into(changes))
        previous = head.hash
        try await takes(into(whole))
        #expect(try await shown(to: bob) == [outer.id, inner.id, deepest.id])
        #expect(try await shown(to: eve) == [inner.id, deepest.id])
        #expect(try await shown(to: carl) == [deepest.id])
    }

    @Test mutating func `a share leaves another one with new keys, and that says so`() async throws
    {
        try await takes(into(try moved(to: outer.id, told: [bobsGrant])))
        let whole = try moved(to: other.id, epoch: 3, told: [])
        let left = ScopeChange(scope: outer.id, left: [inner.id])
        try await refuses(whole)
        try await refuses(whole + [ScopeChange(scope: outer.id, left: [inner.id, deepest.id])])
        try await refuses([left] + (try moved(to: other.id, epoch: 2, told: [])))
        // As if it still stood there.
        try await refuses([left] + (try moved(to: other.id, epoch: 3, told: [bobsGrant])))
        previous = head.hash
        try await takes(whole + [left])
        #expect(try await shown(to: bob) == [outer.id, inner.id, deepest.id])
        #expect(try await shown(to: eve) == [inner.id, deepest.id])
        // After that it is none of bob's business.
        var top = note
        (top.epoch, top.parentEpoch) = (3, 3)
        top.isExecutable = true
        previous = head.hash
        try await takes([ScopeChange(scope: inner.id, records: [try ada.record(top)])])
        #expect(try await shown(to: bob) == [])
        #expect(try await shown(to: eve) == [inner.id])
        // What was shown to a device of his that comes later is what he saw.
        let all = try await bob.pull(after: nil, from: server, log: ada.account)
        let seen = all.entries.map { entry in
            entry.groups.count { if case .whole = $0.content { true } else { false } }
        }
        #expect(seen == [1, 3, 3, 0])
    }

    @Test mutating func `nobody but the owner moves a share`() async throws {
        try await takes(into(try moved(to: outer.id, told: [bobsGrant])))
        let mode = try ada.grant(outer.id, to: bob, .admin, serial: 2)
        try await takes([
            ScopeChange(scope: outer.id, grants: [mode]),
            ScopeChange(scope: inner.id, grants: [mode]),
            ScopeChange(scope: deepest.id, grants: [mode]),
        ])
        let whole = try moved(to: other.id, epoch: 3, told: [], by: bob)
        try await refuses(whole + [ScopeChange(scope: outer.id, left: [inner.id])], by: bob)
        // Nor says so of one that stays.
        let still = try moved(to: outer.id, epoch: 3, told: [mode])
        try await refuses(into(still))
        try await refuses(into(try moved(to: outer.id, epoch: 3, told: [mode], by: bob)), by: bob)
    }
}
