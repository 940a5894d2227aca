import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf
import Testing

@testable import LockbookServer

/// A member who names contents that he may not read, or that are gone, to be given them.
struct ForeignContentTests {
    let server: TestServer
    var ada: TestPerson
    var bob: TestPerson
    var pub: File
    let secret = [UInt8](repeating: 7, count: 100)
    var head = LogHead(position: 0, hash: .zero)

    /// Ada has a document of her own with a content, and a folder in which bob may write.
    init() async throws {
        server = try TestServer()
        ada = try TestPerson("ada", seed: 1)
        bob = try TestPerson("bob", seed: 2)
        try await ada.register(at: server)
        try await bob.register(at: server)
        pub = try ada.file("pub", type: .folder)
        try await ada.push(
            [ada.record(pub), ada.record(ada.file("secret.md", blob: secret))],
            blobs: [secret],
            to: server
        )
        pub.scope = pub.id
        let head = try await ada.push(
            [
                ScopeChange(
                    scope: pub.id,
                    records: [ada.record(pub)],
                    grants: [ada.grant(pub.id, to: bob, .write)],
                    wraps: [ada.wrap(pub.id, for: bob)]
                )
            ],
            in: ada.account,
            after: try #require(ada.head),
            to: server
        )
        self.head = try #require(head)
        bob.folders = ada.folders
    }

    /// What a push of bob's is answered with: a document in the folder, naming a content.
    private mutating func name(_ blob: [UInt8], as id: FileID, sending sent: [[UInt8]] = [])
        async throws -> Lockbook_V1_PushResponse
    {
        var file = try ada.file("his.md", in: pub.id, id: id, blob: blob)
        (file.scope, file.author, file.device) = (pub.id, bob.account, bob.device)
        let record = try bob.record(file, owner: ada.account)
        var (request, next) = try bob.entry(
            [ScopeChange(scope: pub.id, records: [record])],
            in: ada.account,
            after: head
        )
        request.blobs = sent.map { bytes in
            .with {
                $0.name = Data(BlobName(of: bytes).hash.bytes)
                $0.content = Data(bytes)
            }
        }
        let answer: Lockbook_V1_PushResponse = try await bob.send(request, to: .push, of: server)
        if case .accepted = answer.outcome { head = next }
        return answer
    }

    private func gets(_ blob: [UInt8]) async throws -> Bool {
        let request = Lockbook_V1_BlobsRequest.with {
            $0.log = Data(ada.account.hash.bytes)
            $0.names = [Data(BlobName(of: blob).hash.bytes)]
        }
        let answer: Lockbook_V1_BlobsResponse = try await bob.send(request, to: .blobs, of: server)
        return !answer.blobs.isEmpty
    }

    @Test mutating func `is asked for the bytes of what he may not read`() async throws {
        let answer = try await name(secret, as: FileID(random: .system))
        #expect(answer.missing.blobs == [Data(BlobName(of: secret).hash.bytes)])
        #expect(try await !gets(secret))
        // What is his own is taken.
        let own = [UInt8](repeating: 8, count: 100)
        let taken = try await name(own, as: FileID(random: .system), sending: [own])
        #expect(taken.outcome == .accepted(Lockbook_V1_Accepted()))
        #expect(try await gets(own))
    }

    @Test func `makes no more work by asking for one again and again`() async throws {
        let (owner, member, name) = (ada.account, bob.account, BlobName(of: secret))
        let (gets, count) = try await server.folder.store.read { store in
            let account = try store.requireAccount(owner)
            let blob = try #require(try store.blobs([name], of: account.key).first ?? nil)
            var reader = try BlobReader(member, of: account, in: store)
            var gets = false
            for _ in 0..<3 {
                gets = try reader.mayHave(blob) || reader.mayName(blob)
            }
            return (gets, reader.lookUpCount)
        }
        #expect(!gets && count == 1)
    }

    @Test mutating func `is given nothing by the name of a file that no row has`() async throws {
        let left = [UInt8](repeating: 6, count: 100_000)
        try server.folder.blobs.put([(BlobName(of: left), left)], of: ada.account)
        let names = [Data(BlobName(of: left).hash.bytes)]
        let answer = try await name(left, as: FileID(random: .system))
        #expect(answer.missing.blobs == names)
        // Neither of hers nor as his own.
        for log in [Data(ada.account.hash.bytes), Data()] {
            let question = Lockbook_V1_MissingRequest.with {
                $0.log = log
                $0.blobs = names
            }
            let missing: Lockbook_V1_MissingResponse = try await bob.send(
                question,
                to: .missing,
                of: server
            )
            #expect(missing.blobs == names)
        }
        #expect(try await !gets(left))
        // Who owns it has it.
        #expect(try await ada.finds(left, at: server))
    }

    @Test mutating func `does not bring back what was purged`() async throws {
        let (id, words) = (FileID(random: .system), [UInt8](repeating: 9, count: 100))
        _ = try await name(words, as: id, sending: [words])
        #expect(try await gets(words))
        let group = EntryGroup(scope: pub.id, records: [], purged: [id])
        let header = try EntryHeader(
            log: ada.account,
            position: head.position + 1,
            previous: head.hash,
            author: ada.account,
            device: ada.device,
            bodyHash: EntryBody(groups: [.whole(group.bytes)], scopes: [pub.id]).hash,
            created: Timestamp(milliseconds: 9),
            signedBy: ada.keys.signing
        )
        let purge = Lockbook_V1_PushRequest.with {
            $0.header = Data(header.bytes)
            $0.groups = [Data(group.bytes)]
        }
        let purged: Lockbook_V1_PushResponse = try await ada.send(purge, to: .push, of: server)
        #expect(purged.outcome == .accepted(Lockbook_V1_Accepted()))
        head = LogHead(header)
        #expect(try await !gets(words))

        await #expect(throws: Refused.violation) {
            var this = self
            _ = try await this.name(words, as: id)
        }
        let other = FileID(random: .system)
        let answer = try await name(words, as: other)
        #expect(answer.missing.blobs == [Data(BlobName(of: words).hash.bytes)])
        #expect(try await !gets(words))
        let sent = try await name(words, as: other, sending: [words])
        #expect(sent.outcome == .accepted(Lockbook_V1_Accepted()))
        #expect(try await gets(words))
    }
}
