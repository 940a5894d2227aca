import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What the disk has of an owner's share, where somebody else's share has its name now, to whom that
/// owner once gave something.
struct FormerOwnerTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// - Parameter isTaken: whether it was imported, and not only exported.
    @Test(arguments: [false, true])
    func `goes into nothing else that the owner gave away`(isTaken: Bool) async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try laptop.write("/notes/secret.md", "secret")
        try await laptop.sync()
        try await share("/notes", .write, laptop, tablet)
        let place = try Place()
        try await place.export(tablet, .mirroring)
        func bringIn() throws -> TransferReport {
            tablet.clock.pass(days: 1)
            return try tablet.lockbook.importFromDisk(
                ["\(place.url.path)/notes/."],
                to: "/notes"
            ) { _ in }
        }
        if isTaken { #expect(try bringIn().unchanged == 1) }

        try await give(laptop, desk)
        try await take(desk)
        for _ in 0..<2 { for device in [desk, laptop, tablet] { try await device.sync() } }
        try tablet.lockbook.leaveShare(.path("/notes"))
        try tablet.move("/team", to: "/notes")
        for _ in 0..<2 {
            let report = try bringIn()
            #expect(report.created == 0)
            #expect(report.problems.count == 1)
            await #expect(throws: LockbookError.self) { try await tablet.text("/notes/secret.md") }
        }
        #expect(try await tablet.text("/notes/plan.md") == "plan.md")
    }

    /// - Parameter isGiven: whether that had another owner before.
    @Test(arguments: [false, true])
    func `names the note of the same words that it takes the place of`(isGiven: Bool) async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try laptop.write("/notes/plan.md", "plan.md")
        try await laptop.sync()
        try await share("/notes", .write, laptop, tablet)
        let place = try Place()
        try await place.export(tablet, .mirroring)
        if isGiven {
            try await give(laptop, desk)
            try await take(desk)
            for _ in 0..<2 { for device in [desk, laptop, tablet] { try await device.sync() } }
        }
        try tablet.lockbook.leaveShare(.path("/notes"))
        try tablet.move("/team", to: "/notes")
        #expect(try await tablet.text("/notes/plan.md") == "plan.md")
        try place.write("notes/plan.md", "disk")
        let file = place.url.appending(path: "notes/plan.md").path
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1_000_000_000)],
            ofItemAtPath: file
        )

        let source = "\(place.url.path)/notes/."
        let report = try tablet.lockbook.importFromDisk([source], to: "/notes") { _ in }
        #expect(report.problems == [])
        #expect(try await tablet.text("/notes/plan.md") == "disk")
        #expect(report.replaced?.count == 1)
    }
}
