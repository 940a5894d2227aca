import Foundation
import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A folder in which an account is without its key: a logout was cut off, or somebody took it away.
struct CutOffLogoutTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func remove(_ names: [String], from device: Device) throws {
        for name in names where FileManager.default.fileExists(atPath: device.directory + name) {
            try FileManager.default.removeItem(atPath: device.directory + name)
        }
    }

    private func bringBack(_ device: Device) async throws -> Lockbook {
        try await Lockbook.importAccount(
            key: device.lockbook.recoveryPhrase().joined(separator: " "),
            server: try ServerAddress("http://127.0.0.1:7654"),
            directory: device.directory,
            environment: device.lockbook.environment
        ).lockbook
    }

    @Test func `what a logout left of others' shares keeps nothing from coming back`() async throws
    {
        let (_, desk) = try await shared()
        try desk.lockbook.store.write { try $0.forgetEverything() }
        try remove(["/account.json"], from: desk)
        let again = try await bringBack(desk)
        _ = try await again.sync(SyncOptions())
        let files = try again.list(.path("/"), recursive: true)
        #expect(files.map(\.path) == ["/team", "/team/plan.md"])
    }

    @Test func `notes without their key are told to whoever opens them`() async throws {
        let (_, desk) = try await shared()
        let (directory, environment) = (desk.directory, desk.lockbook.environment)
        try remove(["/account.json"], from: desk)
        #expect {
            _ = try Lockbook.open(directory: directory, environment: environment)
        } throws: { error in
            if case LockbookError.store(let reason, _) = error {
                reason.contains("/lockbook.db is there without the account.json")
            } else {
                false
            }
        }
        // What a logout emptied is no account's.
        try desk.lockbook.store.queue.inTransaction { db in
            try LocalTree(db: db, context: desk.lockbook.store.context).forgetEverything()
            return .commit
        }
        #expect(throws: LockbookError.noAccount(directory: directory)) {
            _ = try Lockbook.open(directory: directory, environment: environment)
        }
    }

    @Test func `what others share is no new account's where all else is gone`() async throws {
        let (_, desk) = try await shared()
        try remove(
            ["/account.json", "/lockbook.db", "/lockbook.db-wal", "/lockbook.db-shm"],
            from: desk
        )
        await #expect {
            _ = try await bringBack(desk)
        } throws: { error in
            if case LockbookError.store = error { true } else { false }
        }
        let folders = try StoreContext.namesOfSharers(in: desk.directory)
        #expect(folders.count == 1)
        for folder in folders {
            let path = desk.directory + "/shares/" + folder + "/lockbook.db"
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }
}
