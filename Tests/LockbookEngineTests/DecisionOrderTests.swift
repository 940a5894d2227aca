import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// In which order a sync tells what it decided.
struct DecisionOrderTests {
    @Test func `a sync tells its decisions by path`() async throws {
        let alice = Person("alice", on: try TestServer())
        let laptop = try await alice.firstDevice()
        let paths = ["z", "b", "y", "c", "x", "a", "w", "d"].map { "/\($0).md" }
        for path in paths { try laptop.write(path, "base\n") }
        try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop)
        for path in paths {
            try laptop.write(path, "one\n")
            try phone.write(path, "two\n")
        }
        try await laptop.sync()

        let report = try await phone.sync()

        #expect(report.notes.map(\.path) == paths.sorted())
        #expect(Set(report.notes.map(\.kind)) == [.markers])
    }

    @Test func `a sync tells what it pushed by path`() {
        var report = SyncReport()
        report.pushed = ["/t", "/c.md", "/new.md", "/c.md"]
        report.nameOnce()
        #expect(report.pushed == ["/c.md", "/new.md", "/t"])
    }

    private func note(_ kind: SyncReport.Note.Kind, _ path: String) -> SyncReport.Note {
        SyncReport.Note(kind: kind, id: "", path: path, detail: "")
    }

    @Test func `what is found again is told once, in the order in which it was found`() {
        var report = SyncReport()
        report.notes = [note(.renamed, "/b"), note(.renamed, "/b")]
        let found = [note(.notPushed, "/c"), note(.notPushed, "/a"), note(.notPushed, "/c")]

        for _ in 0..<2 { report.note(once: found + [note(.renamed, "/b"), note(.trashed, "/b")]) }

        #expect(
            report.notes == [
                note(.renamed, "/b"), note(.renamed, "/b"), note(.notPushed, "/c"),
                note(.notPushed, "/a"), note(.trashed, "/b"),
            ]
        )
    }

    @Test func `decisions about one path are told by kind`() {
        var report = SyncReport()
        report.notes = [note(.trashed, "/b"), note(.renamed, "/b"), note(.trashed, "/a")]
        report.nameOnce()
        #expect(
            report.notes
                == [note(.trashed, "/a"), note(.renamed, "/b"), note(.trashed, "/b")]
        )
    }
}
