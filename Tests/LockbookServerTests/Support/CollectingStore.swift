import LockbookCrypto
import LockbookModel
import Synchronization
import Testing

@testable import LockbookServer

/// A store in which, when a test says so, something is collected before each change.
final class CollectingStore: MetadataStore {
    private let store: SQLiteStore
    private let collects = Mutex(false)

    init(_ store: SQLiteStore) {
        self.store = store
    }

    var isCollecting: Bool {
        get { collects.withLock { $0 } }
        set { collects.withLock { $0 = newValue } }
    }

    func read<Value: Sendable>(_ body: @Sendable (any MetadataReading) throws -> Value)
        async throws -> Value
    {
        try await store.read(body)
    }

    func write<Value: Sendable>(_ body: @Sendable (any MetadataWriting) throws -> Value)
        async throws -> Value
    {
        if isCollecting {
            let count = try await store.write { try Self.collectSomething(in: $0) }
            #expect(count > 0)
        }
        return try await store.write(body)
    }

    /// - Returns: how many rows went.
    private static func collectSomething(in store: any MetadataWriting) throws -> Int {
        for account in try store.accounts() {
            let old = NewRecord(hash: .zero, bytes: [0])
            try store.insert([old], of: account.key, at: 0)
        }
        let limits = CollectionLimits(
            supersededBefore: 0,
            keptVersions: 20,
            stagedBefore: 1,
            replacedBefore: 0
        )
        return try store.collect(store.loose(limits, after: LooseRows()), limits).rowCount
    }

    func settle() async throws {
        try await store.settle()
    }

    func close() throws {
        try store.close()
    }
}

extension TestServer {
    static func withCollectingStore() throws -> (server: TestServer, store: CollectingStore) {
        var store: CollectingStore?
        let server = try TestServer(store: { real in
            let collecting = CollectingStore(real)
            store = collecting
            return collecting
        })
        return (server, try #require(store))
    }
}
