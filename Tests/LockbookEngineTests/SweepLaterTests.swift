import Foundation
import GRDB
import LockbookCrypto
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Files of contents that nothing names any more.
struct SweepLaterTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `go when they are old enough, also with a sync that has nothing to do`() async throws
    {
        let laptop = try await alice.firstDevice()
        // Random, or it would be small.
        var random = SystemRandomNumberGenerator()
        let large = (0..<400_000).map { _ in "\(UInt8.random(in: 0...255, using: &random))" }
            .joined()
        try laptop.write("/large", large)
        try await laptop.sync()
        func files() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: laptop.directory + "/blobs").count
        }
        #expect(try files() == 1)
        _ = try laptop.lockbook.purge([.path("/large")])
        // It is on the server still, and comes back when the purge does not get there.
        #expect(try files() == 1)
        #expect(try await laptop.sync().purged == ["/large"])
        #expect(try files() == 0)

        // What a process left that died before anything referred to it.
        let left = laptop.directory + "/blobs/" + String(repeating: "0a", count: 32)
        try Data("left".utf8).write(to: URL(filePath: left))
        try laptop.write("/small", "small")
        try await laptop.sync()
        // Another process may be about to name a young one.
        try await laptop.sync()
        #expect(try files() == 1)
        laptop.clock.pass(days: 1)
        let report = try await laptop.sync()
        #expect(report.pushed.isEmpty && report.pulled.isEmpty)
        #expect(try files() == 0)
    }

    @Test func `go with what refers to them, before any sync`() async throws {
        let laptop = try await alice.firstDevice(registered: false)
        for seed in 1...3 { try laptop.write("/large", noise(100_000, seed: UInt64(seed))) }
        try laptop.write("/other", noise(100_000, seed: 4))
        _ = try laptop.lockbook.purge([.path("/large")])
        let names = try FileManager.default.contentsOfDirectory(
            atPath: laptop.directory + "/blobs"
        )
        #expect(names.count == 1)
        #expect(try laptop.lockbook.validate() == [])
    }

    /// It slept between the two, or the clock was set.
    @Test func `stay where another process refers to them after they were found`() async throws {
        let laptop = try await alice.firstDevice()
        let store = laptop.lockbook.store
        let name = try #require(BlobFolder.name(String(repeating: "0a", count: 32)[...]))
        try Disk.makeFolder(store.blobs.path)
        try Data("whole".utf8).write(to: URL(filePath: store.blobs.path(of: name)))
        laptop.clock.pass(days: 1)
        let found = try store.read { try $0.sweepBlobs(unfinished: false) }
        #expect(found.whole == [name] && found.due == 0)
        let other = try laptop.again()
        try other.lockbook.store.write { try $0.addBlobFile(name) }
        store.removeFiles(of: found.whole)
        #expect(store.blobs.has(name))
    }

    /// A pipe may be silent for hours, and the machine may have slept.
    @Test func `stay while a process is at work on them`() async throws {
        let laptop = try await alice.firstDevice()
        let other = try laptop.again()
        let blobs = laptop.lockbook.store.blobs
        try Disk.makeFolder(blobs.path)
        let left = blobs.path + "/" + BlobFolder.unfinished + String(repeating: "0a", count: 8)
        try Data("left".utf8).write(to: URL(filePath: left))
        var pieces = ["end", noise(300_000, seed: 1)]
        try laptop.lockbook.write(.path("/a.txt"), append: false) {
            if pieces.count == 1 {
                other.clock.pass(days: 1)
                _ = try other.lockbook.store.read { try $0.sweepBlobs(unfinished: true) }
                #expect(try blobs.names().count == 1)
            }
            return pieces.popLast().map { Array($0.utf8) }
        }
        #expect(try await laptop.text("/a.txt") == noise(300_000, seed: 1) + "end")
        #expect(!Disk.exists(left))
    }

    private struct Stop: Error {}

    @Test func `go with a change that fails, unless something else names them`() async throws {
        let laptop = try await alice.firstDevice()
        let store = laptop.lockbook.store
        let blobs = (1...2).map { Array(noise(100_000, seed: $0).utf8) }
        let names = blobs.map { BlobName(of: $0) }
        try store.write { try $0.keepBlob(blobs[0], name: names[0]) }
        #expect(throws: Stop.self) {
            try store.write { tree in
                for (blob, name) in zip(blobs, names) { try tree.keepBlob(blob, name: name) }
                throw Stop()
            }
        }
        #expect(names.map { store.blobs.has($0) } == [true, false])
    }

    @Test func `go where what they were sealed for is not there any more`() async throws {
        let laptop = try await alice.firstDevice(holding: ["/a.txt": "a"])
        let store = laptop.lockbook.store
        var pieces = [Array(noise(300_000, seed: 1).utf8)]
        let writer = try store.read { try $0.writer(for: .path("/a.txt"), append: false) }
        let sealed = try writer.seal(
            from: { pieces.popLast() },
            environment: laptop.lockbook.environment,
            blobs: store.blobs
        )
        #expect(store.blobs.has(sealed.facts.blob))
        try laptop.delete("/a.txt")
        #expect(throws: LockbookError.notFound(path: "/a.txt")) {
            try store.change { try $0.keep(sealed, of: writer) }
        }
        #expect(!store.blobs.has(sealed.facts.blob))
    }

    @Test func `go where an import leaves the note as it was changed here`() async throws {
        let laptop = try await alice.firstDevice()
        let store = laptop.lockbook.store
        let place = try Place()
        try place.make("n.textbundle/assets")
        try place.write("n.textbundle/info.json", "{\"version\": 2}")
        try place.write("n.textbundle/text.md", "![](assets/a.bin)")
        let note = "/in/attachments/n/a.bin"
        // It says the same again, and then something else.
        let takes: [(seed: UInt64, problems: [String])] = [(1, []), (1, []), (2, [note])]
        for (seed, problems) in takes {
            try place.write("n.textbundle/assets/a.bin", noise(300_000, seed: seed))
            let report = try laptop.lockbook.importNotes(
                of: .bear,
                from: ["\(place.url.path)/n.textbundle"],
                to: "/in",
                progress: { _ in }
            )
            #expect(report.problems.map(\.path) == problems)
            try laptop.write(note, "changed here")
            let left = try store.read { tree in
                try store.blobs.names().filter { name in
                    try BlobFolder.name(name[...]).map { try !tree.hasBlob($0) } ?? true
                }
            }
            #expect(left == [])
        }
    }

    /// SQLite says so at the end of a transaction.
    private final class FailingCommit: TransactionObserver {
        private let code: ResultCode

        init(_ code: ResultCode) { self.code = code }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseWillCommit() throws { throw DatabaseError(resultCode: code) }
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
    }

    /// All pages are in the write-ahead log when the file that processes share is found to have no room: the next
    /// process that opens the database may find the change done.
    @Test(arguments: [(ResultCode.SQLITE_FULL, false), (.SQLITE_IOERR_SHMSIZE, true)])
    func `stay after a commit of which nobody knows whether it was made`(
        code: ResultCode,
        stays: Bool
    ) async throws {
        let laptop = try await alice.firstDevice()
        let store = laptop.lockbook.store
        let blob = Array(noise(100_000, seed: 1).utf8)
        let name = BlobName(of: blob)
        let commit = FailingCommit(code)
        store.queue.add(transactionObserver: commit)
        #expect(throws: LockbookError.noSpace(for: store.directory)) {
            try store.write { try $0.keepBlob(blob, name: name) }
        }
        store.queue.remove(transactionObserver: commit)
        #expect(store.blobs.has(name) == stays)
    }
}
