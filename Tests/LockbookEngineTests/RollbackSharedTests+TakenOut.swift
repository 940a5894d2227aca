import LockbookEngine
import LockbookTestSupport
import Testing

/// Who was let in and taken out since the backup, where a device of the owner's saw only the first.
extension RollbackSharedTests {
    /// Ada's laptop took bob out of `/team` again, of which her phone saw that he was let in.
    private func takenOut() async throws -> (laptop: Device, phone: Device, desk: Device) {
        let (laptop, phone) = try await ada.twoDevices(holding: ["/team/plan.md": "plan"])
        let desk = try await bob.firstDevice(named: "desk")
        try await losing {
            try await grant(laptop)
            try await phone.sync()
            try await desk.sync()
            try await takeBack(laptop)
            try await desk.sync()
            try laptop.write("/team/secret.md", "not for bob")
            try await laptop.sync()
        }
        return (laptop, phone, desk)
    }

    /// Ada's laptop let bob do more in `/team` for a while, and her phone saw nothing after that.
    private func lowered(
        from more: ShareRight
    ) async throws -> (laptop: Device, phone: Device, desk: Device) {
        let (laptop, desk) = try await shared(.read)
        let phone = try await ada.device(named: "phone", like: laptop)
        try await losing {
            try await setRight(more, laptop)
            try await phone.sync()
            try await setRight(.read, laptop)
        }
        return (laptop, phone, desk)
    }

    private func setRight(_ right: ShareRight, _ laptop: Device) async throws {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: right)
        try await laptop.sync()
    }

    private func grants(_ report: SyncReport) -> [String] {
        (report.rollback?.grants ?? []).map {
            "\($0.path) \($0.username) \($0.mode?.rawValue ?? "none")"
        }
    }

    /// Bob sees nothing of ada's any more.
    private func isOut(_ desk: Device, _ owners: Device...) async throws {
        for device in owners {
            #expect(try await device.sync().notes.isEmpty, "\(device.name)")
            #expect(try device.lockbook.shares().isEmpty, "\(device.name)")
        }
        try await accept(desk)
        try await desk.sync()
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try desk.paths().isEmpty)
    }

    /// Bob may read `/team`, and no more.
    private func onlyReads(_ owners: Device...) async throws {
        for device in owners {
            try await device.sync()
            #expect(try device.lockbook.shares().map(\.mode) == [.read], "\(device.name)")
        }
    }

    @Test(arguments: [false, true])
    func `who was let in and taken out is taken out again by the device that knows it`(
        isCutOff: Bool
    ) async throws {
        let (laptop, phone, desk) = try await takenOut()
        #expect(try await grants(accept(phone)) == ["/team bob write"])
        try await accept(desk)
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])

        if isCutOff {
            // It went back, and has not taken him out yet.
            laptop.faults.next("/v1/push", .lost)
            await #expect(throws: LockbookError.self) { try await accept(laptop) }
            try await laptop.sync()
        } else {
            #expect(try await grants(accept(laptop)) == ["/team bob none"])
        }

        try await isOut(desk, laptop, phone)
        try await isWhole(ada, laptop, phone)
        #expect(try await phone.text("/team/secret.md") == "not for bob")
    }

    @Test func `who was let in and taken out is named when a device lets him in later`()
        async throws
    {
        let (laptop, phone, desk) = try await takenOut()
        let report = try await accept(laptop)
        // The server does not let him in, so there is nothing to say.
        #expect(grants(report).isEmpty && report.notes.isEmpty)
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try await grants(accept(phone)) == ["/team bob write"])

        let told = try await laptop.sync()
        #expect(told.notes.map(\.kind) == [.notDone])
        #expect(told.notes.map(\.path) == ["/team"])
        #expect(told.notes.first?.detail.contains("`share revoke` takes it back") ?? false)
        // What he may do from here on somebody wants.
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
        try await takeBack(laptop)
        try await isOut(desk, laptop, phone)
    }

    @Test func `who is let in anew where he was taken out is not named`() async throws {
        let (laptop, phone, _) = try await takenOut()
        try await accept(laptop)
        try await grant(laptop)
        for _ in 1...2 { #expect(try await laptop.sync().notes.isEmpty) }
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
        try await accept(phone)
        try await isWhole(ada, laptop, phone)
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
    }

    @Test func `who was taken out after the server was put back is not let in by another device`()
        async throws
    {
        let (laptop, phone) = try await ada.twoDevices(holding: ["/team/plan.md": "plan"])
        let desk = try await bob.firstDevice(named: "desk")
        try await losing {
            try await grant(laptop)
            try await phone.sync()
            try await desk.sync()
        }
        try await accept(laptop)
        try await takeBack(laptop)

        let report = try await accept(phone)
        #expect(report.notes.map(\.kind) == [.notDone])
        #expect(report.notes.first?.detail.contains("bob was taken out meanwhile") ?? false)
        #expect(grants(report).isEmpty)
        try await isOut(desk, laptop, phone)
        // Who wants it lets him in all the same.
        try await grant(phone)
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
        #expect(try await phone.sync().notes.isEmpty)
    }

    @Test func `a right that was more for a while is made less again`() async throws {
        let (laptop, phone, desk) = try await lowered(from: .write)
        #expect(try await grants(accept(phone)) == ["/team bob write"])
        #expect(try await grants(accept(laptop)) == ["/team bob read"])
        try await onlyReads(laptop, phone)
        try await desk.sync()
        #expect(throws: LockbookError.self) { try desk.write("/team/plan.md", "written") }
    }

    @Test func `a right that was more for a while is named when a device gives it later`()
        async throws
    {
        let (laptop, phone, _) = try await lowered(from: .admin)
        #expect(try await accept(laptop).notes.isEmpty)
        #expect(try await grants(accept(phone)) == ["/team bob admin"])

        let told = try await laptop.sync()
        #expect(told.notes.map(\.kind) == [.notDone])
        #expect(told.notes.first?.detail.contains("bob had read") ?? false)
        #expect(try await laptop.sync().notes.isEmpty)
    }

    @Test func `who was let in with more for a while is left with less`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["/team/plan.md": "plan"])
        let desk = try await bob.firstDevice(named: "desk")
        try await losing {
            try await grant(laptop)
            try await phone.sync()
            try await desk.sync()
            try await setRight(.read, laptop)
        }
        #expect(try await grants(accept(phone)) == ["/team bob write"])
        let report = try await accept(laptop)
        #expect(grants(report) == ["/team bob read"] && report.notes.isEmpty)
        try await onlyReads(laptop, phone)
    }

    // MARK: By an invitation

    /// - Parameter phoneFirst: whether the device that knows no more than the code comes first.
    @Test(arguments: [false, true])
    func `who was taken out stays out where his invitation is used once more`(phoneFirst: Bool)
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let invitation = try await laptop.lockbook.invite(
            .path("/team"),
            mode: .write,
            lasting: 7 * 86_400_000
        )
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await desk.lockbook.acceptInvitation(invitation.code)
        try await losing {
            #expect(try await laptop.sync().notes.map(\.kind) == [.joined])
            try await takeBack(laptop)
            try laptop.write("/team/secret.md", "not for bob")
            try await laptop.sync()
        }
        if phoneFirst {
            // Nothing tells it that the server went back.
            #expect(try await phone.sync().notes.map(\.kind) == [.joined])
            #expect(try await grants(accept(laptop)) == ["/team bob none"])
        } else {
            #expect(try await grants(accept(laptop)).isEmpty)
        }
        try await isOut(desk, phone, laptop)
        try await isWhole(ada, laptop, phone)
        #expect(try await phone.text("/team/secret.md") == "not for bob")
    }
}
