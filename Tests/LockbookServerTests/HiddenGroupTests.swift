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
        let logs = [ada.account, bob.account].map { log in
            Lockbook_V1_LogPosition.with {
                $0.log = Data(log.hash.bytes)
                guard log == ada.account else { return }
                $0.known = true
                $0.position = granted.position
                $0.head = Data(granted.hash.bytes)
            }
        }
        let answer: Lockbook_V1_PullResponse = try await bob.send(
            Lockbook_V1_PullRequest.with { $0.logs = logs },
            to: .pull,
            of: server
        )
        #expect(answer.logs.map(\.entries.count) == [1, 0] && answer.logs.last?.more == true)
    }
}
