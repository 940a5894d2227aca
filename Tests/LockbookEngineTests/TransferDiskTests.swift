import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What the disk has of a share that gets another owner.
struct TransferDiskTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Ada, who owns `/team`, with bob and carol, who write there.
    private func members(holding notes: [String]) async throws -> [Device] {
        let (laptop, desk) = try await shared(.write, holding: notes)
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        return [laptop, desk, tablet]
    }

    /// It is bob's now, and everybody knows.
    private func handOver(_ devices: [Device]) async throws {
        try await sync(devices)
        try await give(devices[0], devices[1])
        try await take(devices[1])
        try await sync(devices)
    }

    private func sync(_ devices: [Device]) async throws {
        for _ in 0..<3 { for device in devices { try await device.sync() } }
    }

    private func take(in place: Place, _ device: Device) throws -> TransferReport {
        try device.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
    }

    @Test func `an import knows what it took in before somebody else owned that`() async throws {
        let devices = try await members(holding: ["plan.md", "deep/note.md"])
        let place = try Place()
        try place.make("team/deep")
        for note in ["plan.md", "deep/note.md"] { try place.write("team/\(note)", note) }
        for device in devices { #expect(try take(in: place, device).unchanged == 2) }
        try await handOver(devices)
        try devices[1].write("/team/plan.md", "bob's")
        try await sync(devices)
        for note in ["plan.md", "deep/note.md"] {
            try place.write("team/\(note)", "disk")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 1_000_000_000)],
                ofItemAtPath: place.url.appending(path: "team/\(note)").path
            )
        }

        for device in devices {
            let report = try take(in: place, device)
            #expect(
                report.problems.map(\.reason) == [
                    "the note was changed in the lockbook; --force takes the file's text"
                ]
            )
            // The note that is as it was taken in follows its file.
            #expect(report.updated == 1)
            #expect(report.replaced == [])
            #expect(try await device.text("/team/plan.md") == "bob's")
            #expect(try await device.text("/team/deep/note.md") == "disk")
        }
    }

    @Test func `an import goes on in a folder that somebody else owns now`() async throws {
        let devices = try await members(holding: ["plan.md"])
        let place = try Place()
        try place.make("disk")
        try place.write("disk/plan.md", "plan.md")
        func take(_ device: Device) throws -> TransferReport {
            try device.lockbook.importFromDisk(["\(place.url.path)/disk/."], to: "/team") { _ in }
        }
        for device in devices { #expect(try take(device).unchanged == 1) }
        try await handOver(devices)
        for device in devices {
            let source = "\(place.url.path)/disk"
            let report = try device.lockbook.importFromDisk([source], to: "/team") { _ in }
            #expect(report.created == 0)
            #expect(report.unchanged == 1)
        }
    }
}
