import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// What the server tells of earlier versions, and how long it keeps them.
struct HistoryTests {
    let server: TestServer
    var ada: TestPerson

    init() async throws {
        server = try TestServer(keptVersions: 3)
        ada = try await TestPerson.ada(at: server)
    }

    private func ask(_ files: [FileID], before: UInt64 = 0, limit: UInt32 = 100) async throws
        -> Lockbook_V1_HistoryResponse
    {
        try await ada.send(
            Lockbook_V1_HistoryRequest.with {
                $0.files = files.map { Data($0.bytes) }
                $0.before = before
                $0.limit = limit
            },
            to: .history,
            of: server
        )
    }

    private mutating func write(_ id: FileID, _ text: String) async throws {
        let blob = Array(text.utf8)
        try await ada.push(
            [ada.record(ada.file("a", id: id, blob: blob))],
            blobs: [blob],
            to: server
        )
    }

    @Test mutating func `versions come the newest first, with the entries that list them`()
        async throws
    {
        let (id, other) = (FileID(random: .system), try ada.file("b"))
        try await write(id, "one")
        try await ada.push([ada.record(other)], to: server)
        try await write(id, "two")
        let all = try await ask([id])
        #expect(all.versions.map(\.position) == [3, 1] && !all.more)
        for version in all.versions {
            let record = try FileRecord(Array(version.record))
            #expect(record.facts.id == id)
            let entry = try #require(
                all.entries.first {
                    (try? EntryHeader(Array($0.header)).position) == version.position
                }
            )
            let listed = try EntryGroup(Array(try #require(entry.groups.first))).records
            #expect(listed == [RecordReference(file: id, hash: record.hash)])
        }
        let first = try await ask([id], limit: 1)
        #expect(first.versions.map(\.position) == [3] && first.more)
        #expect(try await ask([id], before: 3).versions.map(\.position) == [1])
        #expect(try await ask([id, other.id], limit: 2).versions.map(\.position) == [3, 2])
        #expect(try await ask([FileID(random: .system)]).versions.isEmpty)
        await #expect(throws: Refused.malformed) {
            let _: Lockbook_V1_HistoryResponse = try await ada.send(
                Lockbook_V1_HistoryRequest.with { $0.files = [Data([1, 2])] },
                to: .history,
                of: server
            )
        }
    }

    @Test mutating func `of many files the newest versions come, whatever order they stand in`()
        async throws
    {
        let files = (0..<12).map { _ in FileID(random: .system) }
        for round in 0..<2 {
            for (number, id) in files.enumerated() {
                let blob = Array("\(round)".utf8)
                try await ada.push(
                    [ada.record(ada.file("\(number)", id: id, blob: blob))],
                    blobs: [blob],
                    to: server
                )
            }
        }
        for files in [files, files.reversed()] {
            let newest = try await ask(files, limit: 2)
            #expect(newest.versions.map(\.position) == [24, 23] && newest.more)
            let earlier = try await ask(files, before: 14, limit: 3)
            #expect(earlier.versions.map(\.position) == [13, 12, 11] && earlier.more)
            let all = try await ask(files)
            #expect(all.versions.map(\.position) == (1...24).reversed() && !all.more)
        }
        let others = try (0..<12).map { try ada.file("other \($0)") }
        try await ada.push(others.map { try ada.record($0) }, to: server)
        let together = try await ask(others.map(\.id), limit: 2)
        #expect(together.versions.map(\.position) == [25, 25] && together.more)
    }

    @Test mutating func `another account learns nothing`() async throws {
        let id = FileID(random: .system)
        try await write(id, "one")
        var bob = try TestPerson("bob", seed: 2)
        try await bob.register(at: server)
        let answer: Lockbook_V1_HistoryResponse = try await bob.send(
            Lockbook_V1_HistoryRequest.with {
                $0.files = [Data(id.bytes)]
                $0.limit = 9
            },
            to: .history,
            of: server
        )
        #expect(answer.versions.isEmpty && answer.entries.isEmpty)
    }

    @Test mutating func `the newest versions stay however old, those of what is deleted do not`()
        async throws
    {
        let (id, dead) = (FileID(random: .system), FileID(random: .system))
        for number in 1...5 { try await write(id, "version \(number)") }
        let blob = Array("held".utf8)
        try await ada.push(
            [ada.record(ada.file("d", id: dead, blob: blob))],
            blobs: [blob],
            to: server
        )
        try await ada.push([ada.record(ada.file("d", id: dead, isDeleted: true))], to: server)
        let account = ada.account
        let head = try #require(ada.head)
        let items = try await server.folder.store.read { store in
            guard let account = try store.account(id: account) else { return [StateItem]() }
            return try store.state(of: account.key, at: 7, after: nil, limit: 9)
        }
        let checkpoint = try Checkpoint(
            log: ada.account,
            head: head,
            scopes: [
                ScopeDigest(
                    scope: ada.root,
                    sortedRecords: items.map { RecordReference(file: $0.file, hash: $0.recordHash) }
                )
            ],
            author: ada.account,
            device: ada.device,
            created: Timestamp(milliseconds: 3),
            signedBy: ada.keys.signing
        )
        let _: Lockbook_V1_CheckpointResponse = try await ada.send(
            Lockbook_V1_CheckpointRequest.with { $0.checkpoint = Data(checkpoint.bytes) },
            to: .checkpoint,
            of: server
        )
        server.clock.advance(by: 91 * 86_400)
        try await server.server.collect()
        let kept = try await ask([id, dead])
        #expect(kept.versions.map(\.position) == [7, 5, 4, 3])
        // The groups of entries that old are gone, so nothing is proved any more.
        #expect(!kept.entries.contains { !$0.groups.isEmpty })
        var names = Lockbook_V1_MissingRequest()
        let texts = (1...5).map { Array("version \($0)".utf8) } + [blob]
        names.blobs = texts.map { Data(BlobName(of: $0).hash.bytes) }
        let missing: Lockbook_V1_MissingResponse = try await ada.send(
            names,
            to: .missing,
            of: server
        )
        #expect(Set(missing.blobs) == Set([0, 1, 5].map { names.blobs[$0] }))
    }
}
