import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// A server that offers an account what is the account's own.
struct OwnOfferTests {
    private let ada: Person

    init() throws {
        ada = Person("ada", on: try TestServer())
    }

    private func offerItself(to device: Device) throws {
        let certificate = try #require(
            try device.lockbook.store.read { try $0.setting(.certificate) }
        )
        device.faults.lie("/v1/pull") { body in
            var answer = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            answer.offers.append(Data(certificate))
            return Array(try answer.serializedData() as Data)
        }
    }

    @Test func `is a lie, which keeps nothing else from being synced`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["note.md": "one"])
        try offerItself(to: laptop)
        try laptop.write("/mine.md", "mine")

        await #expect {
            try await laptop.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }

        #expect(!Disk.exists(laptop.directory + "/shares"))
        laptop.faults.tellTruth()
        try laptop.delete("/note.md")
        try await laptop.sync()
        #expect(try laptop.lockbook.trash().map(\.path) == ["/note.md"])
        try await converge(ada, laptop, phone)
        #expect(try await phone.text("/mine.md") == "mine")
    }

    @Test func `that was believed once is let go of by the next sync`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["note.md": "one"])
        let store = laptop.lockbook.store
        let own = StoreContext(store, of: store.context.owner)
        try Disk.makeFolder(own.directory)
        _ = try LocalStore(own)
        try store.write { try $0.follow(own.owner) }
        #expect(try store.read { try $0.followed() } == [])

        try laptop.write("/note.md", "two")
        try await laptop.sync()

        #expect(!Disk.exists(own.directory))
        try await converge(ada, laptop, phone)
        #expect(try await phone.text("/note.md") == "two")
    }

    @Test func `that the log has it as another one is let go of with what is said next of others`()
        async throws
    {
        let (laptop, phone) = try await ada.twoDevices(holding: ["note.md": "one"])
        _ = try await Person("bob", on: ada.server).firstDevice(named: "desk")
        let own = laptop.lockbook.store.context.owner
        let name = try #require(Username("ada"))
        // As an earlier program left it.
        try laptop.lockbook.store.write { tree in
            var root = try tree.file(try tree.rootRow())
            root.bodyExtension =
                AddressBook(
                    names: [AddressBook.Name(username: name, account: own)],
                    invitations: []
                ).bytes
            try tree.put(root)
            try tree.know("ada", own)
        }
        try await laptop.sync()
        #expect(try names(in: laptop) == ["ada"])
        for device in [phone, laptop] {
            try await device.sync()
            #expect(try await device.sync().traffic.requests == 1)
            #expect(try device.lockbook.store.read { try $0.agreedBook() } == AddressBook.empty)
        }
        #expect(try phone.lockbook.store.read { try $0.known(own) } == nil)

        #expect(try await phone.lockbook.verify("bob") { _ in true })
        try await phone.sync()
        try await laptop.sync()
        for device in [phone, laptop] { #expect(try names(in: device) == ["bob"]) }
        try await converge(ada, laptop, phone)
    }

    /// Whom the log has in the address book.
    private func names(in device: Device) throws -> [String] {
        try device.lockbook.store.read { tree in
            let root = try #require(try tree.base(try tree.rootRow()))
            return try AddressBook(root.bodyExtension).names.map(\.username.text)
        }
    }
}
