import LockbookEngine
import LockbookTestSupport
import Testing

/// Devices that know whom something is shared with from the log alone, which the server lost.
extension RollbackSharedTests {
    /// A phone of ada's that saw `/team` shared with bob, and lost that with the server.
    private func afterLoss() async throws -> (laptop: Device, phone: Device, desk: Device) {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        let desk = try await bob.firstDevice(named: "desk")
        try await desk.sync()
        try await losing {
            try await share("/team", .write, laptop, desk)
            try await phone.sync()
        }
        return (laptop, phone, desk)
    }

    @Test func `a device that never met a member lets him in again, and asks nobody for his keys`()
        async throws
    {
        let (laptop, phone, desk) = try await afterLoss()
        _ = phone.faults.takeRequests()

        let report = try await accept(phone)
        #expect(report.rollback?.grants.map(\.username) == ["bob"])
        #expect(report.rollback?.grants.map(\.mode) == [.write])
        #expect(report.notes.isEmpty)
        #expect(!phone.faults.takeRequests().contains("/v1/account"))
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
        try await accept(laptop)
        try await accept(desk)
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop, phone)
        #expect(try await desk.text("/team/plan.md") == "plan")
    }

    @Test func `what is to be shared again with who was never met is given up by his name`()
        async throws
    {
        let (_, phone, _) = try await afterLoss()
        // The rollback is accepted, and nothing can be sent.
        phone.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await accept(phone) }

        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
        try phone.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        #expect(try phone.lockbook.shares().isEmpty)
        #expect(try await phone.sync().notes.isEmpty)
        #expect(try phone.lockbook.shares().isEmpty)
    }
}
