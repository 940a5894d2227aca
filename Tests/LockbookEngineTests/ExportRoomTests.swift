import Foundation
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a mirror may remove from a disk that is full, before all else is written.
struct ExportRoomTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    private func contents(_ path: String, on device: Device) throws -> Set<BlobPrefix> {
        try device.lockbook.store.read { tree in
            let file = try tree.file(tree.find(.path(path)))
            return Set([file.content?.blobPrefix].compactMap(\.self))
        }
    }

    @Test func `it is what is in the trash, with what it had, and nothing else`() async throws {
        let laptop = try await alice.firstDevice(
            holding: ["/keep.md": "a", "/gone.md": "b", "/dir/": "", "/dir/in.md": "c"]
        )
        var gone = try contents("/gone.md", on: laptop)
        try laptop.write("/gone.md", "b again")
        gone.formUnion(try contents("/gone.md", on: laptop))
        gone.formUnion(try contents("/dir/in.md", on: laptop))
        try #require(gone.count == 3)
        try laptop.delete("/gone.md")
        try laptop.delete("/dir")
        try laptop.write("/keep.md", "a again")

        #expect(try laptop.lockbook.store.read { try $0.contentsInTrash() } == gone)
    }

    @Test func `what was moved stays where it was, until it is written where it is`() async throws {
        let laptop = try await alice.firstDevice(
            holding: ["/moved.md": "a", "/gone.md": "b"]
        )
        let place = try Place()
        try await place.export(laptop, .mirroring)
        try laptop.move("/moved.md", to: "/new.md")
        try laptop.write("/new.md", "a again")
        try laptop.delete("/gone.md")
        let lockbook = laptop.lockbook
        let (top, links) = try lockbook.exportTop(.path("/"))
        let target = try ExportTarget(place.url.path, of: top.type, named: top.name, tag: "tag")
        let sealed = try lockbook.store.read { try $0.exported(at: target.identity) }
        let memory = try ExportMemory(opening: sealed, with: lockbook.account.deviceKey)
        let plan = try ExportPlan(of: top, with: links)
        var writing = try DiskExport(
            lockbook: lockbook,
            target: target,
            ledger: ExportLedger(source: top.exported, memory: memory),
            options: ExportOptions()
        )

        let rooms = try [writing.makeRoom(after: plan), writing.makeRoom(after: plan)]
        #expect(rooms == [true, false])
        #expect(try place.facts().keys.sorted() == ["moved.md"])
    }

    @Test func `what went on after it had no room tells what both did`() {
        var first = TransferReport()
        (first.created, first.updated, first.removed, first.bytes) = (2, 1, 1, 10)
        var again = TransferReport()
        (again.created, again.unchanged, again.removed, again.bytes) = (4, 5, 2, 20)
        let report = again.joined(to: first)
        #expect((report.created, report.updated, report.unchanged) == (6, 1, 2))
        #expect((report.removed, report.bytes) == (3, 30))
    }
}
