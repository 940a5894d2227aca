import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a sync asks about where most of what somebody has was given to somebody else.
struct TransferGuardTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// Two devices of ada's with a folder of 30 notes and nothing besides, and one of bob's.
    private func devices() async throws -> (laptop: Device, phone: Device, desk: Device) {
        let (laptop, desk) = try await shared(holding: (0..<30).map { "\($0).md" })
        return (laptop, try await ada.device(named: "phone", like: laptop), desk)
    }

    /// Bob has the folder now, and the laptop has let go of it.
    private func letGo(_ laptop: Device, _ desk: Device) async throws {
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        #expect(try await laptop.sync().notes.map(\.kind).contains(.transferred))
    }

    @Test func `a folder that was given away is no mass deletion to another device`() async throws {
        let (laptop, phone, desk) = try await devices()
        try await letGo(laptop, desk)
        try phone.write("/draft.md", "draft")

        #expect(try await phone.stop() == nil)
        #expect(try phone.lockbook.status().stopped == nil)
        try await phone.sync()
        #expect(try await phone.text("/team/7.md") == "7.md")
        try await laptop.sync()
        #expect(try await phone.snapshot() == laptop.snapshot())
        #expect(try laptop.paths().count == 32)
    }

    @Test func `what was deleted besides is counted without it`() async throws {
        let (laptop, phone, desk) = try await devices()
        for number in 0..<25 { try laptop.write("/other/\(number).md", "other") }
        try await laptop.sync()
        try await phone.sync()
        try await letGo(laptop, desk)
        try laptop.delete("/other")
        try await laptop.sync()

        let stop = try await phone.stop()
        #expect(stop?.kind == .pulledDeletions && stop?.count == 26 && stop?.total == 26)
        #expect(try phone.paths().contains("/other/3.md"))
        try await phone.sync(.accepting)
        #expect(try phone.paths().contains("/team"))
    }

    @Test func `what a member deleted in it before is counted`() async throws {
        let (laptop, phone, desk) = try await devices()
        for number in 0..<25 { try desk.delete("/team/\(number).md") }
        try await desk.sync()
        try await laptop.sync(.accepting)
        try await letGo(laptop, desk)

        let stop = try await phone.stop()
        #expect(stop?.kind == .pulledDeletions && stop?.count == 25 && stop?.total == 25)
        #expect(try phone.paths().contains("/team/3.md"))
    }

    @Test func `a folder that was offered, and deleted when that was taken back, asks`()
        async throws
    {
        let (laptop, phone, desk) = try await devices()
        try await give(laptop, desk)
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        try await laptop.sync()
        try laptop.delete("/team")
        try await laptop.sync()

        let stop = try await phone.stop()
        #expect(stop?.kind == .pulledDeletions && stop?.count == 31 && stop?.total == 31)
        #expect(try phone.paths().contains("/team/3.md"))
    }

    @Test func `a link of its name in its place does not stand for a transfer`() async throws {
        let (laptop, phone, desk) = try await devices()
        try desk.write("/bobs/a.md", "a")
        try await desk.sync()
        try await share("/bobs", .read, desk, laptop)
        try laptop.delete("/team")
        try laptop.move("/bobs", to: "/team")
        try await laptop.sync()

        let stop = try await phone.stop()
        #expect(stop?.kind == .pulledDeletions && stop?.count == 31 && stop?.total == 31)
    }
}
