import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// What no version names is looked for while others write, and deleted after that.
struct LooseRowsTests {
    let server: TestServer
    var ada: TestPerson

    init() async throws {
        server = try TestServer()
        ada = try await TestPerson.ada(at: server)
    }

    /// All that is staged by now may go.
    private func limits(batch: Int = 2_000) -> CollectionLimits {
        CollectionLimits(
            supersededBefore: 0,
            keptVersions: 20,
            stagedBefore: .max,
            replacedBefore: 0,
            batch: batch
        )
    }

    @Test mutating func `what is pushed after it was found stays`() async throws {
        let store = server.folder.store
        let words = [UInt8](repeating: 7, count: 100)
        let pushed = try ada.record(ada.file("a.md", blob: words))
        let left = try ada.record(ada.file("b.md"))
        try await ada.stage([pushed, left], blobs: [words], at: server)
        let limits = limits()
        let loose = try await store.read { try $0.loose(limits, after: LooseRows()) }
        #expect(loose.records.count == 2 && loose.blobs.count == 1 && !loose.more)

        let response = try await ada.push([pushed], inline: false, to: server)
        #expect(response.outcome == .accepted(Lockbook_V1_Accepted()))
        let collected = try await store.write { try $0.collect(loose, limits) }
        #expect(collected.rowCount == 1)
        #expect(try await ada.finds(words, at: server))
        #expect(try await ada.pull(after: nil, from: server).records.count == 2)
    }

    @Test mutating func `what is staged again after it was found stays`() async throws {
        let store = server.folder.store
        let record = try ada.record(ada.file("a.md"))
        try await ada.stage([record], at: server)
        var limits = limits()
        let loose = try await store.read { [limits] in
            try $0.loose(limits, after: LooseRows())
        }
        #expect(loose.records.count == 1)
        server.clock.advance(by: 10)
        limits.stagedBefore = server.clock.now
        try await ada.stage([record], at: server)
        let collected = try await store.write { [limits] in try $0.collect(loose, limits) }
        #expect(collected.rowCount == 0)
    }

    @Test mutating func `each is found once, a batch at a time`() async throws {
        let records = try (0..<5).map { try ada.record(ada.file("\($0).md")) }
        try await ada.stage(records, at: server)
        let limits = limits(batch: 2)
        var loose = LooseRows()
        var found: [RecordKey] = []
        var batches = 0
        repeat {
            loose = try await server.folder.store.read { [loose] in
                try $0.loose(limits, after: loose)
            }
            found += loose.records
            batches += 1
        } while loose.more
        #expect(found.count == 5 && Set(found).count == 5 && batches == 3)
    }

    /// Two thousand went in one transaction, in which nobody else could write.
    @Test func `contents go no more than four mebibytes at a time`() {
        var loose = LooseRows(
            records: (1...100).map { RecordKey(row: $0) },
            blobs: (1...200).map { BlobKey(row: $0) }
        )
        var limits = limits()
        var counts: [Int] = []
        while !loose.isEmpty { counts.append(loose.removeFirst(limits).blobs.count) }
        #expect(counts == [62, 62, 62, 14])
        #expect(limits.contentBatch * (64 << 10) <= 4 << 20)
        limits.batch = 1
        #expect(limits.contentBatch == 1)
    }

    @Test mutating func `unfinished uploads go in such parts, and all in the end`() async throws {
        let store = server.folder.store
        let id = ada.account
        try await store.write { store in
            let owner = try #require(try store.account(id: id)).key
            for number in 0..<70 as Range<UInt8> {
                let segment = Hash256(sha256: [number])
                let name = BlobName(length: 1, segments: [segment])
                let upload = StoredUpload(name: name, length: 1, segments: [segment])
                try store.insert(upload, of: owner, at: 0)
            }
        }
        let limits = limits()
        let counts = try await [
            store.write { try $0.collect(LooseRows(), limits) },
            store.write { try $0.collect(LooseRows(), limits) },
        ]
        #expect(counts.map(\.rowCount) == [62, 8] && counts.map(\.more) == [true, false])
    }
}
