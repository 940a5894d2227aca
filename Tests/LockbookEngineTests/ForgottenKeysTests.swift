import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// The way out where a server once showed false keys, or somebody made a new account of an old name.
struct ForgottenKeysTests {
    let server: TestServer
    let ada: Person
    let laptop: Device
    let phone: Device
    let desk: Device

    init() async throws {
        server = try TestServer()
        ada = Person("ada", on: server)
        laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        phone = try await ada.device(named: "phone", like: laptop)
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
    }

    /// A server that gives its own keys under bob's name.
    private func lie(to device: Device) throws {
        let seed = try #require(AccountSeed(Array(repeating: 7, count: 32)))
        let forged = try AccountCertificate(
            username: try #require(Username("bob")),
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

    /// The laptop meets the false bob, and both devices know him.
    private func meetFalseBob() async throws {
        try lie(to: laptop)
        #expect(try await !laptop.lockbook.verify("bob") { _ in false })
        laptop.faults.tellTruth()
        try await laptop.sync()
        try await phone.sync()
    }

    private func isStopped(
        _ device: Device,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @Sendable (Device) async throws -> Void
    ) async {
        await #expect(
            throws: LockbookError.keyChanged(username: "bob"),
            sourceLocation: sourceLocation
        ) { try await body(device) }
    }

    @Test func `once they are forgotten all devices meet the right ones, whichever syncs first`()
        async throws
    {
        try await meetFalseBob()
        try desk.write("/bs/b.md", "b")
        _ = try await desk.lockbook.share(.path("/bs"), with: "ada", mode: .write)
        try await desk.sync()
        for device in [laptop, phone] {
            await isStopped(device) { try await $0.sync() }
            await isStopped(device) { _ = try await $0.lockbook.verify("bob") { _ in true } }
            #expect(try device.lockbook.offers() == [])
        }

        try phone.lockbook.forget("bob") {}
        // One that has not heard of it keeps it from nobody.
        try laptop.write("/more.md", "more")
        await isStopped(laptop) { try await $0.sync() }
        try await phone.sync()
        try await laptop.sync()
        let tablet = try await ada.device(named: "tablet", like: laptop)
        for device in [phone, laptop, tablet] {
            #expect(try device.lockbook.offers().map(\.from) == ["bob"])
            #expect(try device.lockbook.offers().map(\.verified) == [false])
            try lie(to: device)
            await isStopped(device) { _ = try await $0.lockbook.verify("bob") { _ in true } }
            device.faults.tellTruth()
            try await device.sync()
            #expect(try await device.sync().traffic.requests == 1)
        }
    }

    @Test func `forgotten keys are not known again because a server shows them again`() async throws
    {
        try await meetFalseBob()
        try laptop.lockbook.forget("bob") {}
        try await laptop.sync()
        try await phone.sync()
        for device in [laptop, phone] {
            try lie(to: device)
            await isStopped(device) {
                _ = try await $0.lockbook.share(.path("/team"), with: "bob", mode: .read)
            }
            #expect(throws: LockbookError.notMet(username: "bob")) {
                try device.lockbook.forget("bob") {}
            }
            #expect(try device.lockbook.shares() == [])
        }
    }

    @Test func `what another device was to share with them is given up, and it says so`()
        async throws
    {
        try await meetFalseBob()
        try lie(to: phone)
        _ = try await phone.lockbook.share(.path("/team"), with: "bob", mode: .read)
        phone.faults.tellTruth()
        try laptop.lockbook.forget("bob") {}
        try await laptop.sync()

        let report = try await phone.sync()
        #expect(report.notes.map(\.kind) == [.notShared])
        #expect(report.notes.map(\.path) == ["/team"])
        #expect(report.notes.map(\.detail) == ["bob, whose keys were forgotten"])
        #expect(try phone.lockbook.shares() == [])
        _ = try await phone.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await phone.sync()
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.from) == ["ada"])
    }

    @Test func `where two devices met a name with two keys, the one that errs forgets its own`()
        async throws
    {
        try lie(to: phone)
        #expect(try await !phone.lockbook.verify("bob") { _ in false })
        phone.faults.tellTruth()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        await isStopped(phone) { try await $0.sync() }

        try phone.lockbook.forget("bob") {}
        try await phone.sync()
        try await laptop.sync()
        for device in [phone, laptop] {
            #expect(try await device.lockbook.verify("bob") { _ in true })
            #expect(try device.lockbook.shares().map(\.username) == ["bob"])
        }
    }

    @Test func `what is shared with them is taken back first`() async throws {
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        try await phone.sync()
        #expect {
            try phone.lockbook.forget("bob") { Issue.record("nothing is to be asked") }
        } throws: { error in
            if case LockbookError.badShare("/team", _) = error { true } else { false }
        }
        try phone.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try phone.lockbook.forget("bob") {}
        try await phone.sync()
        try await laptop.sync()
        #expect(try laptop.lockbook.shares() == [])
        try await converge(ada, laptop, phone)
    }

    @Test
    func `what they shared ends, with one's words kept, and comes again when they are compared`()
        async throws
    {
        try desk.write("/bs/b.md", "b")
        _ = try await desk.lockbook.share(.path("/bs"), with: "ada", mode: .write)
        try await desk.sync()
        try await laptop.sync()
        let offer = try #require(try laptop.lockbook.offers().first)
        _ = try laptop.lockbook.acceptShare(id: offer.id)
        try await laptop.sync()
        try await phone.sync()
        try phone.write("/bs/b.md", "words of the phone")

        try laptop.lockbook.forget("bob") {}
        let ended = "bob, whose keys were forgotten"
        let here = try await laptop.sync()
        let report = try await phone.sync()
        for notes in [here.notes, report.notes] {
            #expect(notes.contains { $0.kind == .takenBack && $0.detail == ended })
        }
        #expect(report.notes.contains { $0.kind == .keptOwn })
        #expect(try await phone.text("/b.md") == "words of the phone")
        for device in [laptop, phone] {
            #expect(try device.lockbook.offers() == [])
            #expect(try !device.paths().contains { $0.hasPrefix("/bs") })
        }
        try await laptop.sync()

        #expect(try await laptop.lockbook.verify("bob") { _ in true })
        try await laptop.sync()
        #expect(try laptop.lockbook.offers().map(\.name) == ["bs"])
        #expect(try laptop.lockbook.offers().map(\.verified) == [true])
        // The other one hears of it by one sync, and asks by the next.
        for _ in 0..<2 { try await phone.sync() }
        #expect(try phone.lockbook.offers().map(\.name) == ["bs"])
    }
}
