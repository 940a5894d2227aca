import LockbookEngine
import LockbookTestSupport
import Testing

/// Who has the code of an invitation can know its id, and make an account that is called so.
struct NamedAfterInvitationTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func invite(_ device: Device) async throws -> Invitation {
        try await device.lockbook.invite(.path("/team"), mode: .read, lasting: 7 * 86_400_000)
    }

    /// The device of an account that has the beginning of an invitation's id as its name.
    private func namesake(of invitation: Invitation) async throws -> (name: String, Device) {
        let name = String(invitation.id.prefix(12))
        return (name, try await Person(name, on: people.server).firstDevice(named: "tablet"))
    }

    private func revoke(_ name: String, _ device: Device) async throws {
        try device.lockbook.setShare(.path("/team"), of: name, to: nil)
        try await device.sync()
    }

    /// - Parameter isByAdmin: whether a member invites, who may.
    @Test(arguments: [false, true])
    func `who is called by the id of the invitation that let him in is taken out`(
        isByAdmin: Bool
    ) async throws {
        let (laptop, desk) = try await shared(.admin)
        let inviter = isByAdmin ? desk : laptop
        let invitation = try await invite(inviter)
        let (name, tablet) = try await namesake(of: invitation)
        _ = try await tablet.lockbook.acceptInvitation(invitation.code)
        try await inviter.sync()
        try await tablet.sync()
        #expect(try tablet.paths() == ["/team", "/team/plan.md"])

        try await revoke(name, inviter)
        try await tablet.sync()
        #expect(try tablet.paths() == [])
        try await laptop.sync()
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
    }

    @Test func `who is called by the id of an open invitation goes before that`() async throws {
        let (laptop, _) = try await shared()
        let (name, tablet) = try await namesake(of: invite(laptop))
        try await share("/team", .read, laptop, tablet)
        #expect(try Set(laptop.lockbook.shares().map(\.username)) == ["", name, "bob"])

        try await revoke(name, laptop)
        #expect(try laptop.lockbook.shares().map(\.username) == ["", "bob"])
        try await revoke(name, laptop)
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
    }
}
