import LockbookServer
import Synchronization

/// A store whose disk is full when a test says so.
final class FullStore: MetadataStore {
    private let store: SQLiteStore
    private let full = Mutex(false)

    init(_ store: SQLiteStore) {
        self.store = store
    }

    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    func read<Value: Sendable>(_ body: @Sendable (any MetadataReading) throws -> Value)
        async throws -> Value
    {
        try await store.read(body)
    }

    func write<Value: Sendable>(_ body: @Sendable (any MetadataWriting) throws -> Value)
        async throws -> Value
    {
        guard !isFull else { throw StoreFailure.full }
        return try await store.write(body)
    }

    func close() throws {
        try store.close()
    }
}
