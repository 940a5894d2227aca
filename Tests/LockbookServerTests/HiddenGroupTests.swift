import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

/// What a member is shown the hashes of.
struct HiddenGroupTests {
    @Test func `are not read without end for one answer`() async throws {
        let server = try TestServer(pageByteCount: 1_000)
        var (ada, bob, _) = try await TestPerson.three(at: server)
        var pub = try ada.file("pub", type: .folder)
        try await ada.push([ada.record(pub)], to: server)
        pub.scope = pub.id
        let granted = try await ada.push(
            [
                ScopeChange(
                    scope: pub.id,
                    records: [ada.record(pub)],
                    grants: [ada.grant(pub.id, to: bob, .read)],
                    wraps: [ada.wrap(pub.id, for: bob)]
                )
            ],
            in: ada.account,
            after: try #require(ada.head),
            to: server
        )
        bob.head = granted
        var head = try #require(granted)
        for round in 0..<3 {
            let records = try (0..<200).map { number in
                try ada.record(ada.file("\(round) \(number)"))
            }
            let change = ScopeChange(scope: ada.root, records: records)
            let next = try await ada.push([change], in: ada.account, after: head, to: server)
            head = try #require(next)
        }
        // Of three of them there would be room.
        for position in (3 as UInt64)...5 {
            let page = try await bob.pull(after: bob.head, from: server, log: ada.account)
            #expect(page.entries.count == 1)
            #expect(page.entries.first?.groups.first?.hidden.count == 48)
            #expect(page.more == (position < 5))
            let header = try EntryHeader(Array(try #require(page.entries.first).header))
            #expect(header.position == position)
            bob.head = LogHead(header)
        }
    }
}
