import LockbookAPI
import LockbookModel
import Testing

/// What is signed in a log of which something is shared, and who purges there.
extension SharingTests {
    @Test mutating func `only the owner purges, and no member makes that again`() async throws {
        try await refuses([ScopeChange(scope: pub.id, purged: [note.id])], by: bob, .notPermitted)
        head = try #require(
            try await ada.push(
                [ScopeChange(scope: pub.id, purged: [note.id])],
                in: ada.account,
                after: head,
                to: server
            )
        )
        let again = ScopeChange(scope: pub.id, records: [try record(note, by: bob)])
        try await refuses([again], by: bob)
    }

    @Test mutating func `where something is shared scopes are signed`() async throws {
        let record = try ada.record(note)
        let (request, _) = try ada.push([record], scope: pub.id, after: head)
        await #expect(throws: Refused.malformed) {
            let _: Lockbook_V1_PushResponse = try await ada.send(request, to: .push, of: server)
        }
        let change = ScopeChange(scope: pub.id, records: [record])
        let accepted = try await ada.push([change], in: ada.account, after: head, to: server)
        #expect(accepted != nil)
    }
}
