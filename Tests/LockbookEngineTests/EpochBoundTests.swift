import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Each entry of a log adds at most one to the epoch of a file.
@Suite struct EpochBoundTests {
    private let laptop: Device

    init() async throws {
        laptop = try await Person("ada", on: try TestServer()).firstDevice()
        try laptop.write("/a.md", "a")
        try await laptop.sync()
    }

    /// What a server would show that let a key jump ahead, in an entry that an author signed.
    private func merge(epoch: UInt32) throws -> MergeResult {
        try laptop.lockbook.store.write { tree in
            let note = try tree.find(.path("/a.md"))
            var file = try tree.file(note)
            file.epoch = epoch
            let key = FileKey(random: .system)
            var records: [FileID: FileRecord] = [:]
            for row in [try tree.rootRow(), note] {
                records[row.id] = try FileRecord(#require(row.base))
            }
            records[note.id] = try FileRecord(
                sealing: file,
                owner: tree.owner,
                key: key,
                previous: tree.key(of: note),
                in: tree.folderKeys(above: note),
                random: .system
            )
            let newest = try EntryHeader(#require(try tree.setting(.newestHeader)))
            return try tree.merge(VerifiedPage(newest: newest, records: records), [:])
        }
    }

    @Test func `as high as there are entries it may be`() throws {
        let position = try #require(try laptop.lockbook.store.read { try $0.head()?.position })
        guard case .done(let summary) = try merge(epoch: UInt32(position) + 1) else {
            Issue.record("a question where nothing was changed here")
            return
        }
        #expect(summary.paths == ["/a.md"])
    }

    @Test(arguments: [1, 1_000, UInt32(Int32.max) - 10])
    func `higher it is the server's fault, and nothing changes`(by jump: UInt32) async throws {
        let position = try #require(try laptop.lockbook.store.read { try $0.head()?.position })
        let before = try await laptop.snapshot()
        #expect {
            try merge(epoch: UInt32(position) + 1 + jump)
        } throws: { error in
            if case Violation.epoch = error { true } else { false }
        }
        #expect(try await laptop.snapshot() == before)
    }
}
