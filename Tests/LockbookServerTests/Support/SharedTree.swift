import LockbookCrypto
import LockbookModel
import Testing

/// Tests of what others may do in ada's tree.
protocol SharedTree {
    var server: TestServer { get }
    var ada: TestPerson { get }
    /// Of ada's log, which entries go on from.
    var head: LogHead { get }
}

extension SharedTree {
    /// A record in ada's tree as somebody else makes it, with the keys that he was given.
    func record(_ file: File, by person: TestPerson) throws -> FileRecord {
        var person = person
        person.folders = ada.folders
        var file = file
        file.author = person.account
        file.device = person.device
        return try person.record(file, owner: ada.account)
    }

    /// Nothing comes of an entry in ada's log, which is hers where it is nobody else's.
    func refuses(
        _ changes: [ScopeChange],
        by person: TestPerson? = nil,
        _ expected: Refused = .violation,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await server.stateHash(of: ada)
        await #expect(throws: expected, sourceLocation: sourceLocation) {
            _ = try await (person ?? ada).push(changes, in: ada.account, after: head, to: server)
        }
        #expect(try await server.stateHash(of: ada) == before, sourceLocation: sourceLocation)
    }
}
