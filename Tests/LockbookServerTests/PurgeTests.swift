import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import Testing

/// What is purged is gone: from the state, from pages, and its contents from the disk.
struct PurgeTests {
    let server: TestServer
    var ada: TestPerson

    init() async throws {
        server = try TestServer()
        ada = try await TestPerson.ada(at: server)
    }

    private func files() async throws -> [FileID] {
        let account = ada.account
        return try await server.folder.store.read { store in
            guard let account = try store.account(id: account) else { return [] }
            return try store.state(
                of: account.key,
                at: account.head.position,
                after: nil,
                limit: 100
            ).map(\.file)
        }
    }

    @Test
    mutating func `every content it ever had goes, at once as for readers, soon from the disk`()
        async throws
    {
        let id = FileID(random: .system)
        let old = [UInt8](repeating: 1, count: 100)
        let large = [UInt8](repeating: 2, count: 100_000)
        let other = [UInt8](repeating: 3, count: 100)
        try await ada.push([ada.record(ada.file("a", id: id, blob: old))], blobs: [old], to: server)
        try await ada.push(
            [
                ada.record(ada.file("a", id: id, blob: large)),
                ada.record(ada.file("b", blob: other)),
            ],
            blobs: [large, other],
            to: server
        )
        let before = try await files()
        let response = try await ada.push([], purging: [id], to: server)
        #expect(response.accepted == Lockbook_V1_Accepted())
        #expect(try await files() == before.filter { $0 != id })
        server.clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        #expect(try await !ada.finds(old, at: server))
        #expect(try await !ada.finds(large, at: server))
        #expect(try await ada.finds(other, at: server))

        let all = try await ada.pull(after: nil, from: server)
        #expect(all.entries.count == 4)
        let sent = try all.records.map { try FileRecord(Array($0)).facts.id }
        #expect(!sent.contains(id) && sent.count == 2)
    }

    @Test mutating func `a folder does not go while something is in it, and nothing comes after`()
        async throws
    {
        let folder = try ada.file("f", type: .folder)
        let note = try ada.file("n", in: folder.id, isDeleted: true)
        let records = [try ada.record(folder), try ada.record(note)]
        try await ada.push(records, to: server)
        await #expect(throws: Refused.violation) {
            var ada = ada
            try await ada.push([], purging: [folder.id], to: server)
        }
        await #expect(throws: Refused.violation) {
            var ada = ada
            try await ada.push([], purging: [FileID(random: .system)], to: server)
        }
        await #expect(throws: Refused.malformed) {
            var ada = ada
            try await ada.push([], to: server)
        }
        try await ada.push([], purging: [folder.id, note.id], to: server)
        await #expect(throws: Refused.violation) {
            var ada = ada
            try await ada.push([ada.record(ada.file("m", in: folder.id))], to: server)
        }
        // The name and the place are free.
        try await ada.push([ada.record(ada.file("f"))], to: server)
        #expect(try await files().count == 2)
    }

    @Test mutating func `an id that was purged is given to nothing else again`() async throws {
        let id = FileID(random: .system)
        try await ada.push([ada.record(ada.file("a", id: id))], to: server)
        try await ada.push([], purging: [id], to: server)
        var forgetful = ada
        forgetful.folders[id] = nil
        for record in [
            try forgetful.record(forgetful.file("a", id: id)),
            try ada.record(ada.file("a", id: id, type: .folder)),
            try ada.record(ada.file("a", id: id, epoch: 2)),
        ] {
            await #expect(throws: Refused.violation) {
                var ada = ada
                try await ada.push([record], to: server)
            }
        }
        #expect(try await files() == [ada.root])
        // A copy of her data folder that was put back has it as it was.
        let again = try await ada.push([ada.record(ada.file("b", id: id))], to: server)
        #expect(again.outcome == .accepted(Lockbook_V1_Accepted()))
    }
}
