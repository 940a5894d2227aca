import GRDB
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// What a disk damaged in the database of one account keeps nothing of the others from going.
struct DamagedRowTests {
    let log = TestLog()
    let server: TestServer
    var ada: TestPerson
    var bob: TestPerson

    init() async throws {
        server = try TestServer(log: log)
        ada = try await TestPerson.ada(at: server)
        bob = try TestPerson("bob", seed: 2)
        try await bob.register(at: server)
    }

    private func change(_ sql: String) throws {
        let database = try DatabaseQueue(path: server.path + "/server.sqlite")
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    private func count(_ sql: String) throws -> Int {
        let database = try DatabaseQueue(path: server.path + "/server.sqlite")
        defer { try? database.close() }
        return try database.read { try #require(try Int.fetchOne($0, sql: sql)) }
    }

    private let told = "a row of the database keeps what is of it reason="

    @Test mutating func `an account's row that is damaged is named, and stays alone`() async throws
    {
        try await bob.stage([bob.record(bob.file("a.md"))], at: server)
        try change("UPDATE account SET signing_key = x'00' WHERE username = 'ada'")
        server.clock.advance(by: 3 * 86_400)
        #expect(try await server.server.collect() == 1)
        #expect(try await server.server.collect() == 0)
        #expect(log.lines == ["\(told)account 1: damaged"])
    }

    @Test func `a log that cannot be collected is named, and stays alone`() async throws {
        try change(
            """
            INSERT INTO checkpoint (log, position, replaced, bytes)
                SELECT id, 0, 1, x'00' FROM account;
            CREATE TRIGGER damage BEFORE DELETE ON checkpoint WHEN OLD.log = 1 BEGIN
                SELECT RAISE(ABORT, 'damaged');
            END;
            """
        )
        try await server.server.collect()
        #expect(try count("SELECT log FROM checkpoint") == 1)
        #expect(try count("SELECT count(*) FROM checkpoint") == 1)
        #expect(log.lines.count == 1 && log.lines[0].hasPrefix("\(told)account 1: "))
    }

    @Test func `a content's row that is damaged is named, and stays alone`() async throws {
        let words = [UInt8](repeating: 7, count: 100)
        try await bob.stage([], blobs: [words], at: server)
        try change("INSERT INTO blob (owner, at, name, size) VALUES (1, 0, x'00', 1)")
        server.clock.advance(by: 3 * 86_400)
        #expect(try await server.server.collect() == 1)
        #expect(try await !bob.finds(words, at: server))
        #expect(log.lines == ["\(told)blob 2: damaged"])
    }
}
