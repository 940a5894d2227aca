import LockbookServer
import Synchronization
import Testing

/// A store in which, when a test says so, something happens between two transactions of a request.
final class InterruptedStore: MetadataStore {
    private let store: SQLiteStore
    private let next = Mutex<Interruption?>(nil)

    private struct Interruption: Sendable {
        var reads: Int
        var body: @Sendable () async throws -> Void
    }

    init(_ store: SQLiteStore) {
        self.store = store
    }

    /// Does something, once, after so many transactions that read.
    func interrupt(after reads: Int, _ body: @escaping @Sendable () async throws -> Void) {
        next.withLock { $0 = Interruption(reads: reads, body: body) }
    }

    func read<Value: Sendable>(_ body: @Sendable (any MetadataReading) throws -> Value)
        async throws -> Value
    {
        let value = try await store.read(body)
        let due = next.withLock { next -> Interruption? in
            next?.reads -= 1
            guard let due = next, due.reads == 0 else { return nil }
            next = nil
            return due
        }
        try await due?.body()
        return value
    }

    func write<Value: Sendable>(_ body: @Sendable (any MetadataWriting) throws -> Value)
        async throws -> Value
    {
        try await store.write(body)
    }

    func settle() async throws {
        try await store.settle()
    }

    func close() throws {
        try store.close()
    }
}

extension TestServer {
    static func withInterruptedStore(log: TestLog) throws -> (
        server: TestServer, store: InterruptedStore
    ) {
        var store: InterruptedStore?
        let server = try TestServer(
            log: log,
            store: { real in
                let interrupted = InterruptedStore(real)
                store = interrupted
                return interrupted
            }
        )
        return (server, try #require(store))
    }
}
