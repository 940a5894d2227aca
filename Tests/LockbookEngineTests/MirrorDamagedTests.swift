import Foundation
import LockbookModel
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
                name: item.name,
                folder: item.folder
            )
        }
        var writing = try DiskExport(
            lockbook: lockbook,
            target: target,
            ledger: ExportLedger(source: top.exported, memory: memory),
            options: ExportOptions()
        )
        try writing.removeGone(after: plan)
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
        #expect(report.problems == [])
        #expect(report.unremoved == ["/"])
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

        let isTeam = damaged == "/team"
        #expect(report.unremoved == (isTeam ? ["/team"] : nil))
        #expect(report.removed == (isTeam ? 1 : 2))
        #expect(
            try place.facts().keys.sorted() == ["alone.md", "own.md"]
                + (isTeam ? ["team/old.md"] : []) + ["team/plan.md"]
        )
    }

    @Test func `what is damaged behind a link keeps what stands where that was`() async throws {
        let (_, desk) = try await shared()
        try desk.write("/gone.md", "own")
        let place = try Place()
        try await place.export(desk)
        try desk.delete("/gone.md")
        try desk.move("/team", to: "/crew")

        let report = try removeGone(from: place, of: desk.lockbook) { $0.hasPrefix("/crew") }

        #expect(report.unremoved == ["/crew"])
        #expect(report.removed == 1)
        #expect(try place.facts().keys.sorted() == ["team/plan.md"])
    }

    /// - Parameter isInTheWay: whether the old copy has to go before the note can be written.
    @Test(arguments: [false, true])
    func `a content that does not open keeps the copy under an earlier name`(isInTheWay: Bool)
        async throws
    {
        let laptop = try await ada.firstDevice()
        let old = isInTheWay ? "/new.md/old.md" : "/old.md"
        try laptop.write(old, noise(100_000, seed: 1))
        try laptop.write("/gone.md", "gone")
        let place = try Place()
        try await place.export(laptop, .mirroring)
        try laptop.spoilContents()
        try laptop.move(old, to: "/moved.md")
        if isInTheWay { try laptop.delete("/new.md") }
        try laptop.move("/moved.md", to: "/new.md")
        try laptop.delete("/gone.md")
        for _ in 0..<2 {
            let report = try await place.export(laptop, .mirroring)
            #expect(report.removed == 0)
            #expect(report.problems.count == 1)
            #expect(report.unremoved == ["/"])
            #expect(try place.facts().keys.sorted() == ["gone.md", String(old.dropFirst())])
        }
        try laptop.write("/new.md", "new")
        #expect(try await place.export(laptop, .mirroring).removed == 2)
        #expect(try place.facts().keys.sorted() == ["new.md"])
        #expect(try place.text("new.md") == "new")
    }

    @Test func `where nothing would go, nothing is said of what stays`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/own.md", noise(100_000, seed: 1))
        try laptop.write("/seen.md", "seen")
        try laptop.write("/gone.md", "gone")
        let place = try Place()
        try await place.export(laptop, .mirroring)
        try laptop.spoilContents()
        try laptop.move("/own.md", to: "/new.md")
        try laptop.delete("/gone.md")
        for path in ["own.md", "gone.md"] {
            try FileManager.default.removeItem(at: place.url.appending(path: path))
        }
        try laptop.write("/seen.md", "seen again")
        let report = try await place.export(laptop, .mirroring)
        #expect(report.updated == 1)
        #expect(report.problems.map(\.path) == ["/new.md"])
        #expect(report.unremoved == nil)
    }

    @Test(arguments: [false, true])
    func `an earlier version under its own name is copy enough`(isAnothers: Bool) async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/own.md", noise(100_000, seed: 1))
        try laptop.write("/gone.md", "gone")
        let place = try Place()
        try await place.export(laptop, .mirroring)
        let name = isAnothers ? "/gone.md" : "/own.md"
        try laptop.delete("/gone.md")
        if isAnothers { try laptop.move("/own.md", to: name) }
        try laptop.write(name, noise(100_000, seed: 2))
        try laptop.spoilContents()

        let report = try await place.export(laptop, .mirroring)

        #expect(report.removed == (isAnothers ? 0 : 1))
        #expect(try place.facts().keys.sorted() == (isAnothers ? ["gone.md"] : []) + ["own.md"])
        #expect(try place.text("own.md") == noise(100_000, seed: 1))
    }

    /// - Parameter isFormer: whether an earlier program exported it, which put down no owners.
    @Test(arguments: ["/team", "/alone.md"], [false, true])
    func `what is not here of a link that was renamed stays where that stood`(
        link: String,
        isFormer: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        try desk.write("/gone.md", "own")
        let place = try Place()
        try await place.export(desk, .mirroring)
        if isFormer { try place.forgetOwners(of: desk) }
        let below = link == "/team" ? "/plan.md" : ""
        try forgetContent(of: link + below, on: desk, as: laptop)
        try desk.move(link, to: "/moved")
        try desk.delete("/gone.md")
        for removed in [1, 0] {
            desk.faults.next("/v1/blobs", .lost)
            let report = try await place.export(desk, .mirroring)
            #expect(report.problems.map(\.path) == ["/moved" + below])
            #expect(report.unremoved == ["/moved"])
            #expect(report.removed == removed)
            #expect(try place.facts().keys.sorted() == ["alone.md", "team/plan.md"])
        }
        let report = try await place.export(desk, .mirroring)
        #expect(report.problems == [])
        #expect(report.removed == 1)
        let left = link == "/team" ? "alone.md" : "team/plan.md"
        #expect(try place.facts().keys.sorted() == [left, "moved" + below].sorted())
    }

    /// A note of another account's is on the server alone.
    private func forgetContent(of path: String, on device: Device, as owner: Device) throws {
        let id = try #require(FileID(hex: try owner.lockbook.info(.path(path)).id))
        let account = try #require(try device.lockbook.store.read { try $0.followed() }.first)
        let other = try #require(try device.lockbook.shared(by: account))
        try other.store.write { tree in
            let row = try #require(try tree.row(id))
            let content = try #require(try tree.file(row).content)
            try tree.forgetBytes(of: content.blob)
            try tree.markAbsent(row.id, blob: content.blob, size: content.blobSize)
        }
    }
}
