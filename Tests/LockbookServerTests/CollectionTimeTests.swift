import Testing

@testable import LockbookServer

/// A clock that is set wrong once does not take what it would let go of in years.
struct CollectionTimeTests {
    private let decade: Int64 = 10 * 365 * 86_400

    /// A server that has collected, and one record that was staged after that.
    private func staged(at server: TestServer) async throws {
        var ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: server)
        try await server.server.collectNext()
        try await ada.stage([ada.record(ada.file("a.md"))], at: server)
    }

    @Test func `a clock years ahead is followed a day at a time`() async throws {
        let log = TestLog()
        let server = try TestServer(log: log)
        try await staged(at: server)
        server.clock.advance(by: decade)
        var counts: [Int] = []
        for _ in 0..<4 { counts.append(try await server.server.collectNext()) }
        #expect(counts == [0, 0, 1, 0])
        let first = try #require(log.lines.first)
        #expect(
            first == "the clock is far ahead of the last collection, which follows it a day at a "
                + "time days=3649"
        )
        #expect(log.lines.count == 4)
    }

    @Test func `when it is set right nothing has gone, and time goes on from there`() async throws {
        let log = TestLog()
        let server = try TestServer(log: log)
        try await staged(at: server)
        server.clock.advance(by: decade)
        #expect(try await server.server.collectNext() == 0)
        server.clock.advance(by: -decade)
        #expect(try await server.server.collectNext() == 0)
        #expect(try await server.folder.store.read { try $0.collectionTime() } == server.clock.now)
        for _ in 0..<2 {
            server.clock.advance(by: 86_400)
            #expect(try await server.server.collectNext() == 0)
        }
        server.clock.advance(by: 1)
        #expect(try await server.server.collectNext() == 1)
        #expect(log.lines.count == 1)
    }

    @Test func `a server of before goes on from its newest entry`() async throws {
        let server = try TestServer()
        try await staged(at: server)
        let time = try await server.withStoreOfBefore(
            "70 collection time",
            "ALTER TABLE collection DROP COLUMN at"
        ) { store in
            try await store.read { try $0.collectionTime() }
        }
        #expect(time == server.clock.now)
    }

    @Test func `a disk that is too full to note the time is collected on all the same`()
        async throws
    {
        let (server, store) = try TestServer.withFullStore()
        try await staged(at: server)
        server.clock.advance(by: 86_400)
        #expect(try await server.server.collectNext() == 0)
        server.clock.advance(by: 86_400)
        #expect(try await server.server.collectNext() == 0)
        server.clock.advance(by: 1)
        store.failuresLeft = 1
        #expect(try await server.server.collectNext() == 1)
        #expect(store.failuresLeft == 0)
    }
}
