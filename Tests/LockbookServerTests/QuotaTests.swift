import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import Testing

/// What is kept of one account is counted, and limited where whoever runs the server says so.
struct QuotaTests {
    private func usage(of person: TestPerson, at server: TestServer) async throws -> UInt64 {
        let id = person.account
        return try await server.folder.store.read { store in
            guard let account = try store.account(id: id) else { return 0 }
            return try store.usage(of: account.key)
        }
    }

    @Test func `what is sent counts once, and what is collected no more`() async throws {
        let server = try TestServer(keptVersions: 0)
        var ada = try await TestPerson.ada(at: server)
        let empty = try await usage(of: ada, at: server)
        #expect(empty > 0)

        let id = FileID(random: .system)
        let content = [UInt8](repeating: 1, count: 50_000)
        try await ada.push(
            [ada.record(ada.file("a", id: id, blob: content))],
            blobs: [content],
            to: server
        )
        let kept = try await usage(of: ada, at: server)
        #expect((50_000..<52_000).contains(kept - empty))

        let _ = try await ada.stage([], blobs: [content], at: server)
        #expect(try await usage(of: ada, at: server) == kept)

        try await ada.push([], purging: [id], to: server)
        server.clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        #expect(try await usage(of: ada, at: server) < empty + 2_000)
    }

    @Test func `an account without room sends no contents, and still says what goes`()
        async throws
    {
        let server = try TestServer(quota: 100_000)
        var ada = try await TestPerson.ada(at: server)
        let id = FileID(random: .system)
        let content = [UInt8](repeating: 1, count: 90_000)
        try await ada.push(
            [ada.record(ada.file("a", id: id, blob: content))],
            blobs: [content],
            to: server
        )
        let before = try await server.stateHash(of: ada)
        let more = [UInt8](repeating: 2, count: 20_000)
        await #expect(throws: Refused.tooLarge) {
            let _ = try await ada.stage([], blobs: [more], at: server)
        }
        var loser = ada
        let record = try loser.record(loser.file("b", blob: more))
        await #expect(throws: Refused.tooLarge) {
            try await loser.push([record], blobs: [more], to: server)
        }
        #expect(try await server.stateHash(of: ada) == before)

        // Nothing of what was refused stays, and there is room for what needs little of it.
        #expect(try await usage(of: ada, at: server) < 100_000)
        try await ada.push([], purging: [id], to: server)
        server.clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        try await ada.push(
            [ada.record(ada.file("c", blob: more))],
            blobs: [more],
            to: server
        )
    }

    @Test func `an account far over a newer quota still deletes and purges, and comes below it`()
        async throws
    {
        let before = try TestServer()
        var ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: before)
        let ids = (0..<4).map { _ in FileID(random: .system) }
        for (number, id) in ids.enumerated() {
            let content = [UInt8](repeating: UInt8(number), count: 50_000)
            try await ada.push(
                [ada.record(ada.file("\(number)", id: id, blob: content))],
                blobs: [content],
                to: before
            )
        }
        let copy = before.path + "-copy"
        try FileManager.default.copyItem(atPath: before.path, toPath: copy)
        let server = try TestServer(quota: 80_000, at: copy)

        let deleted = try ada.record(ada.file("0", id: ids[0], isDeleted: true))
        try await ada.push([deleted], to: server)
        // Only what ends: neither another name, nor what is deleted already, nor what never was.
        for file in [
            try ada.file("renamed", id: ids[1]), try ada.file("0", id: ids[0], isDeleted: true),
            try ada.file("new", isDeleted: true),
        ] {
            var loser = ada
            let record = try loser.record(file)
            await #expect(throws: Refused.tooLarge) { try await loser.push([record], to: server) }
        }
        try await ada.push([], purging: Array(ids[...2]), to: server)
        server.clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        #expect(try await usage(of: ada, at: server) < 80_000)
        try await ada.push([ada.record(ada.file("new"))], to: server)
    }

    @Test func `rights that are changed again and again come to an end at a quota`() async throws {
        let before = try TestServer()
        var ada = try TestPerson("ada", seed: 1)
        var bob = try TestPerson("bob", seed: 2)
        try await ada.register(at: before)
        try await bob.register(at: before)
        var folder = try ada.file("pub", type: .folder)
        try await ada.push([ada.record(folder)], to: before)
        let first = try #require(ada.head)
        folder.scope = folder.id
        let share = ScopeChange(
            scope: folder.id,
            records: [try ada.record(folder)],
            grants: [try ada.grant(folder.id, to: bob, .read)],
            wraps: [try ada.wrap(folder.id, for: bob)]
        )
        let shared = try await ada.push([share], in: ada.account, after: first, to: before)
        let head = try #require(shared)
        let more = ScopeChange(
            scope: folder.id,
            grants: [try ada.grant(folder.id, to: bob, .write, serial: 2)]
        )
        let copy = before.path + "-copy"
        try FileManager.default.copyItem(atPath: before.path, toPath: copy)
        let used = try await usage(of: ada, at: before)
        let server = try TestServer(quota: used / 2, at: copy)

        let owner = ada
        await #expect(throws: Refused.tooLarge) {
            _ = try await owner.push([more], in: owner.account, after: head, to: server)
        }
        #expect(try await usage(of: ada, at: server) == used)
        let changed = try await ada.push([more], in: ada.account, after: head, to: before)
        #expect(changed != nil, "it is refused for want of room alone")
    }

    @Test func `an upload is counted when it is announced`() async throws {
        let server = try TestServer(quota: 3 << 20)
        let ada = try await TestPerson.ada(at: server)
        let content = [UInt8](repeating: 7, count: 4 << 20)
        var request = Lockbook_V1_UploadRequest()
        request.name = Data(BlobName(of: content).hash.bytes)
        request.length = UInt64(content.count)
        request.segments = stride(from: 0, to: content.count, by: 1 << 20).map {
            Data(Hash256(sha256: content[$0..<$0 + 1 << 20]).bytes)
        }
        await #expect(throws: Refused.tooLarge) {
            let _: Lockbook_V1_UploadResponse = try await ada.send(
                request,
                to: .upload,
                of: server
            )
        }
        #expect(try await usage(of: ada, at: server) < 10_000)
    }

    @Test func `a closed server takes no new accounts, and goes on with its own`() async throws {
        let server = try TestServer()
        let ada = try TestPerson("ada", seed: 1)
        let registration = try ada.registration().request
        let _: Lockbook_V1_RegisterResponse = try await ada.send(
            registration,
            to: .register,
            of: server
        )
        let copy = server.path + "-copy"
        try FileManager.default.copyItem(atPath: server.path, toPath: copy)
        let closed = try TestServer(isOpen: false, at: copy)
        let _: Lockbook_V1_RegisterResponse = try await ada.send(
            registration,
            to: .register,
            of: closed
        )
        var bob = try TestPerson("bob", seed: 2)
        await #expect(throws: Refused.notPermitted) { try await bob.register(at: closed) }
    }

    @Test func `a closed server tells nobody which names are taken`() async throws {
        let server = try TestServer()
        var ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: server)
        let copy = server.path + "-copy"
        try FileManager.default.copyItem(atPath: server.path, toPath: copy)
        let closed = try TestServer(isOpen: false, at: copy)
        for name in ["ada", "bob", "bob."] {
            var stranger = try TestPerson(name, seed: 2)
            await #expect(throws: Refused.notPermitted) { try await stranger.register(at: closed) }
        }
    }
}
