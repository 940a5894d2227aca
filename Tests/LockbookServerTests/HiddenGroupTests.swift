import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf
import Testing

/// What a member is shown the hashes of.
struct HiddenGroupTests {
    @Test func `are not read without end for one answer`() async throws {
        let server = try TestServer(pageByteCount: 1_000)
        var (ada, bob, _) = try await TestPerson.three(at: server)
        var pub = try ada.file("pub", type: .folder)
        try await ada.push([ada.record(pub)], to: server)
        pub.scope = pub.id
        let first = try await ada.push(
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
        let granted = try #require(first)
        bob.head = granted
        var head = granted
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
        // Nor of another log behind it, which is asked for alone.
        let both = try await pull(ada.account, after: granted, by: bob, from: server)
        #expect(both.map(\.entries.count) == [1, 0] && both.last?.more == true)
        // Nor where an entry comes in parts, of which each reads its groups again.
        let hidden = try (0..<200).map { try ada.record(ada.file("hidden \($0)")) }
        let shown = try (0..<6).map { number in
            var note = try ada.file("shown \(number)", in: pub.id)
            note.scope = pub.id
            return try ada.record(note)
        }
        let mixed = [
            ScopeChange(scope: ada.root, records: hidden),
            ScopeChange(scope: pub.id, records: shown),
        ]
        try #require(try await ada.push(mixed, in: ada.account, after: head, to: server) != nil)
        let part = try await bob.pull(after: head, from: server, log: ada.account)
        try #require(part.hasNext)
        let rest = try await pull(ada.account, after: head, part.next, by: bob, from: server)
        #expect(rest.first?.records.isEmpty == false)
        #expect(rest.map(\.entries.count) == [0, 0] && rest.last?.more == true)
    }

    /// Asks for a log after an entry, and for all of one's own behind it.
    private func pull(
        _ log: AccountID,
        after head: LogHead,
        _ cursor: Lockbook_V1_EntryCursor? = nil,
        by person: TestPerson,
        from server: TestServer
    ) async throws -> [Lockbook_V1_LogUpdate] {
        let other = Lockbook_V1_LogPosition.with {
            $0.log = Data(log.hash.bytes)
            $0.known = true
            $0.position = head.position
            $0.head = Data(head.hash.bytes)
            if let cursor { $0.entryCursor = cursor }
        }
        let own = Lockbook_V1_LogPosition.with { $0.log = Data(person.account.hash.bytes) }
        let answer: Lockbook_V1_PullResponse = try await person.send(
            Lockbook_V1_PullRequest.with { $0.logs = [other, own] },
            to: .pull,
            of: server
        )
        return answer.logs
    }
}
