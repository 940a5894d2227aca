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
}
