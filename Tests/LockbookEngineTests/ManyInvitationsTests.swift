import GRDB
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// An account has made many invitations, all of which its devices are to know.
struct ManyInvitationsTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private static let day: Int64 = 86_400_000

    /// Puts invitations down that were used, as years leave them.
    private func putDown(_ count: Int, on device: Device) throws {
        let now = device.lockbook.environment.now().milliseconds
        try device.lockbook.store.write { tree in
            let file = try tree.find(.path("/team")).id
            for _ in 0..<count {
                let invitation = AddressBook.Invitation(
                    secret: InvitationSecret(random: .system),
                    file: file,
                    mode: .read,
                    expires: Timestamp(milliseconds: now + Self.day)
                )
                try tree.insert(invitation)
                try tree.set(.used(by: tree.owner), of: invitation.secret)
                try tree.markTold(invitation.secret)
            }
        }
    }

    @Test func `those that are over leave room for what else devices have to know`() async throws {
        let (laptop, phone, desk, _) = try await people.devices(holding: ["/team/plan.md": "plan"])
        try putDown(400, on: laptop)
        let invitation = try await laptop.lockbook.invite(
            .path("/team"),
            mode: .read,
            lasting: 7 * Self.day
        )
        _ = try await desk.lockbook.acceptInvitation(invitation.code)
        try laptop.write("/own.md", "own")
        try await laptop.sync()

        #expect(try await desk.sync().notes.map(\.kind) == [.accepted])
        try await phone.sync()
        #expect(try await phone.text("/own.md") == "own")
        let known = try phone.lockbook.store.read { try $0.invitations() }
        // Beside them that one, by which somebody was yet to be let in when the log was told.
        #expect(known.count == AddressBook.maximumEndedCount + 1)
        #expect(known.contains { $0.name.hex == invitation.id })
        try await converge(ada, laptop, phone)
    }

    @Test func `one by which somebody is yet to be let in stays, though the log has it no more`()
        async throws
    {
        let laptop = try await ada.firstDevice(holding: ["/team/plan.md": "plan"])
        try putDown(2, on: laptop)
        try laptop.lockbook.store.write { tree in
            let invitation = try #require(try tree.invitations().first).entry
            try tree.set(invitation.state, of: invitation.secret, owedAfter: 0)
            try tree.db.execute(sql: "UPDATE invitation SET agreed = 1")
            try tree.takeInvitations(of: .empty)
            #expect(try tree.invitations().map(\.entry) == [invitation])
        }
    }

    @Test func `one by which somebody is yet to be let in is not swept out long after its end`()
        async throws
    {
        let laptop = try await ada.firstDevice(holding: ["/team/plan.md": "plan"])
        try putDown(2, on: laptop)
        laptop.clock.pass(days: 32)
        try laptop.lockbook.store.write { tree in
            let invitation = try #require(try tree.invitations().first).entry
            try tree.set(invitation.state, of: invitation.secret, owedAfter: 0)
            try tree.sweepInvitations()
            #expect(try tree.invitations().map(\.entry) == [invitation])
        }
    }
}
