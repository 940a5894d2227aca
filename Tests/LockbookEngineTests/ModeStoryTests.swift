import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a member may do in a share becomes more or less.
struct ModeStoryTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test(arguments: [ShareRight.read, .admin])
    func `he is told so by his next sync, once`(_ right: ShareRight) async throws {
        let (laptop, desk) = try await shared(.write)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: right)
        try await laptop.sync()
        var options = SyncOptions()
        options.isDryRun = true
        for report in [try await desk.lockbook.sync(options), try await desk.sync()] {
            #expect(report.notes.map(\.kind) == [.modeChanged])
            #expect(report.notes.map(\.path) == ["/team"])
            #expect(report.notes.map(\.detail) == ["ada, \(right)"])
        }
        #expect(try await desk.sync().notes.isEmpty)
    }

    @Test(arguments: [ShareRight.read, .write, .admin])
    func `who was taken out meanwhile is not let in again by another mode`(_ right: ShareRight)
        async throws
    {
        let (laptop, desk) = try await shared(right == .write ? .read : .write)
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.lockbook.setShare(.path("/team"), of: "bob", to: right)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try laptop.write("/team/plan.md", "written after bob was taken out")
        try await laptop.sync()

        var options = SyncOptions()
        options.isDryRun = true
        for report in [try await phone.lockbook.sync(options), try await phone.sync()] {
            #expect(report.notes.map(\.kind) == [.notDone])
            #expect(report.notes.map(\.path) == ["/team"])
            #expect(report.notes[0].detail.contains("bob was taken out meanwhile"))
        }
        #expect(try await phone.sync().notes.isEmpty)
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        #expect(try desk.lockbook.offers().isEmpty)
        // Whoever wants him in says so.
        _ = try await phone.lockbook.share(.path("/team"), with: "bob", mode: right)
        try await phone.sync()
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.mode) == [right])
    }

    @Test func `nor by a third one, wanted before the second was synced`() async throws {
        let (laptop, desk) = try await shared(.write)
        let phone = try await ada.device(named: "phone", like: laptop)
        for right in [ShareRight.read, .admin] {
            try phone.lockbook.setShare(.path("/team"), of: "bob", to: right)
        }
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        let report = try await phone.sync()
        #expect(report.notes.map(\.kind) == [.notDone])
        #expect(report.notes[0].detail.contains("bob was taken out meanwhile"))
        try await desk.sync()
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try phone.lockbook.shares().isEmpty)
    }

    @Test func `who lets somebody in who is there already takes nothing from him`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        let desk = try await bob.firstDevice(named: "desk")
        try await desk.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        _ = try await phone.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()

        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.notDone])
        #expect(report.notes[0].detail.contains("bob was let in meanwhile (write)"))
        #expect(try await phone.sync().notes.isEmpty)
        #expect(try phone.lockbook.shares().map(\.mode) == [.write])
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.mode) == [.write])
    }

    @Test func `less than what was just given is given when the answer was lost`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        let desk = try await bob.firstDevice(named: "desk")
        for device in [laptop, desk] { try await device.sync() }
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)

        #expect(try await laptop.sync().notes.isEmpty)

        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.mode) == [.read])
    }

    @Test func `an offer that was not answered is one of another mode`() async throws {
        let (laptop, desk) = try await shared(.write)
        try laptop.write("/more/x.md", "x")
        _ = try await laptop.lockbook.share(.path("/more"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/more"), of: "bob", to: .write)
        try await laptop.sync()
        #expect(try await desk.sync().notes.isEmpty)
        #expect(try desk.lockbook.offers().map(\.mode) == [.write])
    }
}
