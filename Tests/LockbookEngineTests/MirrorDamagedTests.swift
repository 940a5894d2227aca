import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

struct MirrorDamagedTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Removes what is gone from the lockbook, while some of what is there is damaged.
    private func removeGone(
        from place: Place,
        of lockbook: Lockbook,
        damaged isDamaged: (_ path: String) -> Bool
    ) throws -> TransferReport {
        let (top, links) = try lockbook.exportTop(.path("/"))
        let target = try ExportTarget(place.url.path, of: top.type, named: top.name, tag: "tag")
        let sealed = try lockbook.store.read { try $0.exported(at: target.identity) }
        let memory = try ExportMemory(opening: sealed, with: lockbook.account.deviceKey)
        var plan = try ExportPlan(of: top, with: links)
        plan.items = plan.items.map { item in
            guard isDamaged(item.path) else { return item }
            var entry = item.entry
            entry.isDamaged = true
            return ExportItem(
                lockbook: item.lockbook,
                entry: entry,
                path: item.path,
                components: item.components,
                folder: item.folder
            )
        }
        var writing = DiskExport(
            lockbook: lockbook,
            target: target,
            ledger: ExportLedger(source: top.id, memory: memory),
            options: ExportOptions()
        )
        writing.removeGone(after: plan)
        return writing.report
    }

    @Test func `a mirror removes nothing while a part of the tree is damaged`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/a.md", "a")
        try laptop.write("/b.md", "b")
        let place = try Place()
        try await place.export(laptop)
        try laptop.delete("/b.md")

        let report = try removeGone(from: place, of: laptop.lockbook) { _ in true }

        #expect(report.removed == 0)
        #expect(report.problems.count == 1)
        #expect(try place.facts().keys.sorted() == ["a.md", "b.md"])
    }

    @Test(arguments: ["/team", "/alone.md"])
    func `what is damaged behind a link keeps only what is there`(damaged: String) async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "old.md"])
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        for note in ["/own.md", "/gone.md"] { try desk.write(note, "own") }
        let place = try Place()
        try await place.export(desk)
        for note in ["/gone.md", "/team/old.md"] { try desk.delete(note) }

        let report = try removeGone(from: place, of: desk.lockbook) { $0.hasPrefix(damaged) }

        #expect(report.problems.map(\.path) == [damaged])
        let isTeam = damaged == "/team"
        #expect(report.removed == (isTeam ? 1 : 2))
        #expect(
            try place.facts().keys.sorted() == ["alone.md", "own.md"]
                + (isTeam ? ["team/old.md"] : []) + ["team/plan.md"]
        )
    }
}
