import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Who is let in again by an admin that was none when he was taken out.
struct LetInAgainTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// - Parameter isAway: whether carol hears of it all at once.
    @Test(arguments: [false, true])
    func `sees the share again`(isAway: Bool) async throws {
        let (laptop, desk) = try await shared(.read)
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .read, laptop, tablet)
        try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .admin)
        try await laptop.sync()
        if !isAway { try await tablet.sync() }
        try await desk.sync()
        _ = try await desk.lockbook.share(.path("/team"), with: "carol", mode: .write)
        try await desk.sync()

        try await tablet.sync()
        if let offer = try tablet.lockbook.offers().first {
            _ = try tablet.lockbook.acceptShare(id: offer.id)
            try await tablet.sync()
        }
        #expect(try await tablet.text("/team/plan.md") == "plan.md")
        try tablet.write("/team/plan.md", "by carol")
        for device in [tablet, laptop, desk] { try await device.sync() }
        #expect(try await laptop.text("/team/plan.md") == "by carol")
        #expect(try await desk.text("/team/plan.md") == "by carol")
    }

    @Test(arguments: [false, true])
    func `sees what was inside of it`(isAway: Bool) async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/team/inner/a.md", "a")
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/inner", .write, laptop, desk)
        try await share("/alone.md", .write, laptop, tablet)
        try await share("/team", .write, laptop, tablet)
        try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try await laptop.sync()
        if !isAway { try await tablet.sync() }
        try laptop.lockbook.setShare(.path("/team/inner"), of: "bob", to: .admin)
        try await laptop.sync()
        try await desk.sync()
        _ = try await desk.lockbook.share(.path("/inner"), with: "carol", mode: .read)
        try await desk.sync()

        try await tablet.sync()
        for offer in try tablet.lockbook.offers() {
            _ = try tablet.lockbook.acceptShare(id: offer.id)
        }
        try await tablet.sync()
        #expect(try await tablet.text("/inner/a.md") == "a")
        #expect(!(try tablet.paths().contains { $0.hasPrefix("/team") }))
    }
}
