import LockbookEngine
import LockbookTestSupport
import Testing

/// Saves in a share that were replaced on their device before a sync.
struct ReplacedSavesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// So often that no record of the device leads to the keys of before.
    private func renewKeys(_ laptop: Device) async throws {
        _ = try await carol.firstDevice(named: "tablet")
        for _ in 0..<2 {
            _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .read)
            try await laptop.sync()
            try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
            try await laptop.sync()
        }
    }

    @Test(arguments: [false, true])
    func `are read under later keys, too`(isOwner: Bool) async throws {
        let (laptop, desk) = try await shared()
        let device = try await isOwner ? ada.device(named: "phone", like: laptop) : desk
        try device.write("/team/plan.md", "first")
        try device.write("/team/plan.md", "second")
        try await renewKeys(laptop)
        try await device.sync()

        #expect(try await device.versionTexts("/team/plan.md").contains("first"))
        device.faults.next("/v1/history", .lost)
        let here = try await device.lockbook.history(.path("/team/plan.md"))
        #expect(!here.isComplete)
        let save = try #require(here.versions.first { $0.isUnsynced })
        #expect(try await device.text("/team/plan.md", version: save) == "first")
        _ = try await device.lockbook.restore(.path("/team/plan.md"), version: save.version)
        #expect(try await device.text("/team/plan.md") == "first")
        #expect(try device.lockbook.validate() == [])
    }

    @Test func `are read under later keys also where an older program kept them`() async throws {
        let (laptop, desk) = try await shared()
        for text in ["first", "second"] { try desk.write("/team/plan.md", text) }
        try desk.forgetKeysOfReplaced()
        let newer = try desk.again()
        try await renewKeys(laptop)
        try await newer.sync()

        #expect(try await newer.versionTexts("/team/plan.md").contains("first"))
        #expect(try newer.lockbook.validate() == [])
    }

    enum End: CaseIterable {
        case revoked, purged, movedOut, ownerGone
    }

    @Test(arguments: End.allCases)
    func `go along with what becomes a document of one's own`(end: End) async throws {
        let (laptop, desk) = try await shared()
        for text in ["first", "second", "third"] { try desk.write("/team/plan.md", text) }
        switch end {
        case .revoked: try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        case .purged: _ = try laptop.lockbook.purge([.path("/team/plan.md")])
        case .movedOut: try laptop.move("/team/plan.md", to: "/plan.md")
        case .ownerGone: try await laptop.lockbook.deleteAccount()
        }
        if end != .ownerGone { try await laptop.sync() }
        try await desk.sync()

        // What was purged is in the trash of the share.
        let path = end == .purged ? "/team/plan.md" : "/plan.md"
        let texts = try await desk.versionTexts(path)
        #expect(texts.first == "third")
        #expect(texts.count == 3)
        #expect(Set(texts) == ["first", "second", "third"])
        #expect(try desk.lockbook.validate() == [])
    }

    /// What bob is told that is his own now.
    private func kept(_ report: SyncReport) -> [String] {
        report.notes.filter { $0.kind == .keptOwn }.map { "\($0.path), \($0.detail)" }
    }

    @Test(arguments: ["/team", "/plan.md"])
    func `are in one's own trash where what replaced them was synced`(shared: String) async throws {
        let laptop = try await ada.firstDevice()
        let path = shared == "/team" ? "/team/plan.md" : "/plan.md"
        try laptop.write(path, "plan")
        try laptop.write("/other.md", "other")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share([shared, "/other.md"], .write, laptop, desk)
        for text in ["first", "second", "third"] {
            try desk.write(path, text)
            try desk.write("/other.md", text)
        }
        try await desk.sync()
        try await laptop.sync()
        try laptop.lockbook.setShare(.path(shared), of: "bob", to: nil)
        try await laptop.sync()

        let report = try await desk.syncAsForetold()
        let copy = try #require(report.notes.first { $0.kind == .keptOwn }?.path)
        #expect(kept(report) == ["\(copy), in the trash, \(path)"])
        #expect(try desk.paths() == ["/other.md"])
        #expect(try await desk.sync().notes == [])
        _ = try desk.lockbook.restore([.path(copy)])
        #expect(try await desk.text(copy) == "second")
        #expect(try await Set(desk.versionTexts(copy)) == ["first", "second"])
        #expect(try desk.lockbook.validate() == [])
        // The other share goes on.
        #expect(try await desk.versionTexts("/other.md").contains("second"))
        try await converge(bob, desk)
    }

    @Test func `are in one's own trash where the words that replaced them do not open`()
        async throws
    {
        let (laptop, desk) = try await shared()
        for text in ["first", "second", noise(100_000, seed: 1), noise(100_000, seed: 2)] {
            try desk.write("/team/plan.md", text)
        }
        try desk.write("/team/list.md", "list")
        try desk.spoilSharedContents()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        var reports: [SyncReport] = []
        await #expect(throws: LockbookError.unreadableWords(path: "/team/plan.md")) {
            _ = try await desk.lockbook.sync(unfinished: { reports.append($0) })
        }
        let report = try #require(reports.last)
        #expect(
            kept(report) == ["/list.md, /team/list.md", "/plan.md, in the trash, /team/plan.md"]
        )
        #expect(report.notes.contains { $0.kind == .undone && $0.path == "/team/plan.md" })
        #expect(try await desk.sync().notes == [])
        #expect(try desk.paths() == ["/list.md"])
        _ = try desk.lockbook.restore([.path("/plan.md")])
        #expect(try await desk.text("/plan.md") == "second")
        #expect(try await Set(desk.versionTexts("/plan.md")) == ["first", "second"])
        #expect(try desk.lockbook.validate() == [])
    }

    @Test func `of several words that do not open each is named`() async throws {
        let (laptop, desk) = try await shared()
        for (number, name) in ["list", "plan"].enumerated() {
            try desk.write("/team/\(name).md", noise(100_000, seed: UInt64(number + 1)))
        }
        try desk.spoilSharedContents()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        let error = await #expect(throws: LockbookError.self) { try await desk.sync() }
        guard case .several(let errors)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let paths = errors.map { error in
            if case .unreadableWords(let path) = error { path } else { "\(error)" }
        }
        #expect(paths.sorted() == ["/team/list.md", "/team/plan.md"])
    }

    @Test func `are in one's own trash where the words that replaced them are lost`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "first")
        try desk.write("/team/plan.md", noise(100_000, seed: 1))
        try desk.loseSharedContents()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(kept(report) == ["/plan.md, in the trash, /team/plan.md"])
        #expect(report.notes.contains { $0.kind == .undone && $0.path == "/team/plan.md" })
        _ = try desk.lockbook.restore([.path("/plan.md")])
        #expect(try await desk.text("/plan.md") == "first")
        #expect(try desk.lockbook.validate() == [])
    }
}
