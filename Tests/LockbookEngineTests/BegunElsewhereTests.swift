import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// A device begins the log of an account that has one on the server already.
struct BegunElsewhereTests {
    let server: TestServer
    let ada: Person

    init() throws {
        server = try TestServer()
        ada = Person("ada", on: server)
    }

    @Test func `two devices begin again at the same time after the server lost everything`()
        async throws
    {
        let empty = try server.backup()
        let (laptop, phone) = try await ada.twoDevices(holding: ["/a.md": "a", "/deep/b.md": "b"])
        try server.restore(empty)
        try laptop.write("/laptop.md", "laptop")
        try phone.write("/phone.md", "phone")
        var options = SyncOptions()
        options.acceptsRollback = true
        phone.faults.before("/v1/register") { [options] in try await laptop.sync(options) }
        try await phone.sync(options)
        try await converge(ada, laptop, phone)
        #expect(
            try phone.paths().sorted()
                == ["/a.md", "/deep/", "/deep/b.md", "/laptop.md", "/phone.md"]
        )
        #expect(try await phone.text("/deep/b.md") == "b")
    }

    @Test func `an account is made once more whose server's answer was lost`() async throws {
        let laptop = try await ada.firstDevice(registered: false)
        laptop.faults.next("/v1/register", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.lockbook.register() }
        try laptop.write("/a.md", "a")
        _ = try Lockbook.createAccount(
            username: "ada",
            server: try ServerAddress("http://127.0.0.1:7654"),
            directory: laptop.directory
        )
        let again = try laptop.again()
        try await again.syncAsForetold()
        try await converge(ada, again, try await ada.device(named: "phone", like: again))
    }

    @Test func `under another name it keeps the one that the server has`() async throws {
        let laptop = try await ada.firstDevice(registered: false)
        laptop.faults.next("/v1/register", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.lockbook.register() }
        try laptop.write("/a.md", "a")
        _ = try Lockbook.createAccount(
            username: "eve",
            server: try ServerAddress("http://127.0.0.1:7654"),
            directory: laptop.directory
        )
        let renamed = try laptop.again()
        await #expect(
            throws: LockbookError.accountExists(username: "ada", directory: laptop.directory)
        ) {
            try await renamed.lockbook.register()
        }
        let again = try laptop.again()
        #expect(try again.lockbook.accountInfo().username == "ada")
        try await again.sync()
        try await converge(ada, again, try await ada.device(named: "phone", like: again))
    }

    @Test func `the name of somebody else is refused as before`() async throws {
        _ = try await Person("ada", on: server).firstDevice()
        let other = try await ada.firstDevice(named: "desk", registered: false)
        await #expect(throws: LockbookError.usernameTaken("ada")) { try await other.sync() }
    }

    @Test func `a server that says that others were first has to show it`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/a.md", "a")
        laptop.faults.refuse("/v1/push") { _ in
            let answer = Lockbook_V1_PushResponse.with { $0.moved = Lockbook_V1_LogUpdate() }
            return (200, try answer.serializedBytes())
        }
        await #expect {
            try await laptop.sync()
        } throws: {
            guard case LockbookError.integrity(let reason, _) = $0 else { return false }
            return reason.contains("shows nothing of it")
        }
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().pushed == ["/a.md"])
    }

    @Test func `an answer of nothing but empty messages is not decoded`() async throws {
        let laptop = try await ada.firstDevice()
        laptop.faults.lie("/v1/pull") { _ in
            [UInt8](repeating: 0x0a, count: 2_000_002).enumerated().map {
                $0.offset % 2 == 0 ? 0x0a : 0
            }
        }
        await #expect(
            throws: LockbookError.integrity(reason: "the server's answer has too many fields")
        ) {
            try await laptop.sync()
        }
    }
}
