import Foundation
import GRDB
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// An account that is removed from a device, and what stops that.
struct LogoutTests {
    private let alice: Person
    private let laptop: Device
    private var key: String { laptop.directory + "/account.json" }
    private var left: String { key + ".leaving" }

    init() async throws {
        alice = Person("alice", on: try TestServer())
        laptop = try await alice.firstDevice()
        try laptop.write("/note.md", "note")
        try await laptop.sync()
    }

    private func open() throws -> Lockbook {
        try Lockbook.open(directory: laptop.directory, environment: laptop.lockbook.environment)
    }

    @Test func `what was not synced of the address book stands against it`() async throws {
        let bob = Person("bob", on: alice.server)
        _ = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.verify("bob") { _ in true }
        #expect(throws: LockbookError.unsyncedChanges(count: 1)) {
            try laptop.lockbook.logout(force: false)
        }
        try await laptop.sync()
        try laptop.lockbook.logout(force: false)
        #expect(throws: LockbookError.noAccount(directory: laptop.directory)) { try open() }
    }

    @Test func `what is to be gone for good, and was not synced, stands against it`() async throws {
        try laptop.delete("/note.md")
        try await laptop.sync()
        #expect(try laptop.lockbook.emptyTrash() == 1)
        #expect(try laptop.lockbook.briefStatus().changes == 1)
        #expect(throws: LockbookError.unsyncedChanges(count: 1)) {
            try laptop.lockbook.logout(force: false)
        }
        #expect(try await laptop.sync().purged == ["/note.md"])
        try laptop.lockbook.logout(force: false)
    }

    @Test func `that somebody is yet to be let in stands against it`() async throws {
        _ = try await laptop.lockbook.invite(.path("/note.md"), mode: .read, lasting: 86_400_000)
        try await laptop.sync()
        try laptop.lockbook.store.write { tree in
            let invitation = try #require(try tree.openInvitations().first).entry
            try tree.set(invitation.state, of: invitation.secret, owedAfter: 0)
        }
        #expect(throws: LockbookError.unsyncedChanges(count: 1)) {
            try laptop.lockbook.logout(force: false)
        }
    }

    @Test func `nothing of it is left in any table`() throws {
        func rows(_ db: Database) throws -> [String: Int] {
            let tables = try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
            return try Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    (table, try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0)
                }
            )
        }
        try laptop.lockbook.store.write { tree in
            for table in try rows(tree.db).keys {
                let columns = try tree.db.columns(in: table).map(\.name)
                let values = columns.map { _ in "1" }.joined(separator: ", ")
                try tree.db.execute(sql: "INSERT OR IGNORE INTO \(table) VALUES (\(values))")
            }
            #expect(try rows(tree.db).filter { $0.value == 0 } == [:])
            try tree.forgetEverything()
            #expect(try rows(tree.db).filter { $0.value != 0 } == [:])
        }
    }

    @Test func `cut off before anything is forgotten, the account is as it was`() async throws {
        try #require(rename(key, left) == 0)
        let again = try open()
        #expect(try again.list(.path("/"), recursive: false).map(\.path) == ["/note.md"])
        #expect(access(key, F_OK) == 0 && access(left, F_OK) != 0)
    }

    @Test func `cut off behind that, the account is there and comes back with a sync`() async throws
    {
        try laptop.lockbook.store.write { try $0.forgetEverything() }
        try #require(rename(key, left) == 0)
        let again = try open()
        #expect(access(key, F_OK) == 0)
        _ = try await again.sync(SyncOptions())
        #expect(try again.list(.path("/"), recursive: false).map(\.path) == ["/note.md"])
        #expect(try again.validate() == [])
    }

    @Test func `no copy of the key is left where a change of its server was cut off`() throws {
        try FileManager.default.copyItem(atPath: key, toPath: key + ".new")
        try laptop.lockbook.logout(force: false)
        #expect(access(key + ".new", F_OK) != 0)
    }

    @Test func `what fails when the key is gone keeps nothing else`() throws {
        // No unlink removes a folder.
        let stuck = key + ".new"
        try FileManager.default.createDirectory(atPath: stuck, withIntermediateDirectories: false)
        let failure = LockbookError.notAllRemoved(
            directory: laptop.directory,
            path: stuck,
            reason: "Is a directory"
        )
        #expect(throws: failure) { try laptop.lockbook.logout(force: true) }
        let names = try FileManager.default.contentsOfDirectory(atPath: laptop.directory)
        #expect(names == ["account.json.new"])
    }
}
