import LockbookEngine
import LockbookModel
import LockbookTestSupport
import Testing

/// Entries that purge what their author may not, or not there, on a server that lets them through.
struct PurgeLiesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func id(_ path: String, on device: Device) throws -> FileID {
        try #require(FileID(hex: try device.lockbook.info(.path(path)).id))
    }

    /// The next sync of a device stops, changes nothing, and the one after that comes through.
    private func isRefused(
        by device: Device,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ lie: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) async throws {
        let before = try await device.snapshot()
        device.faults.lie("/v1/pull", lie)
        await isFoundOut(sourceLocation: sourceLocation) { try await device.sync() }
        #expect(try await device.snapshot() == before, sourceLocation: sourceLocation)
        device.faults.tellTruth()
        try await device.sync()
        #expect(try device.lockbook.validate() == [], sourceLocation: sourceLocation)
    }

    @Test func `no member purges anything, whatever he may write`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "note.md"])
        let note = try id("/team/note.md", on: laptop)
        let member = try Intruder(desk, in: "/team")
        try await isRefused(by: laptop) {
            try member.add(nil, over: "plan.md", purging: [note], to: $0)
        }
        // What he wrote with it is no reason to refuse it.
        laptop.faults.lie("/v1/pull") { try member.add(nil, over: "plan.md", to: $0) }
        try await laptop.sync()
    }

    @Test func `not even the owner purges a file in the name of another share`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md"])
        try laptop.write("/other/note.md", "note")
        try await laptop.sync()
        try await share("/other", .read, laptop, desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        let owner = try Intruder(owner: laptop, of: "/team")
        let (note, plan) = (
            try id("/other/note.md", on: laptop), try id("/team/plan.md", on: laptop)
        )
        for (device, log) in [(desk, 1), (phone, 0)] {
            try await isRefused(by: device) {
                try owner.add([], purging: [note], to: $0, log: log)
            }
        }
        // That of the share itself goes.
        desk.faults.lie("/v1/pull") { try owner.add([], purging: [plan], to: $0, log: 1) }
        try await desk.sync()
        #expect(try !desk.paths().contains("/team/plan.md"))
        #expect(try desk.paths().contains("/other/note.md"))
    }
}
