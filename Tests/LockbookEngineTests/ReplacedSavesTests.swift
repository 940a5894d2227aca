import LockbookEngine
import LockbookTestSupport
import Testing

/// Saves in a share that were replaced on their device before a sync.
struct ReplacedSavesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test(arguments: [false, true])
    func `are read under later keys, too`(isOwner: Bool) async throws {
        let (laptop, desk) = try await shared()
        _ = try await carol.firstDevice(named: "tablet")
        let device = try await isOwner ? ada.device(named: "phone", like: laptop) : desk
        try device.write("/team/plan.md", "first")
        try device.write("/team/plan.md", "second")
        for _ in 0..<2 {
            _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .read)
            try await laptop.sync()
            try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
            try await laptop.sync()
        }
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
}
