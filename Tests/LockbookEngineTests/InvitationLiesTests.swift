import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookServer
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// What a server that lies makes of invitations: nothing.
struct InvitationLiesTests {
    let server: TestServer
    let laptop: Device
    let desk: Device
    let invitation: Invitation
    let code: InvitationCode

    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        invitation = try await laptop.lockbook.invite(
            .path("/team"),
            mode: .read,
            lasting: 86_400_000
        )
        code = try InvitationCode(invitation.code)
    }

    /// The server's own keys under a name.
    private func impostor(_ name: String) throws -> AccountCertificate {
        let seed = try #require(AccountSeed(Array(repeating: 7, count: 32)))
        return try AccountCertificate(
            username: try #require(Username(name)),
            keys: try AccountKeys(seed: seed),
            created: Timestamp(milliseconds: 1)
        )
    }

    private func bring(_ claims: [[UInt8]]) {
        laptop.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            response.claims = claims.map { Data($0) }
            return Array(try response.serializedData() as Data)
        }
    }

    @Test func `keys that the secret's holder did not vouch for are not let in`() async throws {
        _ = try await desk.lockbook.acceptInvitation(invitation.code)
        let forged = InvitationClaim(
            code.terms,
            secret: InvitationSecret(random: .system),
            by: try impostor("bob")
        )
        // Its own claim, under the id that the invitation has.
        bring([[1] + code.secret.name + forged.bytes.dropFirst(17)])

        await #expect { try await laptop.sync() } throws: { saysLie($0) }

        #expect(try laptop.lockbook.shares().map(\.state) == [.invited])
        laptop.faults.tellTruth()
        try await laptop.sync()
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
    }

    private func bringOtherTerms() async throws {
        let own = try await certificate(of: "bob")
        let longer = InvitationTerms(
            owner: code.terms.owner,
            file: code.terms.file,
            mode: .write,
            expires: Timestamp(milliseconds: code.terms.expires.milliseconds + 86_400_000)
        )
        bring([InvitationClaim(longer, secret: code.secret, by: own).bytes])
    }

    @Test func `a claim under other terms is not let in`() async throws {
        try await bringOtherTerms()
        await #expect { try await laptop.sync() } throws: { saysLie($0) }
        #expect(try laptop.lockbook.shares().map(\.state) == [.invited])
    }

    @Test func `an end that the server refuses hides no lie, and keeps no other end from it`()
        async throws
    {
        var codes: [String] = []
        for _ in 0..<2 {
            let other = try await laptop.lockbook.invite(
                .path("/team"),
                mode: .read,
                lasting: 86_400_000
            )
            let id = String(other.id.prefix(8))
            try laptop.lockbook.setShare(.path("/team"), of: id, to: nil)
            codes.append(other.code)
        }
        try await bringOtherTerms()
        let refused = try InvitationCode(codes[0]).secret.name
        laptop.faults.refuse("/v1/invite") { body in
            let request = try Lockbook_V1_InviteRequest(serializedBytes: Data(body))
            guard Array(request.invitation) == refused else { return nil }
            let answer = Lockbook_V1_ErrorResponse.with {
                $0.code = .violation
                $0.message = "not today"
            }
            return (422, Array(try answer.serializedData() as Data))
        }
        await #expect { try await laptop.sync() } throws: { saysLie($0) }
        await desk.refuses(codes[1], "taken back")
    }

    @Test func `a claim that is shown again lets nobody in again`() async throws {
        let own = try await certificate(of: "bob")
        let claim = InvitationClaim(code.terms, secret: code.secret, by: own).bytes
        _ = try await desk.lockbook.acceptInvitation(invitation.code)
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        bring([claim, claim])
        try await laptop.sync()

        #expect(try laptop.lockbook.shares() == [])
    }

    @Test func `two claims shown to two devices let one account in`() async throws {
        try await laptop.sync()
        let phone = try await Person("ada", on: server).device(named: "phone", like: laptop)
        let eve = try await Person("eve", on: server).firstDevice(named: "tablet")
        _ = eve
        // Both have the code; the server shows each of ada's devices another one.
        bring([
            InvitationClaim(code.terms, secret: code.secret, by: try await certificate(of: "bob"))
                .bytes
        ])
        let other = InvitationClaim(
            code.terms,
            secret: code.secret,
            by: try await certificate(of: "eve")
        ).bytes
        phone.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            response.claims = [Data(other)]
            return Array(try response.serializedData() as Data)
        }
        let laptop = laptop
        // The laptop's entry comes first, while the phone has decided already.
        phone.faults.before("/v1/push") { _ = try await laptop.sync() }

        try await phone.sync()
        laptop.faults.tellTruth()
        phone.faults.tellTruth()
        try await laptop.sync()
        try await phone.sync()

        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
    }

    @Test func `the invited takes no other keys than those in the code`() async throws {
        let forged = try impostor("ada").bytes
        desk.faults.lie("/v1/claim") { _ in
            Array(
                try Lockbook_V1_ClaimResponse.with { $0.certificate = Data(forged) }
                    .serializedData() as Data
            )
        }
        await #expect {
            _ = try await desk.lockbook.acceptInvitation(invitation.code)
        } throws: { saysLie($0) }
        #expect(try desk.lockbook.status().awaited == nil)
        #expect(try desk.lockbook.contacts() == [])
    }

    @Test func `a claim is not sent to somebody else under a name that was met`() async throws {
        try desk.write("/mine.md", "x")
        try await desk.sync()
        _ = try await desk.lockbook.share(.path("/mine.md"), with: "ada", mode: .read)
        let eve = try await Person("eve", on: server).firstDevice(named: "tablet")
        try eve.write("/theirs.md", "x")
        let other = try await eve.lockbook.invite(
            .path("/theirs.md"),
            mode: .read,
            lasting: 86_400_000
        )
        let theirs = try InvitationCode(other.code)
        // Eve's invitation in ada's name.
        let forged = InvitationCode(
            theirs.terms,
            secret: theirs.secret,
            from: code.inviter,
            server: code.server
        )
        _ = desk.faults.takeRequests()
        await #expect(throws: LockbookError.keyChanged(username: "ada")) {
            _ = try await desk.lockbook.acceptInvitation(forged.text)
        }
        #expect(!desk.faults.takeRequests().contains("/v1/claim"))
    }

    @Test func `who comes under a name with other keys stops each sync until that is blocked`()
        async throws
    {
        #expect(try await laptop.lockbook.verify("bob") { _ in true })
        bring([InvitationClaim(code.terms, secret: code.secret, by: try impostor("bob")).bytes])
        for _ in 0..<2 {
            await #expect(throws: LockbookError.keyChanged(username: "bob")) {
                try await laptop.sync()
            }
        }
        try await laptop.lockbook.block("bob")
        let report = try await laptop.sync()
        #expect(report.notes.contains { $0.kind == .claimRefused })
        #expect(try laptop.lockbook.shares() == [])
        try await laptop.sync()
    }

    /// What the server knows of somebody.
    private func certificate(of name: String) async throws -> AccountCertificate {
        let username = try #require(Username(name))
        let bytes = try await server.folder.store.read { store in
            try store.account(named: username)?.certificate
        }
        return try AccountCertificate(verifying: try #require(bytes))
    }
}
