import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What one device was told to do about a share, and another device, or somebody else, was faster.
struct OvertakenTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let phone: Device
    let desk: Device

    /// Ada has two devices and shares `/team` with bob.
    init() async throws {
        people = try Sharers()
        (laptop, phone) = try await people.ada.twoDevices(
            holding: ["/team/plan.md": "plan", "/other/plan.md": "plan"]
        )
        desk = try await people.bob.firstDevice(named: "desk")
        try await share("/team", .write, laptop, desk)
        try await phone.sync()
    }

    private func lines(_ report: SyncReport) -> [String] {
        report.notes.map { "\($0.kind) \($0.path) \($0.detail)" }
    }

    @Test(arguments: [ShareRight.read, nil])
    func `what an admin wanted is not done when he was none in between`(between: ShareRight?)
        async throws
    {
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .admin)
        try await laptop.sync()
        try await desk.sync()
        try desk.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: between)
        try await laptop.sync()
        if between == nil {
            _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .admin)
        } else {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .admin)
        }
        try await laptop.sync()

        let told = try await desk.sync().notes.filter { $0.kind == .notDone }
        let reason = "you could not decide who sees it for a while"
        #expect(
            told.map(\.detail)
                == ["what you wanted of it for carol is not done, because \(reason)"]
        )
        #expect(try await !desk.sync().notes.contains { $0.kind == .notDone })
        try await tablet.sync()
        #expect(try await tablet.text("/team/plan.md") == "plan")
    }

    @Test func `what was wanted of a share that was taken back is told by its path`() async throws {
        try await share("/other", .admin, laptop, desk)
        _ = try await carol.firstDevice(named: "tablet")
        _ = try await desk.lockbook.share(.path("/other"), with: "carol", mode: .read)
        try laptop.lockbook.setShare(.path("/other"), of: "bob", to: nil)
        try await laptop.sync()

        let reason = "you may not decide who sees it any more"
        let told = try await lines(desk.sync())
        #expect(
            told == [
                "notDone /other what you wanted of it for carol is not done, because \(reason)",
                "takenBack /other ada",
            ]
        )
        #expect(try await desk.sync().notes == [])
    }

    @Test(arguments: [false, true])
    func `what was wanted of a share inside that its owner deleted is told as that`(isPurged: Bool)
        async throws
    {
        try laptop.write("/team/in/note.md", "note")
        try await laptop.sync()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/in", .write, laptop, tablet)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .admin)
        try await laptop.sync()
        try await desk.sync()
        try desk.lockbook.setShare(.path("/team/in"), of: "carol", to: .read)
        if isPurged {
            _ = try laptop.lockbook.purge([.path("/team/in")])
        } else {
            try laptop.delete("/team/in")
        }
        try await laptop.sync()

        let told = try await desk.sync().notes.filter { $0.kind == .notDone }
        let reason = isPurged ? "it is not there any more" : "it was deleted"
        #expect(
            told.map(\.detail)
                == ["what you wanted of it for carol is not done, because \(reason)"]
        )
        #expect(try await desk.sync().notes == [])
    }

    @Test func `what an admin wants again after that is done`() async throws {
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        for right in [ShareRight.admin, .read, .admin] {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: right)
            try await laptop.sync()
            if right == .admin { try await desk.sync() }
            try desk.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        }

        #expect(try await !desk.sync().notes.contains { $0.kind == .notDone })
        #expect(try await tablet.sync().notes.map(\.kind) == [.takenBack])
    }

    @Test func `an invitation that was used before it was taken back is named`() async throws {
        let invitation = try await laptop.lockbook.invite(
            .path("/other"),
            mode: .write,
            lasting: 86_400_000
        )
        try await laptop.sync()
        try await phone.sync()
        let tablet = try await carol.firstDevice(named: "tablet")
        _ = try await tablet.lockbook.acceptInvitation(invitation.code)
        try await tablet.sync()
        _ = try phone.lockbook.setShare(.path("/other"), of: invitation.id, to: nil)
        try await laptop.sync()

        let told = try await lines(phone.syncAsForetold())
        #expect(
            told == [
                "notDone /other carol was let in by an invitation before that was taken back here; "
                    + "`share revoke` with that name takes the share back"
            ]
        )
        #expect(try await phone.sync().notes == [])
        #expect(try phone.lockbook.shares().contains { $0.username == "carol" })
    }

    @Test func `a transfer to somebody else is named`() async throws {
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try await phone.sync()
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        _ = try phone.lockbook.transfer(.path("/team"), to: "carol")
        try await laptop.sync()
        let told = try await lines(phone.syncAsForetold())
        #expect(
            told == ["notDone /team carol is not given it, as another device gives it to bob"]
        )
        #expect(try await phone.sync().notes == [])
    }

    @Test func `a transfer of what was deleted, or to who was taken out, is named`() async throws {
        try await share("/other", .write, laptop, desk)
        try await phone.sync()
        _ = try phone.lockbook.transfer(.path("/team"), to: "bob")
        _ = try phone.lockbook.transfer(.path("/other"), to: "bob")
        try laptop.delete("/team")
        _ = try laptop.lockbook.setShare(.path("/other"), of: "bob", to: nil)
        try await laptop.sync()
        let told = try await lines(phone.syncAsForetold()).sorted()
        #expect(
            told == [
                "notDone /other bob is not given it, "
                    + "as it is not shared with that account any more",
                "notDone /team bob is not given it, as it was deleted",
            ]
        )
        #expect(try await phone.sync().notes == [])
        try await desk.sync()
        #expect(try desk.lockbook.offers() == [])
    }

    @Test(arguments: [true, false])
    func `what goes into another share is not given away`(isGivenFirst: Bool) async throws {
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/other", .write, laptop, tablet)
        try await phone.sync()
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        _ = try phone.lockbook.move([.path("/team")], to: "/other/")
        let (first, second) = isGivenFirst ? (laptop, phone) : (phone, laptop)
        try await first.sync()
        let told = try await lines(second.sync())
        #expect(
            told == [
                "notDone /other/team bob is not given it, "
                    + "as it stands in another share now, /other"
            ]
        )
        for device in [laptop, phone, desk, tablet, laptop, phone, desk, tablet] {
            try await device.sync()
        }
        #expect(try desk.lockbook.offers().allSatisfy { !$0.transfer })
        #expect(try laptop.lockbook.shares().allSatisfy { $0.transfer == nil })
        #expect(try await tablet.text("/other/team/plan.md") == "plan")
        #expect(try await desk.text("/team/plan.md") == "plan")
    }

    @Test func `what another device took over is offered to nobody`() async throws {
        let tower = try await people.bob.device(named: "tower", like: desk)
        try await tower.sync()
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try await desk.lockbook.accept(id: offer.id)
        try await desk.sync()
        #expect(try await !tower.sync().notes.contains { $0.kind == .given })
        #expect(try tower.lockbook.offers() == [])
    }

    @Test func `news of a sync that was killed at its end is told by the next one`() async throws {
        _ = try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        try await laptop.sync()
        let (directory, copy) = (desk.directory, desk.directory + "-killed")
        let copying: @Sendable (SyncProgress) -> Void = {
            guard case .finishing = $0 else { return }
            try? FileManager.default.copyItem(atPath: directory, toPath: copy)
        }
        let told = try await desk.lockbook.sync(SyncOptions(), progress: copying).notes
        #expect(told.map(\.kind) == [.modeChanged])
        try FileManager.default.removeItem(atPath: directory)
        try FileManager.default.moveItem(atPath: copy, toPath: directory)
        let again = try desk.again()
        #expect(try await again.sync().notes == told)
        #expect(try await again.sync().notes == [])
    }

    @Test(arguments: [false, true])
    func `what was wanted of what is purged is told by the path that it had`(isPurgedHere: Bool)
        async throws
    {
        _ = try await carol.firstDevice(named: "tablet")
        _ = try await laptop.lockbook.share(.path("/other"), with: "carol", mode: .read)
        _ = try (isPurgedHere ? laptop : phone).lockbook.purge([.path("/other")])
        if !isPurgedHere { try await phone.sync() }

        let told = try await lines(laptop.syncAsForetold())
        #expect(
            told == [
                "notDone /other what you wanted of it for carol is not done, "
                    + "because it was deleted"
            ]
        )
        #expect(try await laptop.sync().notes == [])
    }

    @Test func `nothing is told of what was purged before any server knew it`() async throws {
        _ = try await carol.firstDevice(named: "tablet")
        try laptop.write("/new.md", "new")
        _ = try await laptop.lockbook.share(.path("/new.md"), with: "carol", mode: .read)
        _ = try laptop.lockbook.purge([.path("/new.md")])
        #expect(try await laptop.syncAsForetold().notes == [])
    }
}
