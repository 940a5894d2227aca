import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

/// What a server shows to members and takes from them, and what it refuses clients without checks.
struct SharingTests: SharedTree {
    let server: TestServer
    var ada: TestPerson
    var bob: TestPerson
    var eve: TestPerson
    var pub: File
    var note: File
    var secret: File
    /// Ada's head once the folder is shared with bob, who may write.
    var head = LogHead(position: 0, hash: .zero)

    init() async throws {
        server = try TestServer()
        (ada, bob, eve) = try await TestPerson.three(at: server)
        pub = try ada.file("pub", type: .folder)
        note = try ada.file("note.md", in: pub.id)
        secret = try ada.file("secret.md")
        try await ada.push(
            [ada.record(pub), ada.record(note), ada.record(secret)],
            to: server
        )
        pub.scope = pub.id
        note.scope = pub.id
        head = try #require(try await share(with: bob, .write))
    }

    /// The entry that lets somebody in: the whole scope, a grant and a wrap.
    private mutating func share(with other: TestPerson, _ mode: ShareMode) async throws -> LogHead?
    {
        try await ada.push(
            [
                ScopeChange(
                    scope: pub.id,
                    records: [ada.record(pub), ada.record(note)],
                    grants: [ada.grant(pub.id, to: other, mode)],
                    wraps: [ada.wrap(pub.id, for: other)]
                )
            ],
            in: ada.account,
            after: head.position == 0 ? try #require(ada.head) : head,
            to: server
        )
    }

    @Test func `a member starts with the entry that lets him in, and sees whole scopes`()
        async throws
    {
        let (request, next) = try ada.entry(
            [ScopeChange(scope: ada.root, records: [try copy(secret, by: ada)])],
            in: ada.account,
            after: head
        )
        let _: Lockbook_V1_PushResponse = try await ada.send(request, to: .push, of: server)

        let update = try await bob.pull(after: nil, from: server, log: ada.account)

        #expect(update.entries.count == 2)
        #expect(update.headPosition == next.position)
        guard case .whole = update.entries[0].groups[0].content,
            case .hidden(let hidden) = update.entries[1].groups[0].content
        else {
            Issue.record("bob sees other groups")
            return
        }
        #expect(Array(hidden.prefix(16)) == ada.root.bytes)
        #expect(update.records.count == 2)
        let all = try await ada.pull(after: head, from: server)
        guard case .whole = all.entries[0].groups[0].content else {
            Issue.record("ada does not see all")
            return
        }
    }

    private func copy(_ file: File, by person: TestPerson) throws -> FileRecord {
        try record(file, by: person)
    }

    @Test func `who shares something is told of it, and a stranger is not let in`() async throws {
        let offers = try await offers(to: bob)
        #expect(offers == [Data(ada.certificate.bytes)])
        #expect(try await self.offers(to: eve) == [])
        await #expect(throws: Refused.notPermitted) {
            _ = try await eve.pull(after: nil, from: server, log: ada.account)
        }
        try await refuses(
            [ScopeChange(scope: pub.id, records: [record(note, by: eve)])],
            by: eve,
            .notPermitted
        )
        var stage = Lockbook_V1_StageRequest()
        stage.log = Data(ada.account.hash.bytes)
        await #expect(throws: Refused.notPermitted) {
            let _: Lockbook_V1_StageResponse = try await eve.send(stage, to: .stage, of: server)
        }
    }

    private func offers(to person: TestPerson) async throws -> [Data] {
        let answer: Lockbook_V1_PullResponse = try await person.send(
            Lockbook_V1_PullRequest(),
            to: .pull,
            of: server
        )
        return answer.offers
    }

    @Test func `a member with write changes what is inside, and nothing else`() async throws {
        let new = try ada.file("new.md", in: pub.id)
        var inside = new
        inside.scope = pub.id
        try await refuses(
            [ScopeChange(scope: ada.root, records: [record(secret, by: bob)])],
            by: bob
        )
        var renamed = pub
        renamed.name = try FileName("mine")
        try await refuses(
            [ScopeChange(scope: pub.id, records: [record(renamed, by: bob)])],
            by: bob
        )
        var dead = pub
        dead.isDeleted = true
        try await refuses([ScopeChange(scope: pub.id, records: [record(dead, by: bob)])], by: bob)
        var stolen = note
        stolen.scope = ada.root
        stolen.parent = ada.root
        try await refuses(
            [ScopeChange(scope: ada.root, records: [record(stolen, by: bob)])],
            by: bob
        )
        var link = try ada.file("link", in: pub.id, type: .link)
        link.scope = pub.id
        link.target = LinkTarget(owner: eve.account, file: note.id)
        try await refuses([ScopeChange(scope: pub.id, records: [record(link, by: bob)])], by: bob)
        try await refuses(
            [
                ScopeChange(
                    scope: pub.id,
                    records: [record(pub, by: bob), record(note, by: bob)],
                    grants: [bob.grant(pub.id, to: eve, .read, owner: ada.account)],
                    wraps: [ada.wrap(pub.id, for: eve)]
                )
            ],
            by: bob
        )

        #expect(
            try await bob.push(
                [ScopeChange(scope: pub.id, records: [record(inside, by: bob)])],
                in: ada.account,
                after: head,
                to: server
            ) != nil
        )
    }

    @Test mutating func `a member with read changes nothing`() async throws {
        head = try #require(try await share(with: eve, .read))

        try await refuses(
            [ScopeChange(scope: pub.id, records: [record(note, by: eve)])],
            by: eve,
            .notPermitted
        )
    }

    @Test mutating func `a share that is left half done is refused`() async throws {
        let whole = [try ada.record(pub), try ada.record(note)]
        let grant = try ada.grant(pub.id, to: eve, .read)
        let wrap = try ada.wrap(pub.id, for: eve)
        // No key, no state, a grant of another's file, a scope that was never shared.
        try await refuses([ScopeChange(scope: pub.id, records: whole, grants: [grant])], by: ada)
        try await refuses([ScopeChange(scope: pub.id, grants: [grant], wraps: [wrap])], by: ada)
        try await refuses(
            [ScopeChange(scope: ada.root, records: [record(secret, by: ada)], grants: [grant])],
            by: ada
        )
        var own = secret
        own.scope = own.id
        try await refuses([ScopeChange(scope: own.id, records: [record(own, by: ada)])], by: ada)
        // A wrap for who holds no grant, a serial that was used.
        try await refuses([ScopeChange(scope: pub.id, wraps: [wrap])], by: ada, .malformed)
        try await refuses(
            [ScopeChange(scope: pub.id, grants: [ada.grant(pub.id, to: bob, .read)])],
            by: ada
        )
    }

    @Test mutating func `who is removed is told so and sees nothing after`() async throws {
        let gone = try ada.grant(pub.id, to: bob, .none, serial: 2)
        // Without new keys for all of it there is no taking back.
        try await refuses([ScopeChange(scope: pub.id, grants: [gone])], by: ada)
        var newPub = pub
        newPub.epoch = 2
        var newNote = note
        newNote.parentEpoch = 2
        try await refuses(
            [ScopeChange(scope: pub.id, records: [ada.record(newPub)], grants: [gone])],
            by: ada
        )
        try await refuses(
            [
                ScopeChange(
                    scope: pub.id,
                    records: [ada.record(newPub), ada.record(newNote)],
                    grants: [gone]
                )
            ],
            by: ada
        )
        newNote.epoch = 2
        let removed = try #require(
            try await ada.push(
                [
                    ScopeChange(
                        scope: pub.id,
                        records: [ada.record(newPub), ada.record(newNote)],
                        grants: [gone]
                    )
                ],
                in: ada.account,
                after: head,
                to: server
            )
        )
        _ = try await ada.push(
            [ScopeChange(scope: pub.id, records: [record(newNote, by: ada)])],
            in: ada.account,
            after: removed,
            to: server
        )

        let update = try await bob.pull(after: head, from: server, log: ada.account)
        #expect(update.headPosition == removed.position)
        #expect(update.entries.count == 1)
        #expect(try await offers(to: bob) == [])
        await #expect(throws: Refused.notPermitted) {
            _ = try await bob.pull(after: nil, from: server, log: ada.account)
        }
    }

    @Test mutating func `a blob is read by who may read a record that names it`() async throws {
        let bytes = Array("ciphertext".utf8)
        let hidden = Array("other".utf8)
        var shown = try ada.file("shown.md", in: pub.id, blob: bytes)
        shown.scope = pub.id
        let secret = try ada.file("hidden.md", blob: hidden)
        try await ada.stage([], blobs: [bytes, hidden], at: server)
        _ = try await ada.push(
            [
                ScopeChange(scope: pub.id, records: [ada.record(shown)]),
                ScopeChange(scope: ada.root, records: [ada.record(secret)]),
            ],
            in: ada.account,
            after: head,
            to: server
        )
        var request = Lockbook_V1_BlobsRequest()
        request.log = Data(ada.account.hash.bytes)
        request.names = [bytes, hidden].map { Data(BlobName(of: $0).hash.bytes) }

        let answer: Lockbook_V1_BlobsResponse = try await bob.send(request, to: .blobs, of: server)

        #expect(answer.blobs.map { Array($0.content) } == [bytes])
        await #expect(throws: Refused.notPermitted) {
            let _: Lockbook_V1_BlobsResponse = try await eve.send(request, to: .blobs, of: server)
        }
    }

    @Test func `a certificate is given to who asks by name`() async throws {
        var request = Lockbook_V1_AccountRequest()
        request.username = "ada"
        let answer: Lockbook_V1_AccountResponse = try await bob.send(
            request,
            to: .account,
            of: server
        )
        #expect(answer.certificate == Data(ada.certificate.bytes))
        request.username = "nobody"
        await #expect(throws: Refused.notFound) {
            let _: Lockbook_V1_AccountResponse = try await bob.send(
                request,
                to: .account,
                of: server
            )
        }
    }
}
