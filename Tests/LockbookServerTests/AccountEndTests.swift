import Foundation
import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf
import Testing

@testable import LockbookServer

/// What a server keeps of an account that its owner deleted, and what it says of it.
struct AccountEndTests {
    let server: TestServer
    let ada: TestPerson
    let bob: TestPerson

    init() async throws {
        server = try TestServer()
        var (ada, bob) = (try TestPerson("ada", seed: 1), try TestPerson("bob", seed: 2))
        try await ada.register(at: server)
        try await bob.register(at: server)
        (self.ada, self.bob) = (ada, bob)
    }

    func end(_ person: TestPerson, by signer: TestPerson? = nil, at time: Int64 = 7)
        async throws
    {
        let end = try AccountEnd(
            created: Timestamp(milliseconds: time),
            by: (signer ?? person).keys
        )
        try await send(end.bytes, as: person)
    }

    func send(_ bytes: [UInt8], as person: TestPerson) async throws {
        let _: Lockbook_V1_EndResponse = try await person.send(
            Lockbook_V1_EndRequest.with { $0.end = Data(bytes) },
            to: .end,
            of: server
        )
    }

    func refusal(_ body: () async throws -> Void) async -> Refused? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Refused
        }
    }

    func stored(_ person: TestPerson) async throws -> StoredAccount {
        let id = person.account
        let account = try await server.folder.store.read { try $0.account(id: id) }
        return try #require(account)
    }

    /// The deleted accounts of which something is left.
    func unfinished() async throws -> [AccountID] {
        try await server.folder.store.read { try $0.unfinishedEnds() }
    }

    /// Rows that tell of an account, by table.
    func rows(of row: Int64, _ id: AccountID) throws -> [String: Int] {
        let database = try DatabaseQueue(path: server.path + "/server.sqlite")
        return try database.read { database in
            var rows: [String: Int] = [:]
            for table in try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
            ) where !table.hasPrefix("grdb") && table != "account_end" {
                let columns = try Set(database.columns(in: table).map(\.name))
                let named = ["log", "owner"].filter(columns.contains)
                var conditions = named.map { "\($0) = ?1" }
                if table == "account" { conditions = ["id = ?1", "account = ?2"] }
                if table == "acquaintance" { conditions = ["account = ?1", "other = ?2"] }
                if table == "invitation" { conditions.append("claimant = ?2") }
                guard !conditions.isEmpty else { continue }
                let condition = conditions.joined(separator: " OR ")
                let count = try Int.fetchOne(
                    database,
                    sql:
                        "SELECT count(*) FROM \(table) WHERE ?1 NOTNULL AND ?2 NOTNULL AND (\(condition))",
                    arguments: [row, Data(id.hash.bytes)]
                )
                if let count, count > 0 { rows[table] = count }
            }
            return rows
        }
    }

    func blobFiles() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: server.path + "/blobs").sorted()
    }

    /// One row of every kind, large blobs and an upload on its way.
    func fill(_ person: inout TestPerson) async throws {
        let large = [UInt8](repeating: 7, count: 80_000)
        let first = try person.record(try person.file("a", blob: large))
        try await person.push([first], blobs: [large], to: server)
        try await person.stage([try person.record(try person.file("b"))], at: server)
        let length = UInt64(3 << 20)
        let segments = (0..<3 as Range<UInt8>).map { Hash256(sha256: [$0]) }
        let _: Lockbook_V1_UploadResponse = try await person.send(
            Lockbook_V1_UploadRequest.with {
                $0.name = Data(BlobName(length: length, segments: segments).hash.bytes)
                $0.length = length
                $0.segments = segments.map { Data($0.bytes) }
            },
            to: .upload,
            of: server
        )
        let _: Lockbook_V1_InviteResponse = try await person.send(
            Lockbook_V1_InviteRequest.with {
                $0.invitation = Data(repeating: 9, count: 16)
                $0.expires = server.clock.now * 1_000 + 60_000
            },
            to: .invite,
            of: server
        )
        for (one, other) in [(person, bob), (bob, person)] {
            let _: Lockbook_V1_AcquaintResponse = try await one.send(
                Lockbook_V1_AcquaintRequest.with {
                    $0.account = Data(other.account.hash.bytes)
                    $0.state = .known
                },
                to: .acquaint,
                of: server
            )
        }
    }

    @Test func `nothing is left of it but its name, its keys and what its owner signed`()
        async throws
    {
        var ada = ada
        try await fill(&ada)
        let row = try await stored(ada).key.row
        let before = try rows(of: row, ada.account)
        for table in [
            "account", "entry", "entry_group", "record", "blob", "version", "upload", "invitation",
            "acquaintance", "usage",
        ] { #expect(before[table] != nil, "\(table)") }
        #expect(try blobFiles().count == 5)
        try await end(ada)
        #expect(try rows(of: row, ada.account) == [:])
        #expect(try blobFiles() == ["uploads"])
        #expect(try await unfinished() == [])
        // Once more, as whose answer was lost, and with the word of another device.
        try await end(ada)
        try await end(ada, at: 8)
        let account = ada.account
        let kept = try await server.folder.store.read { try $0.end(of: account)?.statement }
        let first = try AccountEnd(verifying: kept ?? [], of: account)
        #expect(first.created == Timestamp(milliseconds: 7))
        // Who comes next has no row that was hers.
        var eve = try TestPerson("eve", seed: 3)
        try await eve.register(at: server)
        #expect(try await stored(eve).key.row > row)
        try await server.server.collect()
    }

    @Test func `only its owner ends it, and for this`() async throws {
        let before = try await server.stateHash(of: ada)
        for signer in [bob, ada] {
            var bytes = try AccountEnd(
                created: Timestamp(milliseconds: 7),
                by: signer.keys
            ).bytes
            if signer.account == ada.account { bytes[100] ^= 1 }
            let refusal = await refusal { try await send(bytes, as: ada) }
            #expect(
                refusal?.status == 401 || refusal?.status == 403,
                "\(String(describing: refusal))"
            )
        }
        // Signed by her, and sent by somebody else, it ends neither.
        let refusal = await refusal { try await end(bob, by: ada) }
        #expect(refusal != nil)
        #expect(try await server.stateHash(of: ada) == before)
        let _: Lockbook_V1_AccountResponse = try await bob.send(
            Lockbook_V1_AccountRequest(),
            to: .account,
            of: server
        )
    }

    @Test func `whatever it asks for, it is told that it is over`() async throws {
        var ada = ada
        try await end(ada)
        let asked: [() async throws -> Void] = [
            { [ada] in _ = try await ada.pull(after: ada.head, from: server) },
            {
                var ada = ada
                try await ada.register(at: server)
            },
            { [ada] in
                let _: Lockbook_V1_AccountResponse = try await ada.send(
                    Lockbook_V1_AccountRequest(),
                    to: .account,
                    of: server
                )
            },
            { [bob] in
                let _: Lockbook_V1_AccountResponse = try await bob.send(
                    Lockbook_V1_AccountRequest.with { $0.username = "ada" },
                    to: .account,
                    of: server
                )
            },
        ]
        for ask in asked {
            let told = await refusal(ask)
            #expect(told == Refused(status: 410, code: .ended))
        }
        let record = try ada.record(try ada.file("late"))
        let late = await refusal { [ada] in
            var ada = ada
            try await ada.push([record], to: server)
        }
        #expect(late == Refused(status: 410, code: .ended))
        // The name stays hers, whoever asks for it.
        var other = try TestPerson("ada", seed: 9)
        let taken = await refusal { try await other.register(at: server) }
        #expect(taken == .nameTaken)
    }

    @Test func `who asks for its log is given what its owner signed`() async throws {
        try await end(ada)
        for known in [ada.head, nil] {
            let update = try await bob.pull(after: known, from: server, log: ada.account)
            let end = try AccountEnd(verifying: Array(update.end), of: ada.account)
            #expect(end.created == Timestamp(milliseconds: 7))
            // To a program that does not know of it nothing is new.
            #expect(update.headPosition == known?.position ?? 0 && update.entries.isEmpty)
            #expect(Array(update.head) == known?.hash.bytes ?? [])
        }
        let refusal = await refusal {
            var request = Lockbook_V1_MissingRequest()
            request.log = Data(ada.account.hash.bytes)
            let _: Lockbook_V1_MissingResponse = try await bob.send(
                request,
                to: .missing,
                of: server
            )
        }
        #expect(refusal == Refused(status: 410, code: .ended))
    }

    /// Whoever was let through before it ended finds no account when it comes to writing.
    @Test func `what was on its way when it ended leaves nothing behind`() async throws {
        var ada = ada
        let known = try await stored(ada)
        let large = [UInt8](repeating: 7, count: 80_000)
        let record = try ada.record(try ada.file("a", blob: large))
        let (push, _) = try ada.push([record], blobs: [large])
        var stage = Lockbook_V1_StageRequest()
        stage.records = [Data(record.bytes)]
        stage.blobs = [Lockbook_V1_Blob(of: large)]
        let segments = [Hash256(sha256: [1]), Hash256(sha256: [2])]
        var upload = Lockbook_V1_UploadRequest()
        upload.name = Data(BlobName(length: 2 << 20, segments: segments).hash.bytes)
        upload.length = 2 << 20
        upload.segments = segments.map { Data($0.bytes) }
        var invite = Lockbook_V1_InviteRequest()
        invite.invitation = Data(repeating: 9, count: 16)
        invite.expires = server.clock.now * 1_000 + 60_000
        var acquaint = Lockbook_V1_AcquaintRequest()
        acquaint.account = Data(bob.account.hash.bytes)
        acquaint.state = .known
        try await end(ada)
        let late: [() async throws -> Void] = [
            { _ = try await server.server.push(for: known) { push } },
            { _ = try await server.server.stage(stage, for: known) },
            { _ = try await server.server.upload(upload, for: known) },
            { _ = try await server.server.invite(invite, for: known) },
            { _ = try await server.server.acquaint(acquaint, for: known) },
            { _ = try await server.server.pull(Lockbook_V1_PullRequest(), for: known) },
        ]
        for ask in late {
            do {
                try await ask()
                Issue.record("it was taken")
            } catch let refusal as Refusal {
                #expect(refusal.kind == .ended)
            }
        }
        #expect(try rows(of: known.key.row, ada.account) == [:])
        #expect(try blobFiles() == ["uploads"])
    }
}
