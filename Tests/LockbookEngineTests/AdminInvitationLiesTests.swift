import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookServer
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

/// What a server that lies, or an inviter who does, makes of an admin's invitation: nothing.
struct AdminInvitationLiesTests {
    let server: TestServer
    let laptop: Device
    let desk: Device
    let tablet: Device
    let invitation: Invitation
    let code: InvitationCode

    /// Carol invites bob into ada's folder.
    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        desk = try await Person("carol", on: server).firstDevice(named: "desk")
        tablet = try await Person("bob", on: server).firstDevice(named: "tablet")
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .admin)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        invitation = try await desk.lockbook.invite(
            .path("/team"),
            mode: .read,
            lasting: 86_400_000
        )
        code = try InvitationCode(invitation.code)
        try await desk.sync()
    }

    private func bring(_ claims: [[UInt8]], to device: Device? = nil) {
        (device ?? desk).faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            response.claims = claims.map { Data($0) }
            return Array(try response.serializedData() as Data)
        }
    }

    private func members() async throws -> [String] {
        try await laptop.sync()
        return try laptop.lockbook.shares(of: .path("/team")).map(\.username)
    }

    /// What the server knows of somebody.
    private func certificate(of name: String) async throws -> AccountCertificate {
        let username = try #require(Username(name))
        let bytes = try await server.folder.store.read { store in
            try store.account(named: username)?.certificate
        }
        return try AccountCertificate(verifying: try #require(bytes))
    }

    private func terms(
        owner: AccountID? = nil,
        inviter: AccountID? = nil,
        file: FileID? = nil,
        mode: ShareMode = .read,
        later milliseconds: Int64 = 0
    ) -> InvitationTerms {
        InvitationTerms(
            owner: owner ?? code.terms.owner,
            inviter: inviter ?? code.terms.inviter,
            file: file ?? code.terms.file,
            mode: mode,
            expires: Timestamp(milliseconds: code.terms.expires.milliseconds + milliseconds)
        )
    }

    @Test func `keys that the secret's holder did not vouch for are not let in`() async throws {
        _ = try await tablet.lockbook.acceptInvitation(invitation.code)
        let seed = try #require(AccountSeed(Array(repeating: 7, count: 32)))
        let impostor = try AccountCertificate(
            username: try #require(Username("bob")),
            keys: try AccountKeys(seed: seed),
            created: Timestamp(milliseconds: 1)
        )
        let forged = InvitationClaim(
            code.terms,
            secret: InvitationSecret(random: .system),
            by: impostor
        )
        bring([[2] + code.secret.name + forged.bytes.dropFirst(17)])
        await #expect { try await desk.sync() } throws: { saysLie($0) }
        #expect(try await members() == ["carol"])
        desk.faults.tellTruth()
        try await desk.sync()
        #expect(try await members() == ["bob", "carol"])
    }

    @Test func `a claim under other terms is not let in`() async throws {
        let bob = try await certificate(of: "bob")
        for other in [
            terms(mode: .write), terms(later: 86_400_000), terms(file: FileID(random: .system)),
            // As if the folder were carol's own, or ada had invited.
            terms(owner: code.terms.inviter), terms(inviter: code.terms.owner),
            terms(owner: bob.account),
        ] {
            bring([InvitationClaim(other, secret: code.secret, by: bob).bytes])
            await #expect { try await desk.sync() } throws: { saysLie($0) }
            desk.faults.tellTruth()
        }
        #expect(try await members() == ["carol"])
        #expect(try desk.lockbook.status().invitations == 1)
    }

    @Test func `a claim that is shown again lets nobody in again`() async throws {
        let claim = InvitationClaim(
            code.terms,
            secret: code.secret,
            by: try await certificate(of: "bob")
        ).bytes
        _ = try await tablet.lockbook.acceptInvitation(invitation.code)
        try await desk.sync()
        #expect(try await members() == ["bob", "carol"])
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        bring([claim, claim])
        try await desk.sync()
        try await desk.sync()
        #expect(try await members() == ["carol"])
    }

    @Test func `a claim on what was taken back lets nobody in`() async throws {
        let id = String(invitation.id.prefix(8))
        try desk.lockbook.setShare(.path("/team"), of: id, to: nil)
        bring([
            InvitationClaim(code.terms, secret: code.secret, by: try await certificate(of: "bob"))
                .bytes
        ])
        try await desk.sync()
        #expect(try await members() == ["carol"])
    }

    @Test func `two claims shown to two devices let one account in`() async throws {
        let phone = try await Person("carol", on: server).device(named: "phone", like: desk)
        _ = try await Person("eve", on: server).firstDevice(named: "watch")
        for (device, name) in [(desk, "bob"), (phone, "eve")] {
            let other = try await certificate(of: name)
            bring(
                [InvitationClaim(code.terms, secret: code.secret, by: other).bytes],
                to: device
            )
        }
        let desk = desk
        // The desk's entry comes first, while the phone has decided already.
        phone.faults.before("/v1/push") { _ = try await desk.sync() }
        try await phone.sync()
        for device in [desk, phone] {
            device.faults.tellTruth()
            try await device.sync()
        }
        #expect(try await members() == ["bob", "carol"])
        #expect(try phone.lockbook.shares(of: .path("/team")).map(\.username) == ["bob", "carol"])
    }

    @Test func `an admin from whom his end is kept lets nobody in`() async throws {
        // What he is told of ada's log before that, in which nothing is new to him.
        let ada = try await certificate(of: "ada").account.hash.bytes
        let shown = Mutex<Lockbook_V1_LogUpdate?>(nil)
        desk.faults.lie("/v1/pull") { body in
            let response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            shown.withLock { $0 = response.logs.first { Array($0.log) == ada } }
            return body
        }
        try await desk.sync()
        let frozen = try #require(shown.withLock { $0 })
        desk.faults.tellTruth()
        desk.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for index in response.logs.indices where Array(response.logs[index].log) == ada {
                response.logs[index] = frozen
            }
            return Array(try response.serializedData() as Data)
        }
        _ = try await tablet.lockbook.acceptInvitation(invitation.code)
        try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try await laptop.sync()

        _ = try? await desk.sync()
        #expect(try await members() == [])
        desk.faults.tellTruth()
        try await desk.sync()
        try await tablet.sync()
        #expect(try await members() == [])
        #expect(try tablet.lockbook.offers() == [])
    }

    @Test func `the invited takes no other keys than the inviter's in the code`() async throws {
        let ada = try await certificate(of: "ada").bytes
        tablet.faults.lie("/v1/claim") { _ in
            Array(
                try Lockbook_V1_ClaimResponse.with { $0.certificate = Data(ada) }
                    .serializedData() as Data
            )
        }
        await #expect {
            _ = try await tablet.lockbook.acceptInvitation(invitation.code)
        } throws: { saysLie($0) }
        #expect(try tablet.lockbook.status().awaited == nil)
        #expect(try tablet.lockbook.contacts() == [])
    }

    @Test func `another account's folder is not linked under it`() async throws {
        // Carol says that it is eve's; what comes under that id is ada's.
        _ = try await Person("eve", on: server).firstDevice(named: "watch")
        let forged = InvitationCode(
            terms(owner: try await certificate(of: "eve").account),
            secret: code.secret,
            from: code.inviter,
            server: code.server
        )
        _ = try await tablet.lockbook.acceptInvitation(forged.text)
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        try await tablet.sync()
        #expect(try tablet.paths() == [])
        #expect(try tablet.lockbook.offers().map(\.from) == ["ada"])
        #expect(try tablet.lockbook.status().awaitedShares?.count == 1)
    }

    @Test func `of an owner who is not there nothing is awaited`() async throws {
        let nobody = AccountID(hash: Hash256(sha256: [1]))
        let forged = InvitationCode(
            terms(owner: nobody),
            secret: code.secret,
            from: code.inviter,
            server: code.server
        )
        await #expect {
            _ = try await tablet.lockbook.acceptInvitation(forged.text)
        } throws: { error in
            if case LockbookError.invitationRefused = error { true } else { false }
        }
        #expect(try tablet.lockbook.status().awaited == nil)
        #expect(try tablet.lockbook.contacts() == [])
        try await tablet.sync()
    }
}
