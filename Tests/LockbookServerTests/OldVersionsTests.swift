import GRDB
import GRDBSQLite
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// Superseded versions are looked for while others write, and deleted after that.
struct OldVersionsTests {
    let server: TestServer
    var ada: TestPerson
    private let limits = CollectionLimits(
        supersededBefore: .max,
        keptVersions: 3,
        stagedBefore: 0,
        replacedBefore: 0
    )

    init() async throws {
        server = try TestServer()
        ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: server)
    }

    /// A checkpoint behind which nobody is sent anything.
    private func checkpoint(at position: UInt64) throws -> Checkpoint {
        try Checkpoint(
            log: ada.account,
            head: LogHead(position: position, hash: .zero),
            scopes: [ScopeDigest(scope: ada.root, sortedRecords: [])],
            author: ada.account,
            device: ada.device,
            created: Timestamp(milliseconds: 3),
            signedBy: ada.keys.signing
        )
    }

    /// Makes one file with so many versions, of entries that nobody is sent any more.
    private func fill(_ count: UInt64) async throws -> AccountKey {
        var ada = ada
        let record = try ada.record(ada.file("a.md"))
        let (facts, id) = (record.facts, ada.account)
        let kept = NewRecord(hash: record.hash, bytes: record.bytes)
        let checkpoint = try checkpoint(at: count)
        return try await server.folder.store.write { store in
            let log = try #require(try store.account(id: id)).key
            let key = try #require(try store.insert([kept], of: log, at: 0).first)
            for position in 1...count {
                let old = try store.currentFiles([facts.id], in: log).first ?? nil
                let version = NewVersion(facts: facts, record: key, replacing: old?.version)
                try store.apply([version], at: position, to: log)
            }
            try store.insert(checkpoint, [], of: log, at: 0)
            return log
        }
    }

    /// Each was compared with all newer ones, for minutes in which nobody could write.
    @Test func `of a file with very many versions few are looked at for each`() async throws {
        let (store, limits) = (server.folder.store, limits)
        let log = try await fill(3_000)
        _ = try await store.write { try $0.collect(limits, of: log) }
        let found = try await store.read { store in
            let transaction = try #require(store as? SQLiteTransaction)
            let connection = transaction.database.sqliteConnection
            // After so many steps of its program SQLite breaks off.
            sqlite3_progress_handler(connection, 1_000_000, { _ in 1 }, nil)
            defer { sqlite3_progress_handler(connection, 0, nil, nil) }
            return try store.oldVersions(limits, of: log)
        }
        #expect(found.rows.count == 2_997 && !found.more)
        #expect(try await store.write { try $0.collect(found, of: log) }.rowCount == 2_997)
        let left = try await store.read { try $0.oldVersions(limits, of: log) }
        #expect(left.rows.isEmpty)
    }

    /// Each hour all entries that the log ever had were looked at, twice.
    @Test func `entries whose groups are gone are not looked at again`() async throws {
        let (store, time) = (server.folder.store, server.clock.now)
        let (id, checkpoint) = (ada.account, try checkpoint(at: 3_000))
        var limits = limits
        limits.supersededBefore = time + 2_900
        let (log, last) = try await store.write { [limits] store in
            let transaction = try #require(store as? SQLiteTransaction)
            let log = try #require(try store.account(id: id)).key
            try transaction.database.execute(
                sql: """
                    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL
                        SELECT n + 1 FROM number WHERE n < 3000)
                    INSERT INTO entry (log, position, at, hash, header)
                        SELECT ?, n, ? + n, x'00', x'00' FROM number
                    """,
                arguments: [log.row, time]
            )
            try store.insert(checkpoint, [], of: log, at: 0)
            _ = try store.collect(limits, of: log)
            return (log, try store.account(key: log)?.bodiesFrom)
        }
        #expect(last == 2_900)
        let found = try await store.read { [limits] store in
            let transaction = try #require(store as? SQLiteTransaction)
            let connection = transaction.database.sqliteConnection
            // After so many steps of its program SQLite breaks off.
            sqlite3_progress_handler(connection, 2_000, { _ in 1 }, nil)
            defer { sqlite3_progress_handler(connection, 0, nil, nil) }
            return try store.oldVersions(limits, of: log)
        }
        #expect(found.rows.isEmpty)
        // With a longer retention what is younger than that counts as kept.
        limits.supersededBefore = time + 10
        _ = try await store.write { [limits] in try $0.collect(limits, of: log) }
        let same = try await store.read { try $0.account(key: log)?.bodiesFrom }
        #expect(same == 2_900)
    }

    @Test func `no version goes before the groups of its entry`() async throws {
        let (store, limits) = (server.folder.store, limits)
        let log = try await fill(10)
        #expect(try await store.read { try $0.oldVersions(limits, of: log) }.rows.isEmpty)
        _ = try await store.write { try $0.collect(limits, of: log) }
        let found = try await store.read { try $0.oldVersions(limits, of: log) }
        #expect(found.rows.count == 7)
        var bob = try TestPerson("bob", seed: 2)
        try await bob.register(at: server)
        let other = bob.account
        let none = try await store.write { store in
            let log = try #require(try store.account(id: other)).key
            return try store.collect(found, of: log)
        }
        #expect(none.rowCount == 0)
    }

    @Test mutating func `large groups go a few at a time`() async throws {
        let store = server.folder.store
        for round in 0..<3 {
            let records = try (0..<100).map { try ada.record(ada.file("\(round) \($0).md")) }
            try await ada.push(records, to: server)
        }
        var limits = limits
        limits.batch = 2
        let (id, checkpoint) = (ada.account, try checkpoint(at: 3))
        let log = try await store.write { store in
            let log = try #require(try store.account(id: id)).key
            try store.insert(checkpoint, [], of: log, at: 0)
            return log
        }
        var counts: [Int] = []
        var more = true
        while more {
            let collected = try await store.write { [limits] in try $0.collect(limits, of: log) }
            counts.append(collected.rowCount)
            more = collected.more
        }
        #expect(counts == [2, 1, 1, 0])
    }
}
