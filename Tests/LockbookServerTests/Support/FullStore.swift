import LockbookServer
import Synchronization
import Testing

/// A store whose disk is full when a test says so.
final class FullStore: MetadataStore {
    private let store: SQLiteStore
    private let left = Mutex<Int?>(nil)
    private let failures = Mutex(0)
    private let rows = Mutex<Int?>(nil)

    init(_ store: SQLiteStore) {
        self.store = store
    }

    /// How many changes there is room for; nil for any number.
    var writesLeft: Int? {
        get { left.withLock { $0 } }
        set { left.withLock { $0 = newValue } }
    }

    /// How many of the next changes find no room.
    var failuresLeft: Int {
        get { failures.withLock { $0 } }
        set { failures.withLock { $0 = newValue } }
    }

    /// How many rows a collection may delete in one change; nil for any number.
    var mostRows: Int? {
        get { rows.withLock { $0 } }
        set { rows.withLock { $0 = newValue } }
    }

    var isFull: Bool {
        get { writesLeft == 0 }
        set { writesLeft = newValue ? 0 : nil }
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
        guard failuresLeft == 0 else {
            failuresLeft -= 1
            throw StoreFailure.full
        }
        writesLeft = writesLeft.map { $0 - 1 }
        let most = mostRows ?? .max
        return try await store.write { store in
            let value = try body(store)
            if let collected = value as? Collected, collected.rowCount > most {
                throw StoreFailure.full
            }
            return value
        }
    }

    func settle() async throws {
        try await store.settle()
    }

    func close() throws {
        try store.close()
    }
}

extension TestServer {
    /// A server with a store whose disk can be full.
    static func withFullStore() throws -> (server: TestServer, store: FullStore) {
        var store: FullStore?
        let server = try TestServer(store: { real in
            let full = FullStore(real)
            store = full
            return full
        })
        return (server, try #require(store))
    }
}
