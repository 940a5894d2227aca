import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Who is being taken out of a share is let in by no invitation.
struct LeavingMemberTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// The next push drops what was wanted, and says so.
    @Test func `nobody leaves whom this account could not take out for a while`() async throws {
        let (laptop, desk) = try await shared(.admin)
        let tablet = try await carol.firstDevice(named: "tablet")
        let (owner, other) = (
            laptop.lockbook.store.context.owner, tablet.lockbook.store.context.owner
        )
        let shares = try #require(try desk.lockbook.shared(by: owner)).store
        try shares.write { tree in
            let file = try #require(try tree.held().keys.first)
            let wish = LocalTree.ShareWish(file: file, grantee: other, mode: .none)
            try tree.wish(wish)
            #expect(try tree.isLeaving(other, file))
            try tree.markForfeited(wish)
            #expect(try !tree.isLeaving(other, file))
        }
    }
}
