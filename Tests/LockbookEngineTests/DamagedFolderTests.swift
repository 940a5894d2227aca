import GRDB
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A member who signs nonsense over folders, in which other people's notes stand.
struct DamagedFolderTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    private func members() async throws -> (laptop: Device, desk: Device, intruder: Intruder) {
        let (laptop, desk) = try await shared(holding: ["plan.md", "sub/a.md", "sub/deep/b.md"])
        let cafe = try await bob.device(named: "cafe", like: desk)
        return (laptop, desk, try Intruder(cafe, in: "/team"))
    }

    // What another key names is refused by the server.
    private static let accepted: [Intruder.Nonsense] = [.wrappedKey, .body, .laterFormat]
    private static let refused: [Intruder.Nonsense] = [.keyCommitment, .otherKey]

    @Test(arguments: accepted)
    func `goes back, and all that is in it opens everywhere`(_ nonsense: Intruder.Nonsense)
        async throws
    {
        let (laptop, desk, intruder) = try await members()
        try await intruder.write(nonsense, over: "sub")

        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.overruled])
        #expect(report.notes.map(\.path) == ["/team/sub"])
        #expect(report.notes.map(\.detail) == ["bob"])
        #expect(report.pushed == ["/team/sub"])
        #expect(try await laptop.text("/team/sub/a.md") == "sub/a.md")
        try await desk.sync()
        #expect(try await desk.text("/team/sub/deep/b.md") == "sub/deep/b.md")
        let tablet = try await ada.device(named: "tablet", like: laptop)
        #expect(try await tablet.text("/team/sub/deep/b.md") == "sub/deep/b.md")
        try await converge(ada, laptop, tablet)
    }

    @Test(arguments: accepted)
    func `over the shared folder itself goes back, too`(_ nonsense: Intruder.Nonsense) async throws
    {
        let (laptop, desk, intruder) = try await members()
        try await intruder.write(nonsense)
        let tablet = try await ada.device(named: "tablet", like: laptop)
        #expect(try await laptop.sync().notes.map(\.kind) == [.overruled])
        #expect(try await laptop.text("/team/sub/a.md") == "sub/a.md")
        try await desk.sync()
        #expect(try await desk.text("/team/sub/a.md") == "sub/a.md")
        try await tablet.sync()
        #expect(try await tablet.text("/team/sub/a.md") == "sub/a.md")
        try await converge(ada, laptop, tablet)
    }

    @Test(arguments: accepted)
    func `is damaged on a new device until one that knew it has synced`(
        _ nonsense: Intruder.Nonsense
    )
        async throws
    {
        let (laptop, desk, intruder) = try await members()
        try await intruder.write(nonsense, over: "sub")
        let tablet = try await ada.device(named: "tablet", like: laptop)
        let phone = try await bob.device(named: "phone", like: desk, synced: false)
        let listed = try tablet.paths()
        #expect(listed.contains("/team/plan.md"))
        #expect(!listed.contains("/team/sub/"))
        try tablet.write("/team/more.md", "more")
        try await tablet.sync()
        if nonsense == .laterFormat {
            // To who wrote it, it is what a newer program of his wrote.
            await #expect(throws: LockbookError.self) { try await phone.sync() }
        } else {
            try await phone.sync()
        }
        try await laptop.sync()
        for device in [tablet, phone, desk] {
            try await device.sync()
            #expect(try await device.text("/team/sub/deep/b.md") == "sub/deep/b.md")
        }
        try await converge(ada, laptop, tablet)
    }

    @Test(arguments: accepted)
    func `goes back also when it was renamed there and back before that`(
        _ nonsense: Intruder.Nonsense
    ) async throws {
        let (laptop, desk, intruder) = try await members()
        try await intruder.write(nonsense, over: "sub")
        laptop.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.move("/team/sub", to: "/team/other")
        try laptop.move("/team/other", to: "/team/sub")
        try await laptop.sync()
        try await desk.sync()
        for device in [laptop, desk] {
            #expect(try await device.text("/team/sub/deep/b.md") == "sub/deep/b.md")
        }
        let tablet = try await ada.device(named: "tablet", like: laptop)
        try await converge(ada, laptop, tablet)
    }

    @Test(arguments: accepted)
    func `keeps no member from syncing what he changed below it`(_ nonsense: Intruder.Nonsense)
        async throws
    {
        let (laptop, desk, intruder) = try await members()
        let phone = try await carol.firstDevice(named: "phone")
        try await share("/team", .write, laptop, phone)
        try phone.move("/team/sub/deep", to: "/team/sub/low")
        try phone.write("/team/sub/a.md", "hers")
        try phone.write("/team/sub/new.md", "new")
        try await intruder.write(nonsense, over: "sub")
        let report = try await phone.sync()
        #expect(report.notes.contains { $0.kind == .damaged && $0.detail == "bob" })
        // What is new there has a place of its own, whoever puts the folder back.
        let new = try #require(report.notes.first { $0.kind == .rescued }?.path)
        #expect(try await phone.text(new) == "new")
        #expect(try await phone.sync().notes.isEmpty)
        #expect(try keptKeys(of: laptop, at: phone) == 1)
        try await laptop.sync()
        for device in [phone, desk, laptop] { _ = try await device.sync() }
        #expect(try await phone.text(new) == "new")
        #expect(try keptKeys(of: laptop, at: phone) == 0)
        for device in [laptop, desk, phone] {
            #expect(try await device.text("/team/sub/a.md") == "hers")
            #expect(try await device.text("/team/sub/low/b.md") == "sub/deep/b.md")
        }
        try await converge(ada, laptop, try await ada.device(named: "tablet", like: laptop))
    }

    private func keptKeys(of owner: Device, at device: Device) throws -> Int? {
        let other = try device.lockbook.shared(by: owner.lockbook.store.context.owner)
        return try other?.store.read { tree in
            try Int.fetchOne(tree.db, sql: "SELECT count(*) FROM kept_key")
        }
    }

    @Test(arguments: refused)
    func `of another key in the same epoch is refused`(_ nonsense: Intruder.Nonsense) async throws {
        let (laptop, desk, intruder) = try await members()
        for name in [nil, "sub"] {
            await #expect(throws: RefusedChange.self) {
                try await intruder.write(nonsense, over: name)
            }
        }
        try await intruder.write(nil, over: "sub")
        for device in [laptop, desk] {
            #expect(try await device.sync().notes.isEmpty)
            #expect(try await device.text("/team/sub/a.md") == "sub/a.md")
        }
    }

    @Test(arguments: refused)
    func `of another key is nonsense also where a server lets it through`(
        _ nonsense: Intruder.Nonsense
    ) async throws {
        let (laptop, _, intruder) = try await members()
        laptop.faults.lie("/v1/pull") { try intruder.add(nonsense, over: "sub", to: $0) }
        var options = SyncOptions()
        options.isDryRun = true
        let report = try await laptop.lockbook.sync(options)
        #expect(report.notes.map(\.kind) == [.overruled])
        #expect(report.notes.map(\.path) == ["/team/sub"])
    }

    @Test func `is not purged with all that is in it when the share is taken back`() async throws {
        let (laptop, desk, intruder) = try await members()
        let sub = try laptop.lockbook.info(.path("/team/sub")).id
        try await intruder.write(.body, over: "sub")
        // It never knew what the folder was.
        let tablet = try await ada.device(named: "tablet", like: laptop)
        try tablet.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        #expect(try await tablet.sync().purged.isEmpty)
        #expect(try await desk.sync().notes.map(\.kind) == [.takenBack])
        try await laptop.sync()
        let path = "/team/damaged-\(sub.prefix(12))"
        for device in [tablet, laptop] {
            #expect(try await device.text(path + "/deep/b.md") == "sub/deep/b.md")
        }
        try await converge(ada, laptop, tablet)
    }

    @Test func `over the shared folder itself damages nothing else for its members`() async throws {
        let (_, desk, intruder) = try await members()
        let phone = try await bob.device(named: "phone", like: desk)
        try await intruder.write(.body)
        let tablet = try await bob.device(named: "tablet", like: desk)
        for device in [desk, phone, tablet] {
            _ = try await device.sync()
            for path in ["/team/plan.md", "/team/sub/a.md", "/team/sub/deep/b.md"] {
                #expect(try await device.text(path) == String(path.dropFirst(6)))
            }
        }
    }

    // The ids are drawn: which of two comes first differs.
    @Test(arguments: [Intruder.Nonsense.wrappedKey, .keyCommitment, .body], 0..<4)
    func `of his own stand in each other, and keep nobody from syncing`(
        _ nonsense: Intruder.Nonsense,
        _ number: Int
    ) async throws {
        let (laptop, desk, intruder) = try await members()
        try await intruder.makeFolders(nonsense, depth: 4, entries: 1 + number % 2)
        try laptop.write("/own.md", "own")
        let report = try await laptop.sync()
        #expect(report.pushed == ["/own.md"])
        #expect(report.notes.contains { $0.kind == .damaged })
        let tablet = try await ada.device(named: "tablet", like: laptop)
        let phone = try await bob.device(named: "phone", like: desk)
        #expect(try await tablet.text("/own.md") == "own")
        try await phone.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        #expect(try await desk.sync().notes.contains { $0.kind == .takenBack })
        try await converge(ada, laptop, tablet)
        #expect(try await laptop.text("/team/sub/deep/b.md") == "sub/deep/b.md")
    }

    @Test func `of his own is gone up to once for all that stands in it`() async throws {
        let (laptop, _, intruder) = try await members()
        try await intruder.makeFolders(.wrappedKey, depth: 8, entries: 1)
        try await laptop.sync()
        try laptop.lockbook.store.read { tree in
            let team = try #require(try tree.find(path: "/team"))
            let rows = try tree.subtree(of: team).filter { $0.isDamaged }
            let deepest = try #require(rows.last)
            tree.shut = []
            #expect(throws: DamagedRecord.self) { try tree.key(of: deepest) }
            #expect(rows.count == 8)
            #expect(tree.shut == Set(rows.map(\.id)))
        }
    }

    @Test func `of the name of what waits to be pushed lets that go by another one`() async throws {
        let (laptop, desk, _) = try await members()
        try desk.write("/team/notes.md", "his")
        try desk.spoilSharedChanges()
        try await desk.sync()
        try laptop.write("/team/notes.md", "hers")
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.damaged])
        #expect(report.pushed == ["/team/notes-1.md"])
        #expect(try await laptop.text("/team/notes-1.md") == "hers")
        try await desk.sync()
        #expect(try await desk.text("/team/notes-1.md") == "hers")
    }

    @Test func `over a note goes back`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "his words")
        try desk.spoilSharedChanges()
        try await desk.sync()
        try laptop.write("/team/plan.md", "plan.md and hers")
        #expect(try await laptop.sync().notes.map(\.kind) == [.overruled])
        try await desk.sync()
        for device in [laptop, desk] {
            #expect(try await device.text("/team/plan.md") == "plan.md and hers")
        }
    }
}
