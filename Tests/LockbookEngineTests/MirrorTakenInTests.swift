import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What was edited on the disk, and what became of its note.
struct MirrorTakenInTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func take(in place: Place, _ device: Device) throws -> TransferReport {
        try device.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
    }

    @Test(arguments: [false, true])
    func `a mirror removes what an import took in, and not what was edited once more`(
        isLarge: Bool
    ) async throws {
        let laptop = try await ada.firstDevice()
        let rest = isLarge ? String(repeating: " long", count: 100_000) : ""
        let names = ["again.md", "refused.md", "taken.md", "untaken.md"]
        for name in names { try laptop.write("/deep/\(name)", "exported" + rest) }
        let place = try Place()
        try await place.export(laptop, .mirroring)
        for name in names where name != "untaken.md" {
            try place.write("deep/\(name)", "edited" + rest)
        }
        try laptop.write("/deep/refused.md", "changed here")
        let taken = try take(in: place, laptop)
        #expect((taken.updated, taken.problems.count) == (2, 1))
        for name in ["again.md", "untaken.md"] {
            try place.write("deep/\(name)", "edited once more" + rest)
        }
        try laptop.delete("/deep")

        for removed in [1, 0] {
            let report = try await place.export(laptop, .mirroring)
            #expect(report.removed == removed)
            let left = names.filter { $0 != "taken.md" }.map { "deep/\($0)" }
            #expect(report.problems.map(\.path).sorted() == left.map { "\(place.url.path)/\($0)" })
            #expect(try place.facts().keys.sorted() == left)
        }
        // What it removed is in the trash.
        _ = try laptop.lockbook.restore([.path("/deep")])
        #expect(try await laptop.text("/deep/taken.md") == "edited" + rest)
    }

    @Test(arguments: [false, true])
    func `what an import took in is in the history where it was undone, and the disk follows`(
        isLarge: Bool
    ) async throws {
        let laptop = try await ada.firstDevice()
        let rest = isLarge ? String(repeating: " long", count: 100_000) : ""
        try laptop.write("/a.md", "exported" + rest)
        let place = try Place()
        try await place.export(laptop)
        try place.write("a.md", "edited" + rest)
        #expect(try take(in: place, laptop).updated == 1)
        _ = try laptop.lockbook.undo()

        #expect(try await place.export(laptop).updated == 1)
        #expect(try place.text("a.md") == "exported" + rest)
        var texts: Set<String> = []
        for version in try await laptop.lockbook.history(.path("/a.md")).versions {
            _ = try await laptop.lockbook.restore(.path("/a.md"), version: version.version)
            texts.insert(try await laptop.text("/a.md"))
        }
        #expect(texts == ["exported" + rest, "edited" + rest])
    }

    @Test func `a mirror removes what an import took in behind a link`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "stays.md"])
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        let place = try Place()
        try await place.export(desk, .mirroring)
        for note in ["team/plan.md", "alone.md"] { try place.write(note, "edited") }
        #expect(try take(in: place, desk).updated == 2)
        try desk.delete("/team/plan.md")
        try desk.lockbook.leaveShare(.path("/alone.md"))

        let report = try await place.export(desk, .mirroring)
        #expect(report.problems == [])
        #expect(report.removed == 2)
        #expect(try place.facts().keys.sorted() == ["team/stays.md"])
    }
}
