import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// An account that its owner deletes, on its own devices.
struct DeletedAccountTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func isDeleted(
        _ name: String = "ada",
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            try await body()
        } throws: { error in
            guard case LockbookError.accountDeleted(let username, _) = error else { return false }
            return username == name
        }
    }

    @Test func `it is gone from the server, and its devices say so and keep what they have`()
        async throws
    {
        let (laptop, phone) = try await ada.twoDevices(holding: ["/a.md": "words"])
        try laptop.write("/late.md", "not synced")
        try phone.write("/other.md", "not synced either")
        let (here, there) = (try await laptop.snapshot(), try await phone.snapshot())
        try await laptop.lockbook.deleteAccount()
        #expect(try await ada.server.usage(of: "ada") == 0)
        for device in [laptop, phone] {
            for _ in 0..<2 { await isDeleted { try await device.sync() } }
            await isDeleted { _ = try await device.dryRun() }
            // What only a word of the server is good for makes no account anew.
            var options = SyncOptions()
            options.acceptsRollback = true
            await isDeleted { try await device.sync(options) }
            await isDeleted { try await device.sync() }
            #expect(try device.lockbook.validate() == [])
        }
        #expect(try await laptop.snapshot() == here)
        #expect(try await phone.snapshot() == there)
        // Nor does it come to another device.
        await isDeleted("") { _ = try await ada.device(named: "new", like: laptop) }
        // The time is that of what was signed.
        try await laptop.lockbook.deleteAccount()
        try phone.lockbook.logout(force: true)
    }

    @Test func `a device that was shown it remembers, and forgets when a server has it again`()
        async throws
    {
        let (laptop, phone) = try await ada.twoDevices(holding: ["/a.md": "words"])
        try phone.write("/late.md", "not synced")
        #expect(try phone.lockbook.status().deleted == nil)
        #expect(throws: LockbookError.unsyncedChanges(count: 1)) {
            try phone.lockbook.logout(force: false)
        }
        let end = try AccountEnd(created: Timestamp(milliseconds: 5), by: phone.lockbook.keys)
        phone.faults.refuse("/v1/pull") { _ in
            let answer = Lockbook_V1_ErrorResponse.with {
                $0.code = .ended
                $0.message = "it is gone"
                $0.end = Data(end.bytes)
            }
            return (410, Array(try answer.serializedData() as Data))
        }
        // A dry run changes nothing.
        await isDeleted { _ = try await phone.dryRun() }
        #expect(try phone.lockbook.status().deleted == nil)
        await isDeleted { try await phone.sync() }
        phone.faults.tellTruth()
        #expect(try phone.lockbook.status().deleted == 5)
        #expect(throws: LockbookError.unsyncableChanges(count: 1)) {
            try phone.lockbook.logout(force: false)
        }
        phone.faults.next("/v1/pull", .lost)
        await isDeleted { try await phone.sync() }
        try await phone.sync()
        #expect(try phone.lockbook.status().deleted == nil)

        try await laptop.sync()
        try await laptop.lockbook.deleteAccount()
        let time = try laptop.lockbook.status().deleted
        #expect(time != nil)
        try await laptop.lockbook.deleteAccount()
        #expect(try laptop.lockbook.status().deleted == time)
        try laptop.lockbook.logout(force: false)
    }

    @Test func `nobody is given its name again`() async throws {
        let laptop = try await ada.firstDevice()
        try await laptop.lockbook.deleteAccount()
        await #expect(throws: LockbookError.usernameTaken("ada")) {
            try await ada.firstDevice(named: "another")
        }
    }

    /// A lost answer is not one: the account may be gone.
    @Test func `without an answer nobody knows whether it is deleted, and once more tells`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        func isUnknown() async {
            await #expect {
                try await laptop.lockbook.deleteAccount()
            } throws: { error in
                if case LockbookError.deletionUnknown = error { true } else { false }
            }
        }
        laptop.faults.next("/v1/end", .lost)
        await isUnknown()
        try await laptop.sync()
        laptop.faults.refuse("/v1/end") { _ in
            let answer = Lockbook_V1_ErrorResponse.with {
                $0.code = .unavailable
                $0.message = "something failed there"
            }
            return (503, Array(try answer.serializedData() as Data))
        }
        await isUnknown()
        laptop.faults.tellTruth()
        laptop.faults.next("/v1/end", .answerLost)
        await isUnknown()
        try await laptop.lockbook.deleteAccount()
        await isDeleted { try await laptop.sync() }
    }

    @Test func `that another one is deleted is no answer to who asks for somebody`() async throws {
        let (laptop, _) = try await shared()
        let eve = try AccountKeys(
            seed: try #require(AccountSeed(Array(repeating: 7, count: 32)))
        )
        let end = try AccountEnd(created: Timestamp(milliseconds: 5), by: eve)
        for path in ["/v1/account", "/v1/acquaint"] {
            laptop.faults.refuse(path) { _ in
                let answer = Lockbook_V1_ErrorResponse.with {
                    $0.code = .ended
                    $0.message = "it is gone"
                    $0.end = Data(end.bytes)
                }
                return (410, Array(try answer.serializedData() as Data))
            }
        }
        try laptop.write("/mine.md", "mine")
        await #expect {
            _ = try await laptop.lockbook.share(.path("/mine.md"), with: "bob", mode: .read)
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        // A name that was never met is as good as the server's word.
        await #expect(throws: LockbookError.userDeleted(username: "nobody")) {
            _ = try await laptop.lockbook.share(.path("/mine.md"), with: "nobody", mode: .read)
        }
        try await laptop.lockbook.block("bob")
        await #expect {
            try await laptop.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
    }

    @Test func `a server that never had it says so`() async throws {
        let laptop = try await ada.firstDevice(registered: false)
        await #expect { try await laptop.lockbook.deleteAccount() } throws: { error in
            if case LockbookError.unknownAccount = error { true } else { false }
        }
        try await laptop.sync()
    }

    @Test func `a device that was making its first entry then makes none`() async throws {
        let laptop = try await ada.firstDevice(registered: false)
        let other = try laptop.twin()
        try await other.sync()
        try await other.lockbook.deleteAccount()
        await isDeleted { try await laptop.sync() }
        #expect(try laptop.lockbook.status().registered == false)
    }

    @Test func `that it is deleted is no server's word alone`() async throws {
        let laptop = try await ada.firstDevice()
        let eve = try AccountKeys(
            seed: try #require(AccountSeed(Array(repeating: 7, count: 32)))
        )
        let real = try AccountEnd(created: Timestamp(milliseconds: 5), by: laptop.lockbook.keys)
        let stranger = try AccountEnd(created: Timestamp(milliseconds: 5), by: eve)
        var altered = real.bytes
        altered[104] ^= 1
        func sync(told end: [UInt8]) async throws {
            laptop.faults.refuse("/v1/pull") { _ in
                let answer = Lockbook_V1_ErrorResponse.with {
                    $0.code = .ended
                    $0.message = "it is gone"
                    $0.end = Data(end)
                }
                return (410, Array(try answer.serializedData() as Data))
            }
            defer { laptop.faults.tellTruth() }
            try await laptop.sync()
        }
        // What proves nothing is a refusal like any other; what proves something false is a lie.
        for nothing in [[], stranger.bytes] {
            await #expect(throws: LockbookError.refused(reason: "it is gone")) {
                try await sync(told: nothing)
            }
        }
        await #expect {
            try await sync(told: altered)
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        await isDeleted { try await sync(told: real.bytes) }
        try laptop.write("/a.md", "a")
        try await laptop.sync()
    }

    @Test func `who wants to share with it is told`() async throws {
        let (laptop, desk) = try await shared()
        try laptop.write("/other.md", "other")
        try await laptop.sync()
        try await desk.lockbook.deleteAccount()
        let eve = try await carol.firstDevice(named: "eve's")
        for device in [laptop, eve] {
            try device.write("/mine.md", "mine")
            await #expect(throws: LockbookError.userDeleted(username: "bob")) {
                _ = try await device.lockbook.share(.path("/mine.md"), with: "bob", mode: .read)
            }
        }
        // What was shared with it before goes on for the others, and can be taken back.
        try laptop.write("/team/plan.md", "more")
        try await laptop.sync()
        try await share("/team", .write, laptop, eve)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await eve.sync()
        #expect(try await eve.text("/team/plan.md") == "more")
        try await converge(ada, laptop)
    }

    @Test func `what was about to be shared with it is given up, and said once`() async throws {
        let (laptop, _) = try await shared()
        let eve = try await carol.firstDevice(named: "eve's")
        try laptop.write("/mine.md", "mine")
        _ = try await laptop.lockbook.share(.path("/mine.md"), with: "carol", mode: .read)
        try await eve.lockbook.deleteAccount()
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.notShared])
        #expect(try #require(report.notes.first).detail.contains("deleted"))
        #expect(try await laptop.sync().notes == [])
    }

    @Test func `what is said to the server of it keeps no sync back`() async throws {
        let (laptop, desk) = try await shared()
        try await desk.lockbook.block("ada")
        try await laptop.lockbook.deleteAccount()
        try await desk.sync()
        #expect(try await desk.sync().traffic.requests == 1)
    }
}
