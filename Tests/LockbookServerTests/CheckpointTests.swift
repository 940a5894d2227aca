import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import Testing

struct CheckpointTests {
    let server: TestServer
    var ada: TestPerson
    var state: [FileID: Hash256] = [:]

    init() async throws {
        server = try TestServer(keptVersions: 0)
        ada = try TestPerson("ada", seed: 1)
        let registration = try await ada.register(at: server)
        state[ada.root] = try FileRecord(Array(registration.rootRecord)).hash
    }

    private mutating func push(_ file: File, blobs: [[UInt8]] = []) async throws {
        let record = try ada.record(file)
        try await ada.push([record], blobs: blobs, to: server)
        state[file.id] = record.hash
    }

    private func checkpoint(
        of state: [FileID: Hash256],
        at head: LogHead,
        by person: TestPerson
    ) throws -> Checkpoint {
        let records = state.map { RecordReference(file: $0.key, hash: $0.value) }.sorted()
        return try Checkpoint(
            log: ada.account,
            head: head,
            scopes: [ScopeDigest(scope: ada.root, sortedRecords: records)],
            author: person.account,
            device: person.device,
            created: Timestamp(milliseconds: 3),
            signedBy: person.keys.signing
        )
    }

    private func send(_ checkpoint: Checkpoint) async throws {
        var request = Lockbook_V1_CheckpointRequest()
        request.checkpoint = Data(checkpoint.bytes)
        let _: Lockbook_V1_CheckpointResponse = try await ada.send(
            request,
            to: .checkpoint,
            of: server
        )
    }

    /// The same checkpoint with fields of a later format.
    private func extended(_ checkpoint: Checkpoint, by byteCount: Int) throws -> Checkpoint {
        var encoder = CanonicalEncoder()
        // In the place of an empty one, and of the signature behind it.
        encoder.append(fixed: checkpoint.bytes.dropLast(4 + 64))
        encoder.append(counted: [UInt8](repeating: 7, count: byteCount))
        encoder.append(fixed: try ada.keys.signing.sign(encoder.bytes, for: .checkpoint))
        return try Checkpoint(encoder.bytes)
    }

    @Test mutating func `what a later format adds to one is short`() async throws {
        try await push(ada.file("a.md"))
        let made = try checkpoint(of: state, at: head(), by: ada)
        let most = Wire.maximumExtensionByteCount
        await #expect(throws: Refused.tooLarge) {
            try await send(extended(made, by: most + 1))
        }
        try await send(extended(made, by: most))
        let page = try await ada.pull(after: nil, from: server).checkpoint
        #expect(page.checkpoint.count == made.bytes.count + most)
    }

    private func head() throws -> LogHead { try #require(ada.head) }

    @Test mutating func `a new device starts from the checkpoint`() async throws {
        let kept = try ada.file("kept.md")
        let changed = try ada.file("changed.md")
        try await push(kept)
        try await push(changed)
        let made = try checkpoint(of: state, at: head(), by: ada)
        let before = state
        try await push(ada.file("changed again.md", id: changed.id))
        try await send(made)
        try await send(made)

        let first = try await ada.pull(after: nil, from: server)
        let page = first.checkpoint
        #expect(Array(page.checkpoint) == made.bytes)
        #expect(Array(page.certificate) == ada.certificate.bytes)
        #expect(page.headers.count == 3)
        #expect(page.complete && first.more && first.entries.isEmpty)
        #expect(page.items.map { Array($0.file) } == before.keys.sorted().map(\.bytes))
        for item in page.items {
            let file = try #require(FileID(item.file))
            #expect(Hash256(item.recordHash) == before[file])
            // That of the changed file too: it opens what was sealed below it.
            #expect(try FileRecord(Array(item.record)).hash == before[file])
        }
        let rest = try await ada.pull(after: made.head, from: server)
        #expect(rest.entries.count == 1 && rest.records.count == 1 && !rest.more)
        #expect(!rest.hasCheckpoint)
    }

    @Test mutating func `pages of a checkpoint follow one another`() async throws {
        for number in 0..<3 {
            var records: [FileRecord] = []
            for index in 0..<400 {
                var file = try ada.file("\(number)-\(index)")
                file.bodyExtension = [UInt8](repeating: 1, count: 14_000)
                let record = try ada.record(file)
                records.append(record)
                state[file.id] = record.hash
            }
            try await ada.push(records, to: server)
        }
        let made = try checkpoint(of: state, at: head(), by: ada)
        try await send(made)
        var items: [Lockbook_V1_CheckpointItem] = []
        var headers = 0
        var pages = 0
        var cursor: Lockbook_V1_CheckpointCursor?
        while true {
            let page = try await ada.pull(after: nil, cursor: cursor, from: server).checkpoint
            items += page.items
            headers += page.headers.count
            pages += 1
            cursor = page.next
            if page.complete || pages > 10 { break }
        }
        #expect(pages == 3)
        #expect(headers == 4)
        #expect(items.map { Array($0.file) } == state.keys.sorted().map(\.bytes))
    }

    @Test mutating func `pages of a checkpoint are as small as is asked for`() async throws {
        for number in 0..<5 { try await push(ada.file("\(number)")) }
        let made = try checkpoint(of: state, at: head(), by: ada)
        try await send(made)
        for most in [1, 1_000] as [UInt32] {
            var items: [Lockbook_V1_CheckpointItem] = []
            var positions: [UInt64] = []
            var pages = 0
            var cursor: Lockbook_V1_CheckpointCursor?
            while true {
                let page = try await ada.pull(
                    after: nil,
                    cursor: cursor,
                    from: server,
                    pageByteCount: most
                ).checkpoint
                #expect(page.headers.count <= 4)
                #expect(page.items.count <= 2)
                items += page.items
                positions += try page.headers.map { try EntryHeader(Array($0)).position }
                pages += 1
                cursor = page.next
                if page.complete || pages > 10 { break }
            }
            #expect(pages > 3)
            #expect(positions == Array(0...5))
            #expect(items.map { Array($0.file) } == state.keys.sorted().map(\.bytes))
        }
    }

    @Test mutating func `a checkpoint that is not our state is refused`() async throws {
        try await push(ada.file("a"))
        var wrong = state
        wrong[ada.root] = .zero
        await #expect(throws: Refused.malformed) {
            try await send(checkpoint(of: wrong, at: head(), by: ada))
        }
        await #expect(throws: Refused.malformed) {
            try await send(
                checkpoint(of: state, at: LogHead(position: 1, hash: .zero), by: ada)
            )
        }
        let bob = try TestPerson("bob", seed: 2)
        await #expect(throws: Refused.notPermitted) {
            try await send(checkpoint(of: state, at: head(), by: bob))
        }
        var unsigned = try checkpoint(of: state, at: head(), by: ada).bytes
        unsigned[unsigned.count - 1] ^= 1
        await #expect(throws: Refused.notPermitted) { try await send(Checkpoint(unsigned)) }
    }

    @Test mutating func `of many checkpoints of one day the last nine are kept`() async throws {
        for number in 0..<12 {
            try await push(ada.file("\(number)"))
            try await send(checkpoint(of: state, at: head(), by: ada))
        }
        let account = ada.account
        let kept = try await server.folder.store.read { store -> [UInt64] in
            guard let key = try store.account(id: account)?.key else { return [] }
            return try (0...12 as ClosedRange<UInt64>).filter {
                try store.checkpoint(at: $0, of: key) != nil
            }
        }
        #expect(kept == Array(4...12))
    }

    // MARK: Collection

    @Test mutating func `old contents go after the retention, behind a checkpoint`() async throws {
        let id = FileID(random: .system)
        let small = [UInt8](repeating: 1, count: 100)
        let file = [UInt8](repeating: 2, count: 100_000)
        let current = [UInt8](repeating: 3, count: 100)
        try await push(ada.file("a", id: id, blob: small), blobs: [small])
        try await push(ada.file("a", id: id, blob: file), blobs: [file])
        try await push(ada.file("a", id: id, blob: current), blobs: [current])
        server.clock.advance(by: 91 * 86_400)
        try await server.server.collect()
        #expect(try await ada.finds(small, at: server), "there is no checkpoint to start from")
        try await send(checkpoint(of: state, at: head(), by: ada))
        try await server.server.collect()
        #expect(try await !ada.finds(small, at: server))
        #expect(try await !ada.finds(file, at: server))
        #expect(try await ada.finds(current, at: server))
        let names = FileManager.default.enumerator(atPath: server.path + "/blobs")?
            .compactMap { ($0 as? String)?.split(separator: "/").last }
        #expect(names?.contains { $0 == BlobName(of: file).description } == false)
        let first = try #require(try await start())
        let page = try await ada.pull(after: LogHead(position: 0, hash: first), from: server)
        #expect(page.checkpoint.complete && page.checkpoint.headers.count == 3)
    }

    private func start() async throws -> Hash256? {
        let account = ada.account
        return try await server.folder.store.read { store in
            guard let key = try store.account(id: account)?.key else { return nil }
            return try store.entry(0, of: key)?.hash
        }
    }

    @Test mutating func `what a deleted file held stays for the retention time`() async throws {
        let id = FileID(random: .system)
        let blob = [UInt8](repeating: 1, count: 100)
        try await push(ada.file("a", id: id, blob: blob), blobs: [blob])
        try await push(ada.file("a", id: id, isDeleted: true))
        try await send(checkpoint(of: state, at: head(), by: ada))
        server.clock.advance(by: 89 * 86_400)
        try await server.server.collect()
        #expect(try await ada.finds(blob, at: server))
        server.clock.advance(by: 2 * 86_400)
        try await server.server.collect()
        #expect(try await !ada.finds(blob, at: server))
    }

    @Test mutating func `what was staged and never pushed goes after two days`() async throws {
        let blob = [UInt8](repeating: 1, count: 100)
        let record = try ada.record(ada.file("a", blob: blob))
        try await ada.stage([record], blobs: [blob], at: server)
        server.clock.advance(by: 47 * 3_600)
        try await server.server.collect()
        #expect(try await ada.finds(blob, at: server))
        try await ada.stage([record], blobs: [blob], at: server)
        server.clock.advance(by: 47 * 3_600)
        try await server.server.collect()
        #expect(try await ada.finds(blob, at: server), "staging again begins the time again")
        server.clock.advance(by: 2 * 3_600)
        try await server.server.collect()
        #expect(try await !ada.finds(blob, at: server))
        let response = try await ada.push([record], inline: false, to: server)
        #expect(response.missing.records.count == 1)
    }
}
