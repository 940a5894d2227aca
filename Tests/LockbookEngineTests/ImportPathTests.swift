import Foundation
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Where what is imported goes.
struct ImportPathTests {
    @Test func `a path is made of its names, and told by them`() throws {
        let path = ImportPath(try ["a", "caf\u{e9}"].map { try FileName($0) })
        #expect(path.text == "/a/caf\u{e9}")
        #expect(path.folder == "/a")
        #expect(try path.name == FileName("caf\u{e9}"))
        #expect(try path.names.map(\.text) == ["a", "caf\u{e9}"])
        let root = ImportPath([FileName]())
        #expect(root.text.isEmpty && root.folder.isEmpty && root.name == nil)
        #expect(root.shown == "/")
        #expect(try root.names.isEmpty)
    }

    @Test func `two that differ in how an accent is written are one place, and two texts`() throws {
        let folder = ImportPath([try FileName("f")])
        let one = folder.appending(try FileName("caf\u{e9}"))
        let other = folder.appending(try FileName("cafe\u{301}"))
        #expect(one.normalized == other.normalized)
        #expect(Array(one.text.utf8) != Array(other.text.utf8))
        #expect(try other.name == FileName("cafe\u{301}"))
    }

    @Test func `a batch begins however deep, and takes no more of the stack for that`() async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let folders = String(repeating: "/d", count: 4_000)
        let store = laptop.lockbook.store
        let report = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<TransferReport, any Error>) in
            let thread = Thread {
                continuation.resume(with: Result { try take("\(folders)/x.md", into: store) })
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(report.created == 1)
        #expect(report.problems.isEmpty)
        #expect(try await laptop.text("\(folders)/x.md") == "x")
    }

    @Test func `what has no name for a note is told, alone or beside what is taken`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let place = try Place()
        let (good, bad) = ("\(place.url.path)/good.md", "\(place.url.path)/a\u{1b}b.md")
        for path in [good, bad] { try "x".write(toFile: path, atomically: false, encoding: .utf8) }
        let problem = TransferReport.Problem(
            path: bad,
            reason: "a name cannot have control characters in it"
        )
        for sources in [[bad], [bad, good]] {
            let report = try laptop.lockbook.importFromDisk(sources, to: "/") { _ in }
            #expect(report.problems == [problem])
            #expect(report.created == sources.count - 1)
        }
        let named = try laptop.lockbook.importFromDisk([bad], to: "/named.md") { _ in }
        #expect(named.created == 1 && named.problems.isEmpty)
    }

    private func take(_ path: String, into store: LocalStore) throws -> TransferReport {
        var importing = DiskImport(store: store, options: ImportOptions()) { _ in }
        try importing.append(
            ImportItem(
                path: ImportPath(try LocalTree.names(of: path)),
                source: "x.md",
                bytes: Array("x".utf8),
                modified: Timestamp(milliseconds: 0),
                isExecutable: false
            )
        )
        try importing.flush()
        return importing.report
    }
}
