import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// What a server keeps of invitations and acquaintances, and what it refuses.
struct InvitationTests {
    let server: TestServer
    var ada: TestPerson
    var bob: TestPerson
    var eve: TestPerson
    let secret = InvitationSecret(random: .system)
    let terms: InvitationTerms

    init() async throws {
        server = try TestServer()
        (ada, bob, eve) = try await TestPerson.three(at: server)
        terms = InvitationTerms(
            owner: ada.account,
            file: FileID(random: .system),
            mode: .read,
            expires: Timestamp(milliseconds: (server.clock.now + 86_400) * 1_000)
        )
    }

    private func invite(
        _ state: Lockbook_V1_InviteRequest.State = .open,
        secret other: InvitationSecret? = nil,
        expires: Int64? = nil
    ) async throws {
        let _: Lockbook_V1_InviteResponse = try await ada.send(
            Lockbook_V1_InviteRequest.with {
                $0.invitation = Data((other ?? secret).name)
                $0.expires = expires ?? terms.expires.milliseconds
                $0.state = state
            },
            to: .invite,
            of: server
        )
    }

    @discardableResult
    private func claim(
        by person: TestPerson,
        as other: TestPerson? = nil,
        isUsed: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> InvitationClaim {
        let claim = InvitationClaim(
            terms,
            secret: secret,
            by: (other ?? person).certificate
        )
        let answer: Lockbook_V1_ClaimResponse = try await person.send(
            Lockbook_V1_ClaimRequest.with {
                $0.owner = Data(ada.account.hash.bytes)
                $0.claim = Data(claim.bytes)
            },
            to: .claim,
            of: server
        )
        #expect(Array(answer.certificate) == ada.certificate.bytes)
        #expect(answer.used == isUsed, sourceLocation: sourceLocation)
        return claim
    }

    private func claims(of person: TestPerson) async throws -> [Data] {
        let answer: Lockbook_V1_PullResponse = try await person.send(
            Lockbook_V1_PullRequest(),
            to: .pull,
            of: server
        )
        return answer.claims
    }

    @Test func `a claim waits for the owner until he says how it ended`() async throws {
        try await invite()
        try await invite()
        let claim = try await claim(by: bob)
        // The answer may have been lost.
        try await self.claim(by: bob)

        #expect(try await claims(of: ada) == [Data(claim.bytes)])
        #expect(try await claims(of: bob) == [])
        try await invite(.used)
        #expect(try await claims(of: ada) == [])
        // He may not know yet that he was let in.
        try await self.claim(by: bob, isUsed: true)
        #expect(try await claims(of: ada) == [])
    }

    @Test func `used, expired, taken back, unknown or for somebody else, it is refused`()
        async throws
    {
        await #expect(throws: Refused.notFound) { try await claim(by: bob) }
        try await invite()
        await #expect(throws: Refused.notPermitted) { try await claim(by: eve, as: bob) }
        try await claim(by: bob)
        await #expect(throws: Refused.notPermitted) { try await claim(by: eve) }
        try await invite(.used)
        await #expect(throws: Refused.notPermitted) { try await claim(by: eve) }
        try await invite(.takenBack)
        await #expect(throws: Refused.notPermitted) { try await claim(by: bob) }
        // What has ended does not begin again.
        await #expect(throws: Refused.nameTaken) {
            try await invite(expires: terms.expires.milliseconds + 1)
        }
        try await invite()
        await #expect(throws: Refused.notPermitted) { try await claim(by: bob) }
    }

    @Test func `after its time it is refused, and a month later forgotten`() async throws {
        try await invite()
        server.clock.advance(by: 86_401)
        await #expect(throws: Refused.notPermitted) { try await claim(by: bob) }
        server.clock.advance(by: 31 * 86_400)
        try await server.server.collect()
        await #expect(throws: Refused.notFound) { try await claim(by: bob) }
    }

    @Test func `how many and how long has its limits`() async throws {
        let now = server.clock.now * 1_000
        for expires in [now, now + 367 * 86_400_000] {
            await #expect(throws: Refused.violation) { try await invite(expires: expires) }
        }
        for _ in 0..<64 { try await invite(secret: InvitationSecret(random: .system)) }
        await #expect(throws: Refused.tooLarge) { try await invite() }
    }

    @Test func `of those that ended a number is kept, and no code is worth more without its row`()
        async throws
    {
        try await invite(expires: server.clock.now * 1_000 + 60_000)
        try await invite(.takenBack)
        for round in 0..<4 {
            let others = (0..<64).map { _ in InvitationSecret(random: .system) }
            let expires = server.clock.now * 1_000 + 120_000
            for other in others { try await invite(secret: other, expires: expires) }
            // Those whose time is over count as well as those that were taken back.
            if round < 2 {
                for other in others { try await invite(.takenBack, secret: other) }
            } else {
                server.clock.advance(by: 121)
            }
        }
        await #expect(throws: Refused.notPermitted) { try await claim(by: bob) }
        try await invite(secret: InvitationSecret(random: .system))
        await #expect(throws: Refused.notFound) { try await claim(by: bob) }
    }
}
