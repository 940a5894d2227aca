import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

struct PushTests {
    let server: TestServer
    var ada: TestPerson

    init() async throws {
        server = try TestServer()
        ada = try await TestPerson.ada(at: server)
    }

    @Test mutating func `what was pushed comes back in a pull, whole`() async throws {
        let folder = try ada.record(ada.file("notes", type: .folder))
        let blob = Array("ciphertext".utf8)
        let note = try ada.record(ada.file("a.md", in: folder.facts.id, blob: blob))
        let start = ada.head
        try await ada.push([folder, note], blobs: [blob], to: server)
        let update = try await ada.pull(after: start, from: server)
        #expect(update.entries.count == 1)
        #expect(Set(update.records) == [Data(folder.bytes), Data(note.bytes)])
        #expect(update.headPosition == 1)
        #expect(!update.more)
        let all = try await ada.pull(after: nil, from: server)
        #expect(all.entries.count == 2)
        #expect(all.entries.first?.certificate == Data(ada.certificate.bytes))
        #expect(all.records.count == 3)
        let nothing = try await ada.pull(after: ada.head, from: server)
        #expect(nothing.entries.isEmpty && nothing.headPosition == 1)
    }

    @Test mutating func `staged records and blobs need not come again`() async throws {
        let blob = Array("ciphertext".utf8)
        let note = try ada.record(ada.file("a.md", blob: blob))
        let first = try await ada.push([note], inline: false, to: server)
        #expect(first.missing.records == [Data(note.hash.bytes)])
        try await ada.stage([note], at: server)
        let second = try await ada.push([note], inline: false, to: server)
        #expect(second.missing.blobs == [Data(BlobName(of: blob).hash.bytes)])
        try await ada.stage([note], blobs: [blob], at: server)
        let third = try await ada.push([note], inline: false, to: server)
        #expect(third.outcome == .accepted(Lockbook_V1_Accepted()))
        var names = Lockbook_V1_BlobsRequest()
        names.names = [Data(BlobName(of: blob).hash.bytes)]
        let found: Lockbook_V1_BlobsResponse = try await ada.send(names, to: .blobs, of: server)
        #expect(found.blobs.map(\.content) == [Data(blob)])
    }

    @Test mutating func `the same push again is accepted and changes nothing`() async throws {
        let (request, head) = try ada.push([ada.record(ada.file("a.md"))])
        for _ in 0..<3 {
            let response: Lockbook_V1_PushResponse = try await ada.send(
                request,
                to: .push,
                of: server
            )
            #expect(response.outcome == .accepted(Lockbook_V1_Accepted()))
        }
        ada.head = head
        try await ada.push([ada.record(ada.file("b.md"))], to: server)
        let again: Lockbook_V1_PushResponse = try await ada.send(request, to: .push, of: server)
        #expect(again.outcome == .accepted(Lockbook_V1_Accepted()))
        #expect(try await ada.pull(after: nil, from: server).headPosition == 2)
    }

    @Test mutating func `who lost the race is told what is new`() async throws {
        var phone = ada
        phone.device = DeviceID(random: .system)
        try await ada.push([ada.record(ada.file("a.md"))], to: server)
        let note = try phone.record(phone.file("b.md"))
        let lost = try await phone.push([note], to: server)
        #expect(lost.moved.entries.count == 1)
        #expect(lost.moved.headPosition == 1)
        phone.head = ada.head
        #expect(
            try await phone.push([note], to: server).outcome
                == .accepted(Lockbook_V1_Accepted())
        )
    }

    @Test mutating func `of a page only the newest record of a file is sent`() async throws {
        let id = FileID(random: .system)
        let start = ada.head
        var newest: FileRecord?
        for name in ["a", "b", "c"] {
            let record = try ada.record(ada.file(name, id: id))
            try await ada.push([record], to: server)
            newest = record
        }
        let update = try await ada.pull(after: start, from: server)
        #expect(update.entries.count == 3)
        #expect(update.records == [newest.map { Data($0.bytes) }])
    }

    @Test mutating func `two names are swapped in one push`() async throws {
        let one = try ada.file("one")
        let two = try ada.file("two")
        try await ada.push([ada.record(one), ada.record(two)], to: server)
        let swapped = try [
            ada.record(ada.file("two", id: one.id)), ada.record(ada.file("one", id: two.id)),
        ]
        let response = try await ada.push(swapped, to: server)
        #expect(response.outcome == .accepted(Lockbook_V1_Accepted()))
    }

    @Test mutating func `the very record of an earlier version may come again`() async throws {
        let id = FileID(random: .system)
        let first = try ada.record(ada.file("a", id: id))
        try await ada.push([first], to: server)
        try await ada.push([ada.record(ada.file("b", id: id))], to: server)
        let response = try await ada.push([first], to: server)
        #expect(response.outcome == .accepted(Lockbook_V1_Accepted()))
        let update = try await ada.pull(after: nil, from: server)
        #expect(update.records.contains(Data(first.bytes)) && update.records.count == 2)
    }

    @Test mutating func `a device ahead of a restored server sees the head only`() async throws {
        let ahead = LogHead(position: 9, hash: Hash256(sha256: [1]))
        let update = try await ada.pull(after: ahead, from: server)
        #expect(update.entries.isEmpty && update.headPosition == 0)
        #expect(update.head == ada.head.map { Data($0.hash.bytes) })
        var other = ada
        other.head = LogHead(position: 0, hash: Hash256(sha256: [2]))
        let moved = try await other.push([other.record(other.file("a"))], to: server)
        #expect(moved.moved.entries.isEmpty && moved.moved.headPosition == 0)
    }

    @Test mutating func `another's log is neither read nor written`() async throws {
        var bob = try TestPerson("bob", seed: 2)
        try await bob.register(at: server)
        await #expect(throws: Refused.notPermitted) {
            try await bob.pull(after: nil, from: server, log: ada.account)
        }
        let (request, _) = try ada.push([ada.record(ada.file("a"))])
        await #expect(throws: Refused.notPermitted) {
            let _: Lockbook_V1_PushResponse = try await bob.send(request, to: .push, of: server)
        }
        let blob = Array("mine".utf8)
        try await ada.stage([], blobs: [blob], at: server)
        #expect(try await !bob.finds(blob, at: server))
        #expect(try await ada.finds(blob, at: server))
    }

    @Test mutating func `forged and torn pushes are refused`() async throws {
        let record = try ada.record(ada.file("a"))
        let (good, _) = try ada.push([record])
        let before = try await server.stateHash(of: ada)
        var flipped = good
        flipped.header[flipped.header.count - 1] ^= 1
        await expect(flipped, .notPermitted)
        var body = good
        body.groups = [Data(EntryGroup(scope: ada.root, records: []).bytes)]
        await expect(body, .malformed)
        var cut = good
        cut.header = cut.header.dropLast()
        await expect(cut, .malformed)
        var future = good
        future.header[0] = 2
        await expect(future, .updateNeeded)
        var blob = good
        blob.blobs = [Lockbook_V1_Blob(of: [1, 2, 3])]
        blob.blobs[0].content = Data([1, 2, 4])
        await expect(blob, .malformed)
        #expect(try await server.stateHash(of: ada) == before)
    }

    private func expect(_ request: Lockbook_V1_PushRequest, _ refused: Refused) async {
        await #expect(throws: refused) {
            let _: Lockbook_V1_PushResponse = try await ada.send(request, to: .push, of: server)
        }
    }
}
