import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
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
        #expect(try await recordsAfterLeaving("sub", writing: "note.md") == 2 + 2)
    }

    @Test func `the keys of who saw what left open nothing that came after`() async throws {
        #expect(try await recordsAfterLeaving("out", writing: "deep/note.md") == 3 + 2)
    }

    /// Moves a folder out of what bob sees, and writes in it: no key that he had opens any of that.
    /// - Returns: how many records that is.
    private func recordsAfterLeaving(_ folder: String, writing note: String) async throws -> Int {
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        let words = desk.lockbook.recoveryPhrase().joined(separator: " ")
        let keys = try AccountKeys(seed: try RecoveryPhrase.seed(from: words))
        let before = try await server.history(of: laptop)
        let held = try before.keys(of: keys)
        #expect(held.count == 7)

        try laptop.move("/team/\(folder)", to: "/\(folder)")
        try await laptop.sync()
        try laptop.write("/\(folder)/\(note)", "new words")
        try laptop.write("/\(folder)/new.md", "new note")
        try await laptop.sync()

        let after = try await server.history(of: laptop)
        let later = after.records(since: before)
        #expect(try after.keys(of: keys).count == held.count)
        for record in later {
            for key in held {
                #expect(throws: DamagedRecord.self) { _ = try record.file(key: key) }
                #expect(throws: DamagedRecord.self) {
                    _ = try record.key(in: FolderKeys(of: key))
                }
            }
        }
        return later.count
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
