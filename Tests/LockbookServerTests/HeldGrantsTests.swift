import GRDB
import GRDBSQLite
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// Grants that hold are found without looking at those whose place they took, of which there may be any number.
struct HeldGrantsTests {
    let server: TestServer
    let ada: TestPerson
    let bob: TestPerson
    let eve: TestPerson

    init() async throws {
        server = try TestServer()
        (ada, bob, eve) = try await TestPerson.three(at: server)
    }

    /// What is asked of the store about grants, as one text.
    private static func answers(
        of file: FileID,
        in owner: AccountID,
        to members: [AccountID],
        _ store: any MetadataReading
    ) throws -> [String] {
        let log = try #require(try store.account(id: owner)).key
        var answers: [String] = []
        for member in members {
            answers.append("\(try store.logs(sharedWith: member).count)")
            answers.append("\(try store.grantCount(to: member, in: log))")
            answers.append("\(try store.strangerCount(sharingWith: member))")
            answers.append("\(try store.mode(of: member, on: file, in: log))")
        }
        answers.append("\(try store.grants(of: file, in: log).count)")
        answers.append("\(try store.memberCount(of: file, in: log))")
        answers.append("\(try store.sharedFiles(in: log) == [file])")
        answers.append("\(try store.strangerCount(in: log))")
        answers.append("\(try store.memberships(of: members[1], in: log).map(\.position))")
        return answers
    }

    private static let expected = [
        "1", "1", "1", "write", "0", "0", "0", "none", "2", "1", "true", "1", "[1, 3001]",
    ]

    /// Bob's right changes again and again, and eve has none any more.
    private func fill() async throws -> FileID {
        let file = FileID(random: .system)
        let rights = try [ada.grant(file, to: bob, .read), ada.grant(file, to: bob, .write)]
        let given = try ada.grant(file, to: eve, .read)
        let taken = try ada.grant(file, to: eve, .none)
        let owner = ada.account
        try await server.folder.store.write { store in
            let log = try #require(try store.account(id: owner)).key
            try store.apply([given], at: 1, to: log)
            for position in 1...3_000 as ClosedRange<UInt64> {
                try store.apply([rights[Int(position % 2)]], at: position, to: log)
            }
            try store.apply([rights[1], taken], at: 3_001, to: log)
        }
        return file
    }

    @Test func `however often a right changed, few grants are looked at`() async throws {
        let file = try await fill()
        let (owner, members) = (ada.account, [bob.account, eve.account])
        let found = try await server.folder.store.read { store in
            let transaction = try #require(store as? SQLiteTransaction)
            let connection = transaction.database.sqliteConnection
            // After so many steps of a program SQLite breaks off; each grant takes some.
            sqlite3_progress_handler(connection, 2_000, { _ in 1 }, nil)
            defer { sqlite3_progress_handler(connection, 0, nil, nil) }
            return try Self.answers(of: file, in: owner, to: members, store)
        }
        #expect(found == Self.expected)
    }

    @Test func `a server of before finds them so, too, once it was started`() async throws {
        let file = try await fill()
        let (owner, members) = (ada.account, [bob.account, eve.account])
        let found = try await server.withStoreOfBefore(
            "60 held grants",
            "DROP INDEX share_grant_held; DROP INDEX share_grant_offered"
        ) { store in
            try await store.read { try Self.answers(of: file, in: owner, to: members, $0) }
        }
        #expect(found == Self.expected)
    }
}
