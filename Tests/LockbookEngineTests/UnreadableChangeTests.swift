import Foundation
import GRDB
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A change of this device that opens with no key that is known of it: no sync writes over it.
struct UnreadableChangeTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Seals the only change in a store under a key that nobody has.
    private func spoil(_ store: LocalStore) throws -> [UInt8] {
        try store.write { tree in
            let row = try #require(try tree.changedRows().first)
            let record = try FileRecord(
                sealing: tree.file(row),
                owner: tree.owner,
                key: FileKey(random: .system),
                in: FolderKeys(of: FileKey(random: .system)),
                random: .system
            )
            try tree.db.execute(
                sql: "UPDATE file SET local = ? WHERE number = ?",
                arguments: [Data(record.bytes), row.number]
            )
            return record.bytes
        }
    }

    private var accepting: SyncOptions {
        var options = SyncOptions()
        options.acceptsRollback = true
        return options
    }

    private func changes(in store: LocalStore) throws -> [[UInt8]?] {
        try store.read { try $0.changedRows().map(\.local) }
    }

    @Test func `stops a sync that brings another one of the same note`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["/a.md": "a"])
        try laptop.write("/a.md", "mine")
        let spoiled = try spoil(laptop.lockbook.store)
        try phone.write("/a.md", "theirs")
        try await phone.sync()
        for _ in 0..<2 {
            await #expect(throws: LockbookError.unreadableChange(path: "/a.md")) {
                try await laptop.sync()
            }
            #expect(try changes(in: laptop.lockbook.store) == [spoiled])
        }
    }

    @Test func `stops a sync of what others share, and is named by the path here`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's")
        let owner = laptop.lockbook.store.context.owner
        let store = try #require(try desk.lockbook.shared(by: owner)).store
        let spoiled = try spoil(store)
        try laptop.write("/team/plan.md", "ada's")
        try await laptop.sync()
        await #expect(throws: LockbookError.unreadableChange(path: "/team/plan.md")) {
            try await desk.sync()
        }
        #expect(try changes(in: store) == [spoiled])
    }

    @Test func `is not taken back when the server went back`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/a.md", "a")
        try await laptop.sync()
        let backup = try people.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/a.md", "later")
        try await laptop.sync()
        try laptop.write("/a.md", "mine")
        let spoiled = try spoil(laptop.lockbook.store)
        try people.server.restore(backup)
        await #expect(throws: LockbookError.unreadableChange(path: "/a.md")) {
            try await laptop.sync(accepting)
        }
        #expect(try changes(in: laptop.lockbook.store) == [spoiled])
    }
}
