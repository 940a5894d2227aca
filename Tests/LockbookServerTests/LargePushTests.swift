import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// Pushes that list much are worked on a few at a time.
struct LargePushTests {
    let server: TestServer
    var ada: TestPerson
    let bob: TestPerson

    init() async throws {
        server = try TestServer()
        ada = try TestPerson("ada", seed: 1)
        bob = try TestPerson("bob", seed: 2)
        try await ada.register(at: server)
    }

    /// Asks for a push that lists so many records, of which the server knows nothing.
    private func missing(_ count: Int) async throws -> Int {
        let files = (0..<count).map { _ in FileID(random: .system) }.sorted()
        let hash = Hash256(sha256: [])
        let group = EntryGroup(
            scope: ada.root,
            records: files.map { RecordReference(file: $0, hash: hash) }
        )
        let header = try EntryHeader(
            log: ada.account,
            position: 1,
            previous: try #require(ada.head).hash,
            author: ada.account,
            device: ada.device,
            bodyHash: EntryBody(groups: [.whole(group.bytes)]).hash,
            created: Timestamp(milliseconds: 9),
            signedBy: ada.keys.signing
        )
        var request = Lockbook_V1_PushRequest()
        request.header = Data(header.bytes)
        request.groups = [Data(group.bytes)]
        let response: Lockbook_V1_PushResponse = try await ada.send(request, to: .push, of: server)
        return response.missing.records.count
    }

    @Test func `what lists much waits for room, and what lists little does not`() async throws {
        let budget = server.server.groupBudget
        let all = PreparedPush.maximumGroupByteCount
        try await budget.take(all, for: bob.keys.signing.publicKey)

        let large = Task { try await missing(25_000) }
        while await budget.waitingCount < 1 { await Task.yield() }
        #expect(try await missing(1) == 1)

        await budget.giveBack(all, of: bob.keys.signing.publicKey)
        #expect(try await large.value == 25_000)
        // What it took is free again.
        try await budget.take(all, for: bob.keys.signing.publicKey)
    }
}
