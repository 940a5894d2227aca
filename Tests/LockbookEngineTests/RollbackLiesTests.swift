import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import Testing

/// What a server that was put back, and is accepted so, is believed of the time before: what its
/// authors signed, so that it cannot go on for ever.
struct RollbackLiesTests {
    private let server: TestServer
    private let laptop: Device

    init() async throws {
        server = try TestServer()
        laptop = try await Person("alice", on: server).firstDevice()
        try laptop.write("/a.md", "one")
        try await laptop.sync()
    }

    enum Lie: CaseIterable {
        /// The log once more, behind its end.
        case again
        /// Another entry, which nobody signed.
        case unsigned
        /// A first entry that lists less than it did.
        case groupless
    }

    @Test(arguments: Lie.allCases)
    func `an entry that is none stops it`(lie: Lie) async throws {
        try await loseChange()
        laptop.lieAboutLogs { log in
            // Only where the log is read from its beginning.
            guard let first = log.entries.first, let last = log.entries.last,
                try EntryHeader(Array(first.header)).position == 0
            else { return }
            switch lie {
            case .again: log.entries += log.entries
            case .unsigned:
                var made = last
                made.header = Data(try Self.unsigned(after: EntryHeader(Array(last.header))))
                log.entries.append(made)
            case .groupless: log.entries[0].groups = []
            }
        }
        try await isRefused()
    }

    @Test func `a checkpoint's state without one of its files stops it`() async throws {
        let signing = try laptop.again(signingAfter: 1)
        try signing.write("/b.md", "two")
        try await signing.sync()
        try await loseChange()
        laptop.lieAboutLogs { log in
            if log.hasCheckpoint { log.checkpoint.items.removeLast() }
        }
        try await isRefused()
    }

    private var accepting: SyncOptions {
        var options = SyncOptions()
        options.acceptsRollback = true
        return options
    }

    /// A change that this device synced is not at the server any more.
    private func loseChange() async throws {
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/a.md", "changed")
        try await laptop.sync()
        try server.restore(backup)
    }

    /// Nothing changes, and it comes through when the server tells the truth.
    private func isRefused(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let before = try await laptop.snapshot()
        await isFoundOut(sourceLocation: sourceLocation) { try await laptop.sync(accepting) }
        #expect(try await laptop.snapshot() == before, sourceLocation: sourceLocation)
        laptop.faults.tellTruth()
        let report = try await laptop.sync(accepting)
        #expect(report.pushed == ["/a.md"], sourceLocation: sourceLocation)
    }

    /// A header in its place, as of the same author and device, with a signature that is none.
    private static func unsigned(after header: EntryHeader) throws -> [UInt8] {
        let position = header.position + 1
        // Format and log come before the position, and the header before after it.
        var bytes = Array(header.bytes.prefix(33))
        bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: position >> (8 * $0)) }
        return bytes + header.hash.bytes + header.bytes.dropFirst(73)
    }
}
