import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// A server that cannot give contents now, and does all else.
struct UnavailableContentTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func refuseContents(of device: Device) throws {
        let refusal: [UInt8] = try Lockbook_V1_ErrorResponse.with {
            $0.code = .unavailable
            $0.message = "not now"
        }.serializedBytes()
        device.faults.refuse("/v1/blobs") { _ in (503, refusal) }
    }

    /// Syncs, and expects to be told that the server cannot do its work.
    private func syncRefused(_ device: Device) async throws {
        let error = await #expect(throws: LockbookError.self) { try await device.sync() }
        guard case .unavailable(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == "not now")
    }

    @Test func `contents of one's own keep nothing from being sent to others`() async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await bob.device(named: "tablet", like: desk)
        try tablet.write("/own.md", "own")
        try await tablet.sync()
        try desk.write("/team/plan.md", "of bob")
        try refuseContents(of: desk)

        try await syncRefused(desk)

        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "of bob")
        desk.faults.tellTruth()
        try await desk.sync()
        #expect(try await desk.text("/own.md") == "own")
    }

    @Test func `contents of one share keep nothing from being sent to another`() async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        _ = try tablet.lockbook.create(path: "/trip/")
        try await tablet.sync()
        try await share("/trip", .write, tablet, desk)
        try laptop.write("/team/new.md", "of ada")
        try await laptop.sync()
        try tablet.write("/trip/new.md", "of carol")
        try await tablet.sync()
        try desk.write("/team/mine.md", "of bob")
        try desk.write("/trip/mine.md", "of bob")
        try refuseContents(of: desk)

        try await syncRefused(desk)

        try await laptop.sync()
        #expect(try await laptop.text("/team/mine.md") == "of bob")
        try await tablet.sync()
        #expect(try await tablet.text("/trip/mine.md") == "of bob")
        desk.faults.tellTruth()
        try await desk.sync()
        #expect(try await desk.text("/team/new.md") == "of ada")
        #expect(try await desk.text("/trip/new.md") == "of carol")
    }

    @Test func `contents of a share that is given away keep nothing else from being brought over`()
        async throws
    {
        let (laptop, desk) = try await changedOnBothSides("late")
        try refuseContents(of: laptop)
        for _ in 0..<2 {
            try await syncRefused(laptop)
            try await desk.sync()
            #expect(try desk.paths().filter { $0.contains("-") } == copies)
            #expect(try laptop.lockbook.status().transfers == 1)
        }
        laptop.faults.tellTruth()

        try await laptop.sync()

        #expect(try laptop.lockbook.status().transfers == nil)
        try await desk.sync()
        #expect(try desk.paths().filter { $0.contains("-") } == copies)
        #expect(try await desk.text("/team/late.md") == "late")
    }
}
