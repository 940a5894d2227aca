import LockbookEngine
import LockbookTestSupport
import Testing

/// A link to what its owner deleted.
struct DeadLinkTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `what its owner deleted is not behind the link, and all else goes on`() async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/own.md", "own")
        let place = try Place()
        let mirror = ExportOptions.mirroring
        #expect(try await place.export(desk, mirror).created == 2)

        try laptop.delete("/team")
        try await laptop.sync()
        try await desk.sync()

        #expect(throws: LockbookError.leadsNowhere(path: "/team")) {
            try desk.lockbook.list(.path("/team"), recursive: false)
        }
        await #expect(throws: LockbookError.leadsNowhere(path: "/team")) {
            try await desk.text("/team/plan.md")
        }
        #expect(try desk.paths() == ["/own.md", "/team"])
        let report = try await place.export(desk, mirror)
        #expect(report.problems.isEmpty)
        #expect((report.unchanged, report.removed) == (1, 1))

        _ = try laptop.lockbook.restore([.path("/team")])
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        #expect(try await place.export(desk, mirror).created == 1)
    }

    @Test(arguments: ["/team", "/team/plan.md"])
    func `a search behind a link that leads nowhere says so, and looks into the rest`(path: String)
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/own.md", "plan")
        try laptop.delete("/team")
        for device in [laptop, desk] { try await device.sync() }
        let told = try await desk.search("plan", in: [path, "/own.md"])
        #expect(told.matched == ["/own.md"] && told.unread.isEmpty)
        #expect(told.nowhere == [.leadsNowhere(path: "/team")])
    }

    @Test func `a link to what was taken back stays in the trash until it is offered again`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        #expect(throws: LockbookError.shareEnded(path: "/team")) {
            try desk.lockbook.restore([.path("/team")])
        }
        await #expect(throws: LockbookError.shareEnded(path: "/team")) {
            _ = try await desk.lockbook.history(.path("/team"))
        }
        #expect(try desk.paths().isEmpty)

        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        _ = try desk.lockbook.restore([.path("/team")])
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        // Who left a share himself may come back to it.
        try desk.delete("/team")
        try await desk.sync()
        _ = try desk.lockbook.restore([.path("/team")])
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan.md")
    }

    @Test func `links to what was taken back stand in the way of nothing in the trash`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        for device in [laptop, desk] { try await device.sync() }
        try desk.write("/team/own.md", "own")
        try desk.delete("/team")
        #expect(try desk.lockbook.trash().map(\.path) == ["/team"])
        let versions = try await desk.lockbook.history(.path("/team")).versions
        #expect(versions.contains { $0.path == "/team/own.md" })
        _ = try desk.lockbook.restore([.path("/team")])
        #expect(try await desk.text("/team/own.md") == "own")
        try desk.delete("/team")
        #expect(try desk.lockbook.emptyTrash([.path("/team")]) == 2)
        #expect(throws: LockbookError.shareEnded(path: "/team")) {
            try desk.lockbook.restore([.path("/team")])
        }
    }

    @Test func `a device that came after the end of a share does not bring its link back`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        for device in [laptop, desk] { try await device.sync() }
        let tablet = try await bob.device(named: "tablet", like: desk)
        #expect(try tablet.lockbook.trash() == [])
        #expect(throws: LockbookError.shareEnded(path: "/team")) {
            try tablet.lockbook.restore([.path("/team")])
        }

        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        for device in [laptop, tablet] { try await device.sync() }
        _ = try tablet.lockbook.restore([.path("/team")])
        #expect(try await tablet.text("/team/plan.md") == "plan.md")
        for device in [tablet, desk] { try await device.sync() }
        #expect(try await desk.text("/team/plan.md") == "plan.md")
    }

    @Test(arguments: [ArchiveFormat.tar, .zip])
    func `an archive has what is behind links`(format: ArchiveFormat) async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md"])
        try laptop.write("/one.md", "one")
        try await share("/one.md", .read, laptop, desk)
        try desk.write("/own/o.md", "own")
        _ = try desk.lockbook.move([.path("/team")], to: "/own/")

        let all = try await archive(desk, "/", format)
        #expect(all.report.created == 4)
        for name in ["own/o.md", "own/team/plan.md", "own/team/deep/note.md", "one.md"] {
            #expect(all.bytes.contains(Array(name.utf8)), "\(name)")
        }
        let below = try await archive(desk, "/own", format)
        #expect(below.report.created == 3)
        #expect(below.bytes.contains(Array("own/team/plan.md".utf8)))
        let link = try await archive(desk, "/own/team", format)
        #expect(link.report.created == 2)
        #expect(link.bytes.contains(Array("team/deep/note.md".utf8)))
        #expect(!link.bytes.contains(Array("own/".utf8)))
    }

    private func archive(_ device: Device, _ path: String, _ format: ArchiveFormat) async throws
        -> (report: TransferReport, bytes: [UInt8])
    {
        var bytes: [UInt8] = []
        let report = try await device.lockbook.archive(
            .path(path),
            as: format,
            progress: { _ in },
            into: { bytes += $0 }
        )
        #expect(report.problems.isEmpty)
        return (report, bytes)
    }

    @Test func `what lies in the trash of a share that is over has the history that is here`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["plan.md", "stays.md"])
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        try desk.delete("/team/plan.md")
        try await desk.sync()
        try desk.delete("/team")
        try await desk.sync()
        // Nothing more is asked for of what she shares.
        try await desk.lockbook.block("ada")
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()

        let trashed = try #require(try desk.lockbook.trash().first { $0.type == .document })
        let history = try await desk.lockbook.history(.id(prefix: trashed.id))
        #expect(history.obstacle == .refused && !history.isComplete)
        #expect(!history.versions.isEmpty)
    }
}
