import Foundation
import GRDB
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Who has a device's database without its key file learns nothing that lets him in, and no name.
struct SealedInvitationTests {
    let ada: Person
    let laptop: Device
    let bob: Person

    init() async throws {
        let server = try TestServer()
        ada = Person("ada", on: server)
        bob = Person("bob", on: server)
        laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
    }

    private func secrets(_ device: Device) throws -> [InvitationSecret] {
        try device.lockbook.store.read { try $0.invitations().map(\.entry.secret) }
    }

    private func destinations(_ device: Device) throws -> [String?] {
        try device.lockbook.store.read { try $0.awaited().map(\.destination) }
    }

    @Test func `a database has an open invitation's secret, and what is awaited where, sealed`()
        async throws
    {
        let invitation = try await laptop.lockbook.invite(
            .path("/team"),
            mode: .write,
            lasting: 7 * 86_400_000
        )
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        let desk = try await bob.firstDevice(named: "desk", registered: false)
        _ = try await desk.lockbook.acceptInvitation(invitation.code, to: "/from the lawyer")
        try await desk.sync()

        let secret = try InvitationCode(invitation.code).secret
        for device in [laptop, phone] {
            #expect(try secrets(device) == [secret])
            #expect(try !device.databasesHold(secret.bytes))
        }
        #expect(try destinations(desk) == ["/from the lawyer"])
        #expect(try !desk.databasesHold(Array("from the lawyer".utf8)))
        #expect(try !desk.databasesHold(secret.bytes))
    }

    @Test func `a row that does not open is put down anew from the log`() async throws {
        _ = try await laptop.lockbook.invite(.path("/team"), mode: .read, lasting: 86_400_000)
        try await laptop.sync()
        let secrets = try secrets(laptop)
        #expect(secrets.count == 1)
        try laptop.lockbook.store.write { tree in
            try tree.db.execute(sql: "UPDATE invitation SET sealed = x'00'")
            #expect(try tree.invitations().isEmpty)
            try tree.takeInvitations(of: try #require(try tree.agreedBook()))
        }
        #expect(try self.secrets(laptop) == secrets)
    }

    @Test func `what an older program has in clear is sealed, and stays nowhere`() throws {
        let secret = InvitationSecret(random: .system)
        let files = [
            try #require(FileID([UInt8](repeating: 1, count: 16))),
            try #require(FileID([UInt8](repeating: 2, count: 16))),
        ]
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-older-\(UUID().uuidString)").path
        try Disk.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(
            atPath: AccountFile.path(in: laptop.directory),
            toPath: AccountFile.path(in: folder)
        )
        // It is open still, so that what it wrote waits in the log of the database.
        let older = try olderStore(in: folder, secret, files)
        let place = Array("from the lawyer".utf8)
        #expect(try Device.databases(below: folder, hold: secret.bytes))
        #expect(try Device.databases(below: folder, hold: place))

        let lockbook = try Lockbook.open(directory: folder, environment: .system)
        let (invitations, awaited) = try lockbook.store.read { tree in
            (try tree.invitations(), try tree.awaited())
        }
        #expect(try !Device.databases(below: folder, hold: secret.bytes))
        #expect(try !Device.databases(below: folder, hold: place))
        // It would take what it cannot read for no invitation, and tell that to all devices.
        #expect(throws: DatabaseError.self) {
            try older.inDatabase { try Row.fetchAll($0, sql: "SELECT secret FROM invitation") }
        }
        try older.close()
        let invitation = AddressBook.Invitation(
            secret: secret,
            file: files[0],
            mode: .write,
            expires: Timestamp(milliseconds: 5),
            state: .takenBack
        )
        #expect(invitations.map(\.entry) == [invitation])
        #expect(invitations.map(\.isTold) == [true])
        #expect(awaited.map(\.file) == files)
        #expect(awaited.map(\.destination) == ["/from the lawyer", nil])
        #expect(awaited.map(\.mode) == [.read, nil])
    }

    /// A database as the programs before left it that sealed neither.
    private func olderStore(
        in folder: String,
        _ secret: InvitationSecret,
        _ files: [FileID]
    ) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: folder + "/" + LocalStore.fileName)
        let owner = Data(repeating: 3, count: 32)
        try queue.inDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            for (number, migration) in LocalSchema.migrations where number < 49 {
                try db.execute(sql: migration)
            }
            try db.execute(
                sql: """
                    INSERT INTO invitation (secret, file, mode, expires, state, told)
                    VALUES (?, ?, 2, 5, 2, 1)
                    """,
                arguments: [Data(secret.bytes), Data(files[0].bytes)]
            )
            try db.execute(
                sql: """
                    INSERT INTO awaited (file, owner, expires, destination, mode)
                    VALUES (?, ?, 7, '/from the lawyer', 1), (?, ?, 7, NULL, NULL)
                    """,
                arguments: [Data(files[0].bytes), owner, Data(files[1].bytes), owner]
            )
            try db.execute(sql: "PRAGMA user_version = 48")
        }
        return queue
    }
}
