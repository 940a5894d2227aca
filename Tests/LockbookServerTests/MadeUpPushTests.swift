import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

/// Entries that their author has signed, and that no client of ours would make.
struct MadeUpPushTests {
    let server: TestServer
    var ada: TestPerson

    init() async throws {
        server = try TestServer()
        ada = try await TestPerson.ada(at: server)
    }

    /// - Parameter isShared: whether the scopes are signed, as where something is shared.
    private func push(_ groups: [EntryGroup], at position: UInt64 = 1, isShared: Bool = false)
        throws -> Lockbook_V1_PushRequest
    {
        try push(
            encoded: groups.map(\.bytes),
            at: position,
            scopes: isShared ? groups.map(\.scope) : nil
        )
    }

    private func push(
        encoded groups: [[UInt8]],
        at position: UInt64 = 1,
        scopes: [FileID]? = nil
    ) throws -> Lockbook_V1_PushRequest {
        let header = try EntryHeader(
            log: ada.account,
            position: position,
            previous: try #require(ada.head).hash,
            author: ada.account,
            device: ada.device,
            bodyHash: EntryBody(groups: groups.map { .whole($0) }, scopes: scopes).hash,
            created: Timestamp(milliseconds: 9),
            signedBy: ada.keys.signing
        )
        var request = Lockbook_V1_PushRequest()
        request.header = Data(header.bytes)
        request.groups = groups.map { Data($0) }
        return request
    }

    private func send(_ request: Lockbook_V1_PushRequest) async throws -> Lockbook_V1_PushResponse {
        try await ada.send(request, to: .push, of: server)
    }

    private func refuses(
        _ request: Lockbook_V1_PushRequest,
        _ expected: Refused = .malformed,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await server.stateHash(of: ada)
        await #expect(throws: expected, sourceLocation: sourceLocation) { try await send(request) }
        #expect(try await server.stateHash(of: ada) == before, sourceLocation: sourceLocation)
    }

    /// A group that lists a record of which the server knows nothing.
    private func group(
        _ scope: FileID? = nil,
        wraps: [GranteeWrap] = [],
        purging isPurging: Bool = false
    ) -> EntryGroup {
        let file = FileID(random: .system)
        return EntryGroup(
            scope: scope ?? ada.root,
            records: [RecordReference(file: file, hash: Hash256(sha256: file.bytes))],
            wraps: wraps,
            purged: isPurging ? [file] : []
        )
    }

    @Test func `no entry stands in the place of the registration`() async throws {
        try await refuses(try push([group()], at: 0))
    }

    @Test func `groups stand in the order of their scopes, each once`() async throws {
        let groups = [FileID(random: .system), FileID(random: .system)].sorted().map { group($0) }
        // So they are taken, and what they list is asked for.
        let answer = try await send(try push(groups))
        guard case .missing(let missing) = answer.outcome else {
            Issue.record("\(answer)")
            return
        }
        #expect(missing.records.count == 2)
        try await refuses(try push(groups.reversed()))
        try await refuses(try push([groups[0], groups[0]]))
    }

    @Test func `what a later format adds to a group is short`() async throws {
        func extended(by byteCount: Int) throws -> Lockbook_V1_PushRequest {
            var encoder = CanonicalEncoder()
            // In the place of an empty one.
            encoder.append(fixed: group().bytes.dropLast(4))
            encoder.append(counted: [UInt8](repeating: 7, count: byteCount))
            return try push(encoded: [encoder.bytes])
        }
        let answer = try await send(try extended(by: Wire.maximumExtensionByteCount))
        #expect(answer.missing.records.count == 1, "it is taken, and its record asked for")
        try await refuses(try extended(by: Wire.maximumExtensionByteCount + 1), .tooLarge)
    }

    @Test func `an entry says something, and of one file one thing`() async throws {
        try await refuses(try push([]))
        try await refuses(try push([EntryGroup(scope: ada.root, records: [])]))
        try await refuses(try push([group(purging: true)]))
    }

    @Test mutating func `a record is listed under its own file, and scopes only where they are`()
        async throws
    {
        let record = try ada.record(ada.file("a"))
        var reference = RecordReference(file: FileID(random: .system), hash: record.hash)
        var other = try push([EntryGroup(scope: ada.root, records: [reference])])
        other.records = [Data(record.bytes)]
        try await refuses(other, .violation)
        reference.file = record.facts.id
        let own = EntryGroup(scope: ada.root, records: [reference])
        var shared = try push([own], isShared: true)
        shared.records = other.records
        try await refuses(shared)
        var good = try push([own])
        good.records = other.records
        let answer = try await send(good)
        guard case .accepted = answer.outcome else {
            Issue.record("\(answer)")
            return
        }
    }

    @Test func `a wrap that everybody can open is not let in`() async throws {
        var bytes = try ada.wrap(ada.root, for: ada).bytes
        // The key that was encapsulated stands before what it sealed.
        let start = bytes.count - AgreementPublicKey.sealedByteCount
        for index in start..<start + 32 { bytes[index] = 0 }
        try await refuses(try push([group(wraps: [GranteeWrap(bytes)])]))
    }
}
