import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookServer
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// What a server cannot keep from who sees a share with others inside of it, and what it cannot
/// give to who saw what left.
struct NestedLiesTests {
    let server: TestServer
    let laptop: Device
    let desk: Device
    let tablet: Device

    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/team/sub/note.md", "note")
        try laptop.write("/team/out/deep/note.md", "note")
        try await laptop.sync()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        tablet = try await Person("eve", on: server).firstDevice(named: "tablet")
        _ = try await laptop.lockbook.share(.path("/team/sub"), with: "eve", mode: .write)
        try await laptop.sync()
        try await tablet.sync()
        let offer = try #require(try tablet.lockbook.offers().first)
        _ = try tablet.lockbook.acceptShare(id: offer.id)
        try await tablet.sync()
    }

    /// The next sync of a device stops when groups that hold more than these are hidden from it.
    private func misses(
        _ device: Device,
        _ isHidden: @escaping @Sendable (EntryGroup) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await device.snapshot()
        device.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for log in response.logs.indices {
                for entry in response.logs[log].entries.indices {
                    response.logs[log].entries[entry].hide(isHidden)
                }
            }
            return Array(try response.serializedData() as Data)
        }
        await #expect(sourceLocation: sourceLocation) {
            try await device.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        #expect(try await device.snapshot() == before, sourceLocation: sourceLocation)
        device.faults.tellTruth()
        try await device.sync()
    }

    @Test func `a scope inside is not kept from who is let in around it`() async throws {
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        let sub = try laptop.lockbook.info(.path("/team/sub")).id
        try await misses(desk) { $0.scope.description == sub }
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])
    }

    @Test func `a part that becomes a share is not kept from who sees all of it`() async throws {
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        _ = try await laptop.lockbook.share(.path("/team/out/deep"), with: "eve", mode: .write)
        try await laptop.sync()
        let deep = try laptop.lockbook.info(.path("/team/out/deep")).id
        try await misses(desk) { $0.scope.description == deep }
        try laptop.write("/team/out/deep/note.md", "later")
        try await laptop.sync()
        try await misses(desk) { $0.scope.description == deep }
    }

    @Test func `that something left a share is not kept from who saw it`() async throws {
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        try laptop.move("/team/out", to: "/out")
        try await laptop.sync()
        try await misses(desk) { !$0.left.isEmpty }
        let offer = try #require(try desk.lockbook.offers().first)
        #expect(
            try desk.lockbook.list(FileReference("id:\(offer.id)"), recursive: true).map(\.name)
                == ["plan.md", "sub", "note.md"]
        )
    }

    @Test func `that a share came into another one, or left it, is not kept from who sees that`()
        async throws
    {
        _ = try await laptop.lockbook.share(.path("/team/out"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        let sub = try laptop.lockbook.info(.path("/team/sub")).id
        let out = try laptop.lockbook.info(.path("/team/out")).id
        try laptop.move("/team/sub", to: "/team/out/")
        try await laptop.sync()
        try await misses(desk) { $0.scope.description == sub }
        try laptop.move("/team/out/sub", to: "/")
        try await laptop.sync()
        try await misses(desk) { $0.scope.description == out }
        let offer = try #require(try desk.lockbook.offers().first)
        #expect(
            try desk.lockbook.list(FileReference("id:\(offer.id)"), recursive: true).map(\.name)
                == ["deep", "note.md"]
        )
    }

    @Test func `the keys of who saw a share in another one open nothing after it left`()
        async throws
    {
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        let ada = try #require(Hash256([UInt8](hex: laptop.lockbook.accountInfo().id) ?? []))
        let words = desk.lockbook.recoveryPhrase().joined(separator: " ")
        let keys = try AccountKeys(seed: try RecoveryPhrase.seed(from: words))
        let before = try await server.groups(of: AccountID(hash: ada))
        let held = try before.keys(of: keys)

        try laptop.move("/team/sub", to: "/sub")
        try await laptop.sync()
        try laptop.write("/sub/note.md", "new words")
        try laptop.write("/sub/new.md", "new note")
        try await laptop.sync()

        let after = try await server.groups(of: AccountID(hash: ada))
        let known = Set(before.records.map(\.hash))
        let later = after.records.filter { !known.contains($0.hash) }
        #expect(later.count == 2 + 2)
        #expect(try after.keys(of: keys).count == held.count)
        for record in later {
            for key in held {
                #expect(throws: DamagedRecord.self) { _ = try record.file(key: key) }
                #expect(throws: DamagedRecord.self) {
                    _ = try record.key(in: FolderKeys(of: key))
                }
            }
        }
    }

    @Test func `the keys of who saw what left open nothing that came after`() async throws {
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        let ada = try #require(Hash256([UInt8](hex: laptop.lockbook.accountInfo().id) ?? []))
        let words = desk.lockbook.recoveryPhrase().joined(separator: " ")
        let keys = try AccountKeys(seed: try RecoveryPhrase.seed(from: words))
        let before = try await server.groups(of: AccountID(hash: ada))
        let held = try before.keys(of: keys)
        #expect(held.count == 7)

        try laptop.move("/team/out", to: "/out")
        try await laptop.sync()
        try laptop.write("/out/deep/note.md", "new words")
        try laptop.write("/out/new.md", "new note")
        try await laptop.sync()

        let after = try await server.groups(of: AccountID(hash: ada))
        let known = Set(before.records.map(\.hash))
        let later = after.records.filter { !known.contains($0.hash) }
        #expect(later.count == 3 + 2)
        #expect(try after.keys(of: keys).count == held.count)
        for record in later {
            for key in held {
                #expect(throws: DamagedRecord.self) { _ = try record.file(key: key) }
                #expect(throws: DamagedRecord.self) {
                    _ = try record.key(in: FolderKeys(of: key))
                }
            }
        }
    }
}

/// All that a server has of one log.
private struct StoredGroups {
    var records: [FileRecord] = []
    var wraps: [GranteeWrap] = []

    /// Every key that follows from what an account opens, by brute force.
    func keys(of account: AccountKeys) throws -> [FileKey] {
        var found: [FileKey] = []
        for wrap in wraps where wrap.grantee == AccountID(account.publicKeys) {
            found.append(try wrap.open(with: account.agreement))
        }
        var index = 0
        while index < found.count {
            let folder = FolderKeys(of: found[index])
            index += 1
            for record in records {
                guard let key = try? record.key(in: folder), !found.contains(key) else { continue }
                found.append(key)
            }
        }
        return found
    }
}

extension TestServer {
    fileprivate func groups(of owner: AccountID) async throws -> StoredGroups {
        try await folder.store.read { store in
            let account = try #require(try store.account(id: owner))
            var stored = StoredGroups()
            for position in 0...account.head.position {
                for bytes in try store.groups(position, of: account.key) {
                    let group = try EntryGroup(bytes)
                    stored.wraps += group.wraps
                    let found = try store.records(group.records.map(\.hash), of: account.key)
                    stored.records += try found.compactMap {
                        try $0.map { try FileRecord($0.bytes) }
                    }
                }
            }
            return stored
        }
    }
}

extension Lockbook_V1_Entry {
    /// As the server would show the entry to somebody who may not see some of its groups.
    fileprivate mutating func hide(_ isHidden: (EntryGroup) -> Bool) {
        groups = groups.map { group in
            guard case .whole(let bytes) = group.content,
                let parsed = try? EntryGroup(Array(bytes)), isHidden(parsed)
            else { return group }
            var hidden = Lockbook_V1_Group()
            hidden.hidden =
                Data(parsed.scope.bytes) + Data(EntryGroup.hash(of: Array(bytes)).bytes)
            return hidden
        }
    }
}
