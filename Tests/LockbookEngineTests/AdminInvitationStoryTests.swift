import LockbookEngine
import LockbookTestSupport
import Testing

/// An admin of what another account shares invites somebody who has no account.
struct AdminInvitationStoryTests {
    let server: TestServer
    let ada: Person
    let carol: Person
    let bob: Person
    let laptop: Device
    let desk: Device

    /// Ada shares a folder, in which carol is an admin.
    init() async throws {
        server = try TestServer()
        (ada, carol, bob) = (
            Person("ada", on: server), Person("carol", on: server), Person("bob", on: server)
        )
        laptop = try await ada.firstDevice()
        desk = try await carol.firstDevice(named: "desk")
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/team/part/note.md", "note")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .admin)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id, to: "/ours")
        try await desk.sync()
    }

    func invite(_ path: String = "/ours", _ mode: ShareRight = .write) async throws
        -> Invitation
    {
        try await desk.lockbook.invite(.path(path), mode: mode, lasting: 7 * 86_400_000)
    }

    /// Bob's new account, which used the code.
    func accept(_ code: String) async throws -> Device {
        let tablet = try await bob.firstDevice(named: "tablet", registered: false)
        let accepted = try await tablet.lockbook.acceptInvitation(code, to: "/theirs")
        #expect(accepted.from == "carol")
        return tablet
    }

    func members(_ path: String = "/team") throws -> [String] {
        try laptop.lockbook.shares(of: .path(path)).map(\.username)
    }

    @Test func `who has no account is let into what another one shares`() async throws {
        let invitation = try await invite()
        #expect(invitation.path == "/ours")
        #expect(try desk.lockbook.status().invitations == 1)
        for shares in [
            try desk.lockbook.shares(of: .path("/ours")), try desk.lockbook.shares(),
        ] {
            #expect(shares.filter { $0.state == .invited }.map(\.path) == ["/ours"])
            #expect(shares.compactMap(\.invitation) == [invitation.id])
        }

        let tablet = try await accept(invitation.code)
        // He has never met ada, and is told of her by her account's id.
        let owner = try #require(try tablet.lockbook.status().awaitedShares?.first)
        #expect(owner.by == "carol" && owner.owner?.count == 64)
        #expect(try tablet.lockbook.status().awaited == ["carol"])
        #expect(try tablet.lockbook.contacts() == ["carol"])
        let told = try await desk.sync()
        #expect(told.notes.map(\.kind) == [.joined])
        #expect(told.notes.map(\.detail) == ["bob, write"])
        #expect(told.notes.map(\.path) == ["/ours"])
        let report = try await tablet.sync()

        #expect(
            report.notes.filter { $0.kind == .accepted }.map(\.detail) == ["ada, invited by carol"]
        )
        #expect(try await tablet.text("/theirs/plan.md") == "plan")
        #expect(try tablet.lockbook.status().awaitedShares == nil)
        try tablet.write("/theirs/plan.md", "by bob")
        for device in [tablet, laptop, desk] { try await device.sync() }
        #expect(try await laptop.text("/team/plan.md") == "by bob")
        #expect(try await desk.text("/ours/plan.md") == "by bob")
        #expect(try members() == ["bob", "carol"])
        #expect(try desk.lockbook.shares(of: .path("/ours")).map(\.username) == ["bob", "carol"])
        #expect(try desk.lockbook.status().invitations == nil)
        for device in [laptop, desk, tablet] {
            #expect(try device.lockbook.validate() == [])
            #expect(try await device.sync().traffic.requests == 1)
        }
        try await converge(ada, laptop)
        try await converge(carol, desk)
        try await converge(bob, tablet)
    }

    @Test func `any device of the admin lets him in`() async throws {
        let invitation = try await invite()
        try await desk.sync()
        let phone = try await carol.device(named: "phone", like: desk)
        #expect(try phone.lockbook.shares().map(\.state) == [.invited])
        let tablet = try await accept(invitation.code)

        #expect(try await phone.sync().notes.map(\.kind) == [.joined])
        try await tablet.sync()

        #expect(try await tablet.text("/theirs/plan.md") == "plan")
        #expect(try await desk.sync().notes.filter { $0.kind == .joined } == [])
        #expect(try desk.lockbook.status().invitations == nil)
        try await converge(carol, desk, phone)
    }

    @Test func `only an admin invites, to what is shared by itself, and nobody to be one`()
        async throws
    {
        await #expect(throws: LockbookError.self) { _ = try await invite("/ours", .admin) }
        await #expect {
            _ = try await invite("/ours/part")
        } throws: { error in
            if case LockbookError.badShare(path: "/ours/part", _) = error { true } else { false }
        }
        try laptop.lockbook.setShare(.path("/team"), of: "carol", to: .write)
        try await laptop.sync()
        try await desk.sync()
        await #expect(throws: LockbookError.ownersToShare(path: "/ours")) {
            _ = try await invite()
        }
        #expect(try desk.lockbook.status().invitations == nil)
        #expect(!desk.faults.takeRequests().contains("/v1/invite"))
    }

    @Test func `an admin invites to a part that its owner shares, too`() async throws {
        let eve = try await Person("eve", on: server).firstDevice(named: "phone")
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "eve", mode: .read)
        for device in [laptop, eve, desk] { try await device.sync() }
        let tablet = try await accept(try await invite("/ours/part", .read).code)

        #expect(try await desk.sync().notes.map(\.path) == ["/ours/part"])
        try await tablet.sync()

        #expect(try tablet.paths() == ["/theirs", "/theirs/note.md"])
        try await laptop.sync()
        #expect(try members("/team/part") == ["bob", "eve"])
        #expect(try members() == ["carol"])
    }

    @Test func `the owner needs no invitation to what is hers`() async throws {
        let invitation = try await invite()
        await #expect(
            throws: LockbookError.badInvitation(reason: "what it is for is this account's own")
        ) {
            _ = try await laptop.lockbook.acceptInvitation(invitation.code)
        }
        await #expect(throws: LockbookError.self) {
            _ = try await desk.lockbook.acceptInvitation(invitation.code)
        }
    }

    @Test func `who may do less gets what the invitation says, and nobody less`() async throws {
        let tablet = try await bob.firstDevice(named: "tablet")
        try await tablet.sync()
        // It has not heard of what the other device was given.
        let phone = try await bob.device(named: "phone", like: tablet)
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        for device in [laptop, desk, tablet] { try await device.sync() }
        for (mode, right, device) in [
            (ShareRight.write, ShareRight.write, tablet), (.read, .write, phone),
        ] {
            _ = try await device.lockbook.acceptInvitation(try await invite("/ours", mode).code)
            #expect(try await desk.sync().notes.map(\.kind) == [.joined])
            try await laptop.sync()
            let shares = try laptop.lockbook.shares(of: .path("/team"))
            #expect(shares.first { $0.username == "bob" }?.mode == right)
        }
        try await tablet.sync()
        let code = try await invite("/ours", .write).code
        await #expect(throws: LockbookError.invitationNotNeeded(path: "/team")) {
            _ = try await tablet.lockbook.acceptInvitation(code)
        }
    }
}
