import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

/// What a server takes from an admin of somebody else's share, and what not.
struct AdminSharingTests: SharedTree {
    let server: TestServer
    var ada: TestPerson
    let bob: TestPerson
    let eve: TestPerson
    var pub: File
    var note: File
    var secret: File
    /// Ada's head once the folder is shared with bob, who is its admin.
    var head: LogHead

    init() async throws {
        server = try TestServer()
        let (owner, bob, eve) = try await TestPerson.three(at: server)
        var ada = owner
        pub = try ada.file("pub", type: .folder)
        note = try ada.file("note.md", in: pub.id)
        secret = try ada.file("secret.md")
        _ = try await ada.push(
            [ada.record(pub), ada.record(note), ada.record(secret)],
            to: server
        )
        pub.scope = pub.id
        note.scope = pub.id
        let first = try #require(ada.head)
        head = try #require(
            try await ada.push(
                [
                    ScopeChange(
                        scope: pub.id,
                        records: [ada.record(pub), ada.record(note)],
                        grants: [ada.grant(pub.id, to: bob, .admin)],
                        wraps: [ada.wrap(pub.id, for: bob)]
                    )
                ],
                in: ada.account,
                after: first,
                to: server
            )
        )
        (self.ada, self.bob, self.eve) = (ada, bob, eve)
    }

    private func push(_ change: ScopeChange, by person: TestPerson? = nil) async throws -> LogHead {
        try #require(
            try await (person ?? bob).push([change], in: ada.account, after: head, to: server)
        )
    }

    private func refuses(
        _ change: ScopeChange,
        by person: TestPerson? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await refuses([change], by: person ?? bob, sourceLocation: sourceLocation)
    }

    private func whole(by person: TestPerson, epoch: UInt32 = 1) throws -> [FileRecord] {
        var (folder, inside) = (pub, note)
        folder.epoch = epoch
        inside.epoch = epoch
        inside.parentEpoch = epoch
        return [try record(folder, by: person), try record(inside, by: person)]
    }

    private func inviting(_ mode: ShareMode, by person: TestPerson) throws -> ScopeChange {
        ScopeChange(
            scope: pub.id,
            records: try whole(by: person),
            grants: [try person.grant(pub.id, to: eve, mode, owner: ada.account)],
            wraps: [try ada.wrap(pub.id, for: eve)]
        )
    }

    @Test mutating func `an admin lets others in, and changes what they may do`() async throws {
        try await refuses(try inviting(.admin, by: bob))
        // Signed by somebody else than who brings it.
        var foreign = try inviting(.read, by: bob)
        foreign.grants = [try eve.grant(pub.id, to: eve, .read, owner: ada.account)]
        try await refuses(foreign)
        foreign.grants = [try ada.grant(pub.id, to: eve, .read)]
        try await refuses(foreign)
        head = try await push(try inviting(.read, by: bob))
        let write = try bob.grant(pub.id, to: eve, .write, serial: 2, owner: ada.account)
        head = try await push(ScopeChange(scope: pub.id, grants: [write]))
        // Who may write is no admin.
        let own = try eve.grant(pub.id, to: eve, .read, serial: 3, owner: ada.account)
        try await refuses(ScopeChange(scope: pub.id, grants: [own]), by: eve)
        let higher = try bob.grant(pub.id, to: eve, .admin, serial: 3, owner: ada.account)
        try await refuses(ScopeChange(scope: pub.id, grants: [higher]))
    }

    @Test func `in each group of an entry that is not the owner's something is changed`()
        async throws
    {
        let change = ScopeChange(scope: pub.id, records: [try record(note, by: bob)])
        try await refuses([change, ScopeChange(scope: ada.root)], by: bob)
        try await refuses([change, ScopeChange(scope: secret.id)], by: bob)
        #expect(try await bob.push([change], in: ada.account, after: head, to: server) != nil)
    }

    @Test mutating func `an admin does not use up all that the owner may offer`() async throws {
        var people: [TestPerson] = []
        for number in 0..<34 {
            var person = try TestPerson("person\(number)", seed: UInt8(100 + number))
            try await person.register(at: server)
            people.append(person)
        }
        func inviting(_ people: some Sequence<TestPerson>, by person: TestPerson) throws
            -> ScopeChange
        {
            ScopeChange(
                scope: pub.id,
                records: try whole(by: person),
                grants: try people.map {
                    try person.grant(pub.id, to: $0, .read, owner: ada.account)
                },
                wraps: try people.map { try ada.wrap(pub.id, for: $0) }
            )
        }
        // Bob has answered nothing, either.
        head = try await push(try inviting(people[..<31], by: bob))
        await #expect(throws: Refused.tooLarge) {
            _ = try await push(try inviting([people[31]], by: bob))
        }
        head = try await push(try inviting(people[32...], by: ada), by: ada)
        await #expect(throws: Refused.tooLarge) {
            _ = try await push(try inviting([people[31]], by: bob))
        }
    }

    @Test func `an admin does nothing to the owner, nor outside of the share`() async throws {
        try await refuses(
            ScopeChange(
                scope: pub.id,
                records: try whole(by: bob),
                grants: [try bob.grant(pub.id, to: ada, .read, owner: ada.account)],
                wraps: [try ada.wrap(pub.id, for: ada)]
            )
        )
        var own = secret
        own.scope = own.id
        try await refuses(
            ScopeChange(
                scope: own.id,
                records: [try record(own, by: bob)],
                grants: [try bob.grant(own.id, to: eve, .read, owner: ada.account)],
                wraps: [try ada.wrap(own.id, for: eve)]
            )
        )
        // A share of his own inside of it is the owner's to make, too.
        var part = note
        part.scope = part.id
        try await refuses(
            ScopeChange(
                scope: part.id,
                records: [try record(part, by: bob)],
                grants: [try bob.grant(part.id, to: eve, .read, owner: ada.account)],
                wraps: [try ada.wrap(part.id, for: eve)]
            )
        )
        var moved = pub
        moved.name = try FileName("mine")
        try await refuses(ScopeChange(scope: pub.id, records: [try record(moved, by: bob)]))
        var dead = pub
        dead.isDeleted = true
        try await refuses(ScopeChange(scope: pub.id, records: [try record(dead, by: bob)]))
    }

    @Test mutating func `an admin takes back with new keys, and the owner is given them`()
        async throws
    {
        head = try await push(try inviting(.write, by: bob))
        let gone = try bob.grant(pub.id, to: eve, .none, serial: 2, owner: ada.account)
        var change = ScopeChange(scope: pub.id, records: try whole(by: bob), grants: [gone])
        try await refuses(change)
        change.records = try whole(by: bob, epoch: 2)
        change.wraps = [try ada.wrap(pub.id, for: bob, epoch: 2)]
        try await refuses(change)
        change.wraps = [try ada.wrap(pub.id, for: ada, epoch: 2)]
        try await refuses(change)
        change.wraps += [try ada.wrap(pub.id, for: bob, epoch: 2)]
        try await refuses(change, by: eve)
        head = try await push(change)
        await #expect(throws: Refused.notPermitted) {
            _ = try await eve.push(
                [ScopeChange(scope: pub.id, records: [record(note, by: eve)])],
                in: ada.account,
                after: head,
                to: server
            )
        }
    }

    @Test mutating func `of two admins who remove each other the first one wins`() async throws {
        head = try #require(
            try await ada.push(
                [
                    ScopeChange(
                        scope: pub.id,
                        records: [ada.record(pub), ada.record(note)],
                        grants: [ada.grant(pub.id, to: eve, .admin)],
                        wraps: [ada.wrap(pub.id, for: eve)]
                    )
                ],
                in: ada.account,
                after: head,
                to: server
            )
        )
        head = try await push(
            ScopeChange(
                scope: pub.id,
                records: try whole(by: bob, epoch: 2),
                grants: [try bob.grant(pub.id, to: eve, .none, serial: 2, owner: ada.account)],
                wraps: [
                    try ada.wrap(pub.id, for: ada, epoch: 2),
                    try ada.wrap(pub.id, for: bob, epoch: 2),
                ]
            )
        )
        await #expect(throws: Refused.notPermitted) {
            _ = try await push(
                ScopeChange(
                    scope: pub.id,
                    records: try whole(by: eve, epoch: 3),
                    grants: [try eve.grant(pub.id, to: bob, .none, serial: 2, owner: ada.account)],
                    wraps: [try ada.wrap(pub.id, for: ada, epoch: 3)]
                ),
                by: eve
            )
        }
    }

    @Test mutating func `an admin calls nobody by another name, and leaves serials to others`()
        async throws
    {
        let letIn = ScopeChange(
            scope: pub.id,
            records: try whole(by: bob),
            grants: [try bob.grant(pub.id, to: eve, .read, owner: ada.account)],
            wraps: [try ada.wrap(pub.id, for: eve)]
        )
        for name in ["ada", "bob", "nobody"] {
            var change = letIn
            change.grants = [
                try bob.grant(
                    pub.id,
                    to: eve,
                    .read,
                    owner: ada.account,
                    named: Username(name)
                )
            ]
            await #expect(throws: Refused.notPermitted) { _ = try await push(change) }
        }
        head = try await push(letIn)
        for serial in [2 + Grant.maximumSerialStep, .max] {
            let grant = try bob.grant(
                pub.id,
                to: eve,
                .write,
                serial: serial,
                owner: ada.account
            )
            try await refuses(ScopeChange(scope: pub.id, grants: [grant]))
        }
        let next = try bob.grant(pub.id, to: eve, .write, serial: 2, owner: ada.account)
        head = try await push(ScopeChange(scope: pub.id, grants: [next]))
    }
}
