import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// What one device knows of others, all devices of the account know.
struct AddressBookStoryTests {
    let server: TestServer
    let ada: Person
    let laptop: Device
    let desk: Device

    init() async throws {
        server = try TestServer()
        ada = Person("ada", on: server)
        laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/more.md", "more")
        try await laptop.sync()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
    }

    /// A server that gives its own keys under a name.
    private func lie(to device: Device, about name: String) throws {
        let seed = try #require(AccountSeed(Array(repeating: 7, count: 32)))
        let forged = try AccountCertificate(
            username: try #require(Username(name)),
            keys: try AccountKeys(seed: seed),
            created: Timestamp(milliseconds: 1)
        ).bytes
        device.faults.lie("/v1/account") { _ in
            Array(
                try Lockbook_V1_AccountResponse.with { $0.certificate = Data(forged) }
                    .serializedData() as Data
            )
        }
    }

    @Test func `a name that one device met is known to another, and to one that comes later`()
        async throws
    {
        let phone = try await ada.device(named: "phone", like: laptop)
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        try await phone.sync()
        let tablet = try await ada.device(named: "tablet", like: laptop)

        for device in [phone, tablet] {
            try lie(to: device, about: "bob")
            await #expect(throws: LockbookError.keyChanged(username: "bob")) {
                _ = try await device.lockbook.share(.path("/more.md"), with: "bob", mode: .read)
            }
            #expect(try device.lockbook.shares().map(\.path) == ["/team"])
        }
        try await converge(ada, laptop, phone, tablet)
    }

    @Test func `who was compared on one device counts as compared on all`() async throws {
        let phone = try await ada.device(named: "phone", like: laptop)
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        #expect(try await laptop.lockbook.verify("bob") { _ in true })
        let report = try await laptop.sync()
        #expect(report.pushed == ["/team"])
        let pulled = try await phone.sync()
        #expect(pulled.pulled.allSatisfy { $0 != "/" })
        #expect(try phone.lockbook.shares().map(\.verified) == [true])
        try await phone.sync()
        #expect(try await phone.sync().traffic.requests == 1)
        #expect(try phone.lockbook.status().changes == [])
    }

    @Test func `two devices that met a name with two keys say so, and neither goes on with it`()
        async throws
    {
        let phone = try await ada.device(named: "phone", like: laptop)
        try lie(to: phone, about: "bob")
        #expect(try await phone.lockbook.verify("bob") { _ in true })
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()

        await #expect(throws: LockbookError.keyChanged(username: "bob")) { try await phone.sync() }
        phone.faults.tellTruth()
        await #expect(throws: LockbookError.keyChanged(username: "bob")) {
            _ = try await phone.lockbook.share(.path("/more.md"), with: "bob", mode: .read)
        }
        // The log keeps what came first, and the devices do not write over each other.
        try await phone.sync()
        try await laptop.sync()
        #expect(try await phone.sync().traffic.requests == 1)
        #expect(try await laptop.sync().traffic.requests == 1)
        // What was compared on the phone were the other keys.
        #expect(try laptop.lockbook.shares().map(\.verified) == [false])
        let tablet = try await ada.device(named: "tablet", like: laptop)
        _ = try await tablet.lockbook.share(.path("/more.md"), with: "bob", mode: .read)
    }

    @Test func `what both devices learned while apart is there on both`() async throws {
        let phone = try await ada.device(named: "phone", like: laptop)
        _ = try await Person("eve", on: server).firstDevice(named: "hers")
        #expect(try await laptop.lockbook.verify("bob") { _ in true })
        #expect(try await phone.lockbook.verify("eve") { _ in true })
        // While the phone's entry is on its way, the laptop's comes first.
        let laptop = laptop
        phone.faults.before("/v1/push") { _ = try await laptop.sync() }
        try await phone.sync()
        try await laptop.sync()

        let tablet = try await ada.device(named: "tablet", like: laptop)
        for name in ["bob", "eve"] {
            for device in [laptop, phone, tablet] {
                try lie(to: device, about: name)
                await #expect(throws: LockbookError.keyChanged(username: name)) {
                    _ = try await device.lockbook.verify(name) { _ in true }
                }
                device.faults.tellTruth()
            }
        }
        try await converge(ada, laptop, phone, tablet)
    }

    @Test func `a lost answer to what the address book says costs nothing`() async throws {
        #expect(try await laptop.lockbook.verify("bob") { _ in true })
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.write("/more.md", "and more")
        let report = try await laptop.sync()
        #expect(report.pushed == ["/more.md"])
        #expect(try await laptop.sync().traffic.requests == 1)
        try await converge(ada, laptop)
    }
}
