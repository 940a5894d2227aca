import Foundation
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Several processes that make an account in one folder at the same moment.
struct CreateTogetherTests {
    @Test func `they make one account, of the name of the last`() async throws {
        for _ in 0..<5 {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "lockbook-together-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let phrases = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        let lockbook = try Lockbook.createAccount(
                            username: "name\(number)",
                            server: try ServerAddress("http://127.0.0.1:1"),
                            directory: folder
                        )
                        return lockbook.recoveryPhrase().joined(separator: " ")
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(phrases.count == 1)
            let lockbook = try Lockbook.open(directory: folder, environment: .system)
            #expect(phrases == [lockbook.recoveryPhrase().joined(separator: " ")])
            #expect(try lockbook.validate() == [])
            _ = try lockbook.create(path: "/a.md")
        }
    }

    @Test func `nobody else makes one in the folder before the server was told`() async throws {
        let person = Person("ada", on: try TestServer())
        let laptop = try await person.firstDevice(registered: false)
        let directory = laptop.directory
        var isSeen = false
        for _ in 0..<2 {
            _ = try Lockbook.createAccount(
                username: "eve",
                server: try ServerAddress("http://127.0.0.1:1"),
                directory: directory
            ) { _, isNew in
                isSeen = try isLocked(directory) && !isNew
            }
            #expect(isSeen)
        }
        #expect(try !isLocked(directory))
    }

    @Test func `an account that is brought here takes no key of one that was made meanwhile`()
        async throws
    {
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-together-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        laptop.faults.before("/v1/account") {
            let eve = try Lockbook.createAccount(
                username: "eve",
                server: try ServerAddress("http://127.0.0.1:1"),
                directory: folder
            )
            _ = try eve.create(path: "/precious.md")
        }
        await #expect(throws: LockbookError.accountExists(username: "eve", directory: folder)) {
            try await bring(laptop, to: folder)
        }
        let eve = try Lockbook.open(directory: folder, environment: .system)
        #expect(try eve.accountInfo().username == "eve")
        #expect(try eve.list(.path("/"), recursive: true).map(\.path) == ["/precious.md"])
        #expect(try eve.validate() == [])
    }

    @Test func `the same account may be brought here by two at once`() async throws {
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-together-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        laptop.faults.before("/v1/account") { try await bring(laptop, to: folder) }
        try await bring(laptop, to: folder)
        // What the first had begun has its device still, and is ended by a sync.
        let brought = try Lockbook.open(
            directory: folder,
            environment: laptop.lockbook.environment
        )
        #expect(brought.recoveryPhrase() == laptop.lockbook.recoveryPhrase())
        _ = try await brought.sync()
        #expect(try brought.validate() == [])
    }

    @Test func `nobody makes or brings one in the folder while another is removed from it`()
        async throws
    {
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        var isSeen = false
        try laptop.lockbook.logout(force: true) { isSeen = try isLocked(laptop.directory) }
        #expect(isSeen)
    }

    @Test func `who comes second to remove an account finds none, and removes no other`()
        async throws
    {
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        let directory = laptop.directory
        let again = try laptop.again()
        try laptop.lockbook.logout(force: true)
        #expect(throws: LockbookError.noAccount(directory: directory)) {
            try again.lockbook.logout(force: true)
        }
        #expect(!FileManager.default.fileExists(atPath: directory))
        _ = try Lockbook.createAccount(
            username: "eve",
            server: try ServerAddress("http://127.0.0.1:1"),
            directory: directory
        )
        #expect(throws: LockbookError.noAccount(directory: directory)) {
            try again.lockbook.logout(force: true)
        }
        let eve = try Lockbook.open(directory: directory, environment: .system)
        #expect(try eve.accountInfo().username == "eve")
        #expect(try eve.validate() == [])
    }

    /// Brings the account of a device to a folder, over the connection of that device.
    private func bring(_ device: Device, to folder: String) async throws {
        _ = try await Lockbook.importAccount(
            key: device.lockbook.recoveryPhrase().joined(separator: " "),
            server: try ServerAddress("http://127.0.0.1:7654"),
            directory: folder,
            environment: device.lockbook.environment
        )
    }

    /// Whether somebody is making an account in a folder.
    private func isLocked(_ folder: String) throws -> Bool {
        let lock = try LockFile(folder: folder, waitingSeconds: 0)
        return withExtendedLifetime(lock) { lock == nil }
    }

    @Test func `a folder that was removed meanwhile is not the one that is locked`() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory
            .appending(path: "lockbook-together-\(UUID().uuidString)").path
        defer { try? files.removeItem(atPath: folder) }
        let lock = try Lockbook.lockFolder(folder)
        #expect(try lock.isAt(folder))
        try files.removeItem(atPath: folder)
        #expect(try !lock.isAt(folder))
        let next = try Lockbook.lockFolder(folder)
        #expect(try next.isAt(folder) && !lock.isAt(folder))
    }

    @Test func `it gets no other name while the server is told of it`() async throws {
        let person = Person("ada", on: try TestServer())
        let laptop = try await person.firstDevice(registered: false)
        let directory = laptop.directory
        laptop.faults.before("/v1/register") {
            #expect(throws: LockbookError.busy(what: "a sync of this account")) {
                try Lockbook.createAccount(
                    username: "eve",
                    server: try ServerAddress("http://127.0.0.1:1"),
                    directory: directory
                )
            }
        }
        try await laptop.lockbook.register()
        let again = try laptop.again()
        #expect(try again.lockbook.accountInfo().username == "ada")
        try await again.sync()
        try await converge(person, again, try await person.device(named: "phone", like: again))
    }

    @Test func `the name that it got before its turn is the one that the server hears`()
        async throws
    {
        let person = Person("ada", on: try TestServer())
        let laptop = try await person.firstDevice(registered: false)
        _ = try Lockbook.createAccount(
            username: "eve",
            server: laptop.lockbook.account.server,
            directory: laptop.directory
        )
        try await laptop.lockbook.register()
        try await expectOneName("eve", of: person, on: laptop)
    }

    @Test func `a renaming that was cut off before the root was renamed is ended`() async throws {
        let person = Person("ada", on: try TestServer())
        let laptop = try await person.firstDevice(registered: false)
        try saveName("eve", on: laptop)
        try await laptop.lockbook.register()
        try await expectOneName("eve", of: person, on: laptop)
    }

    @Test(arguments: [true, false])
    func `one that was renamed while the server heard of it comes back to its name`(
        beforeTheAnswer isBefore: Bool
    ) async throws {
        let person = Person("ada", on: try TestServer())
        let laptop = try await person.firstDevice(registered: false)
        let store = laptop.lockbook.store
        let rename: @Sendable () throws -> Void = {
            let name = try #require(Username("eve"))
            try store.write { try $0.makeRoot(named: name) }
        }
        if isBefore { laptop.faults.before("/v1/register") { try rename() } }
        try await laptop.lockbook.register()
        if !isBefore { try rename() }
        try saveName("eve", on: laptop)
        try laptop.write("/a.md", "a")
        try await expectOneName("ada", of: person, on: laptop)
    }

    private func saveName(_ name: String, on device: Device) throws {
        var account = device.lockbook.account
        account.username = name
        try Lockbook.saving(account)
    }

    /// The server, the key file and the root have this name, and another device finds all in order.
    private func expectOneName(_ name: String, of person: Person, on device: Device) async throws {
        try await device.again().sync()
        let again = try device.again()
        let phone = try await person.device(named: "phone", like: again)
        #expect(try again.lockbook.accountInfo().username == name)
        #expect(try phone.lockbook.accountInfo().username == name)
        #expect(try again.lockbook.store.read { try $0.file($0.rootRow()).name.text } == name)
        try await converge(person, again, phone)
    }
}
