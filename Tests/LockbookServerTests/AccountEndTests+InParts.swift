import Foundation
import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf
import Testing

@testable import LockbookServer

/// What goes in parts, when it cannot go at once.
extension AccountEndTests {
    @Test
    func `what stayed when a process was killed is not seen, and goes with the next collection`()
        async throws
    {
        var ada = ada
        try await fill(&ada)
        let known = try await stored(ada)
        let grant = try ada.grant(FileID(random: .system), to: bob, .read)
        try await server.folder.store.write { store in
            try store.apply([grant], at: 1, to: known.key)
            try store.note(unnamed: [BlobName(of: [1])], of: known.key, at: 7)
        }
        let end = try AccountEnd(created: Timestamp(milliseconds: 7), by: ada.keys)
        // As far as it came: it is said, and nothing is gone.
        try await server.folder.store.write { try $0.end(known, with: end, at: 7) }
        #expect(try blobFiles().count == 5)
        #expect(try await unfinished() == [ada.account])
        let left = try Set(rows(of: known.key.row, ada.account).keys)
        #expect(
            left == [
                "account", "entry", "entry_group", "record", "blob", "version", "upload", "unnamed",
            ]
        )
        let (account, owner) = (bob.account, ada.account)
        let (name, key) = (ada.certificate.username, ada.certificate.keys.request.bytes)
        let seen = try await server.folder.store.read { store in
            [
                try store.account(id: owner)?.id, try store.account(key: known.key)?.id,
                try store.account(named: name)?.id, try store.account(requestKey: key)?.id,
            ] + (try store.accounts().map(\.id))
        }
        #expect(seen == [nil, nil, nil, nil, account])
        let (logs, strangers) = try await server.folder.store.read { store in
            (try store.logs(sharedWith: account), try store.strangerCount(sharingWith: account))
        }
        #expect(logs.isEmpty && strangers == 0)
        let update = try await bob.pull(after: bob.head, from: server, log: owner)
        #expect(!update.end.isEmpty && update.entries.isEmpty)
        var other = try TestPerson("ada", seed: 9)
        let taken = await refusal { try await other.register(at: server) }
        #expect(taken == .nameTaken)
        let told = await refusal { [ada] in _ = try await ada.pull(after: ada.head, from: server) }
        #expect(told == Refused(status: 410, code: .ended))
        var eve = try TestPerson("eve", seed: 3)
        try await eve.register(at: server)
        #expect(try await stored(eve).key.row > known.key.row)
        try await server.server.collect()
        #expect(try rows(of: known.key.row, ada.account) == [:])
        #expect(try blobFiles() == ["uploads"])
        #expect(try await unfinished() == [])
    }

    /// There may be any number of them, since they stay for good.
    @Test func `grants that were taken back go in parts as well`() async throws {
        let known = try await stored(ada)
        let file = FileID(random: .system)
        let rights = try [ShareMode.read, .write, .none].map { try ada.grant(file, to: bob, $0) }
        let held = try ada.grant(FileID(random: .system), to: bob, .read)
        let end = try AccountEnd(created: Timestamp(milliseconds: 7), by: ada.keys)
        try await server.folder.store.write { store in
            for (position, right) in zip(1...3 as ClosedRange<UInt64>, rights) {
                try store.apply([right], at: position, to: known.key)
            }
            try store.apply([held], at: 4, to: known.key)
            try store.end(known, with: end, at: 7)
        }
        #expect(try rows(of: known.key.row, ada.account)["share_grant"] == 3)
        let member = bob.account
        #expect(try await server.folder.store.read { try $0.logs(sharedWith: member) } == [])
        try await server.server.removeEnded()
        #expect(try rows(of: known.key.row, ada.account) == [:])
    }

    /// A disk with less room than the account takes up has room for its end.
    @Test func `a large account goes in small transactions`() async throws {
        var ada = ada
        for round in 0..<4 as Range<UInt8> {
            let blobs = (0..<50 as Range<UInt8>).map {
                [round, $0] + [UInt8](repeating: 7, count: 60_000)
            }
            let records = try blobs.map {
                try ada.record(try ada.file("\($0.prefix(2))", blob: $0))
            }
            try await ada.push(records, blobs: blobs, to: server)
        }
        let known = try await stored(ada)
        let database = try DatabaseQueue(path: server.path + "/server.sqlite")
        let settle = {
            try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
        let log = server.path + "/server.sqlite-wal"
        let byteCount = {
            try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
        }
        try settle()
        let end = try AccountEnd(created: Timestamp(milliseconds: 7), by: ada.keys)
        try await server.folder.store.write { try $0.end(known, with: end, at: 7) }
        #expect(try byteCount() < 400_000)
        try settle()
        try await server.server.removeEnded()
        #expect(try rows(of: known.key.row, ada.account) == [:])
        #expect(try byteCount() < 7_000_000)
    }

    @Test func `where there is little room its rows go one by one`() async throws {
        var ada = ada
        try await fill(&ada)
        let known = try await stored(ada)
        let end = try AccountEnd(created: Timestamp(milliseconds: 7), by: ada.keys)
        try await server.folder.store.write { try $0.end(known, with: end, at: 7) }
        var before = try rows(of: known.key.row, ada.account).values.reduce(0, +)
        let owner = ada.account
        while try await server.folder.store.write({ try $0.deleteRows(of: owner, atMost: 1) }) {
            let left = try rows(of: known.key.row, ada.account).values.reduce(0, +)
            #expect(left == before - 1)
            before = left
        }
        #expect(try rows(of: known.key.row, ada.account) == [:])
    }

    @Test func `its large contents go a hundred at a time`() async throws {
        let blobs = server.folder.blobs
        let files = (0..<250).map { number in
            let bytes = Array("content \(number)".utf8)
            return (name: BlobName(hash: Hash256(sha256: bytes)), bytes: bytes)
        }
        try blobs.put(files, of: ada.account)
        #expect(try blobs.deleteSome(of: ada.account))
        let left = try blobFiles().filter { $0.utf8.count > 64 }
        #expect(left.count == 150)
        #expect(try blobs.deleteSome(of: ada.account))
        #expect(try !blobs.deleteSome(of: ada.account))
        #expect(try blobFiles() == ["uploads"])
    }

    /// Who deletes an account that a full disk cannot yet let go of is told that it is deleted.
    @Test func `when its rows cannot go yet the account is deleted all the same`() async throws {
        let (server, store) = try TestServer.withFullStore()
        var ada = ada
        try await ada.register(at: server)
        // Its statement, and nothing after it.
        store.writesLeft = 1
        let end = try AccountEnd(created: Timestamp(milliseconds: 7), by: ada.keys)
        let _: Lockbook_V1_EndResponse = try await ada.send(
            Lockbook_V1_EndRequest.with { $0.end = Data(end.bytes) },
            to: .end,
            of: server
        )
        #expect(try await server.folder.store.read { try $0.unfinishedEnds() } == [ada.account])
        store.writesLeft = nil
        // Less at a time finds room before all does.
        store.failuresLeft = 3
        try await server.server.removeEnded()
        #expect(try await server.folder.store.read { try $0.unfinishedEnds() } == [])
    }
}
