import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Who shares something calls a member what he likes, and the server lets that through.
struct MisnamedMemberTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `nobody is called by the name of somebody else who was met here`() async throws {
        let (laptop, desk) = try await shared(.admin)
        _ = try await carol.firstDevice(named: "tablet")
        #expect(try await desk.lockbook.verify("carol") { _ in true })
        let other = try AccountKeys(
            seed: try #require(AccountSeed(Array(repeating: 7, count: 32)))
        )
        let owner = laptop.lockbook.store.context.owner
        let shares = try #require(try desk.lockbook.shared(by: owner)).store
        try shares.write { tree in
            try tree.keep(
                Grant(
                    owner: owner,
                    file: #require(try tree.held().keys.first),
                    grantee: other.publicKeys,
                    named: #require(Username("carol")),
                    mode: .read,
                    grantor: owner,
                    serial: 1,
                    created: Timestamp(milliseconds: 1),
                    signedBy: laptop.lockbook.keys.signing
                )
            )
        }
        try laptop.write("/team/plan.md", "news")
        try await laptop.sync()
        try await desk.sync()
        let id = AccountID(other.publicKeys).description
        #expect(try Set(desk.lockbook.sharesOfOthers().map(\.username)) == ["bob", id])
    }
}
