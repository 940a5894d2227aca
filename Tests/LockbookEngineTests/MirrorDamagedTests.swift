import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

struct MirrorDamagedTests {
    @Test func `a mirror removes nothing while a part of the tree is damaged`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        try laptop.write("/a.md", "a")
        try laptop.write("/b.md", "b")
        let place = try Place()
        try await place.export(laptop)
        try laptop.delete("/b.md")
        let lockbook = laptop.lockbook
        let top = try lockbook.store.read { try $0.exportTop(.path("/")) }
        let target = try ExportTarget(place.url.path, of: top, tag: "tag")
        let sealed = try lockbook.store.read { try $0.exported(at: target.identity) }
        let memory = try ExportMemory(opening: sealed, with: lockbook.account.deviceKey)
        #expect(memory.folders[""]?.files.count == 2)
        var plan = try lockbook.store.read { try $0.exportPlan(top) }
        plan.items = plan.items.map { item in
            var entry = item.entry
            entry.isDamaged = true
            return ExportItem(
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

        #expect(writing.report.removed == 0)
        #expect(writing.report.problems.count == 1)
        #expect(try place.facts().keys.sorted() == ["a.md", "b.md"])
    }
}
