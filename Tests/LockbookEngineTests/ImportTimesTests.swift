import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Times are their authors' claims: they decide what an import takes only where nothing else is known.
struct ImportTimesTests {
    /// What the device knows of a file.
    enum Known: CaseIterable, Sendable {
        case nothing, exported, takenIn
    }

    private func takeEdited(
        _ known: Known,
        newer isFileNewer: Bool,
        noteChanged isNoteChanged: Bool
    ) async throws -> (report: TransferReport, text: String) {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let place = try Place()
        func take() throws -> TransferReport {
            try laptop.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
        }
        if known == .takenIn {
            try place.write("n.md", "one")
            #expect(try take().created == 1)
        } else {
            try laptop.write("/n.md", "one")
            if known == .exported { try await place.export(laptop) }
        }
        if isNoteChanged { try laptop.write("/n.md", "here") }
        try place.write("n.md", "disk")
        let seconds: TimeInterval = isFileNewer ? 300_000_000 : -300_000_000
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: seconds)],
            ofItemAtPath: place.url.appending(path: "n.md").path
        )
        return (try take(), try await laptop.text("/n.md"))
    }

    @Test(arguments: Known.allCases, [false, true])
    func `what is known of a file decides before its time does`(
        _ known: Known,
        isFileNewer: Bool
    ) async throws {
        for isNoteChanged in [false, true] {
            let (report, text) = try await takeEdited(
                known,
                newer: isFileNewer,
                noteChanged: isNoteChanged
            )
            let isTaken = known == .nothing ? isFileNewer : !isNoteChanged
            #expect(text == (isTaken ? "disk" : isNoteChanged ? "here" : "one"))
            #expect(report.updated == (isTaken ? 1 : 0))
            let reason = "the note was changed in the lockbook; --force takes the file's text"
            #expect(report.problems.map(\.reason) == (isTaken ? [] : [reason]))
            // That it took the place of a note of which nothing was known is told.
            #expect(report.replaced?.isEmpty == !(isTaken && known == .nothing))
        }
    }

    @Test(arguments: [false, true])
    func `what the disk says is of years to come is of now`(isLarge: Bool) async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let place = try Place()
        let rest = isLarge ? String(repeating: " long", count: 100_000) : ""
        func take(_ text: String) throws -> TransferReport {
            try place.write("n.md", text + rest)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 300_000_000)],
                ofItemAtPath: place.url.appending(path: "n.md").path
            )
            return try laptop.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
        }
        for text in ["one", "two"] {
            #expect(try take(text).problems == [])
            laptop.clock.pass(days: 1)
            try laptop.write("/later.md", text)
            let recent = try laptop.lockbook.recent(9)
            #expect(recent.map(\.path) == ["/later.md", "/n.md"])
        }
        // It is taken in where the note stayed as it was, and not where that was changed.
        #expect(try take("two").unchanged == 1)
        try laptop.write("/n.md", "here")
        #expect(try take("three").problems.count == 1)
        #expect(try await laptop.text("/n.md") == "here")
    }

    @Test func `a note that says it is of tomorrow follows what was exported of it`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let place = try Place()
        laptop.clock.pass(days: 1)
        try laptop.write("/n.md", "one")
        laptop.clock.pass(days: -1)
        try await place.export(laptop)
        try place.write("n.md", "edited")
        let source = "\(place.url.path)/."
        let report = try laptop.lockbook.importFromDisk([source], to: "/") { _ in }
        #expect(report.problems == [])
        #expect(try await laptop.text("/n.md") == "edited")
    }
}
