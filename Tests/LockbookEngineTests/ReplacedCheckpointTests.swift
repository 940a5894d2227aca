import Foundation
import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

/// A checkpoint in whose place a newer one comes while a device reads it page by page.
struct ReplacedCheckpointTests: SharingStories {
    let people: Sharers
    private let laptop: Device

    init() async throws {
        people = try Sharers(pageByteCount: 600)
        laptop = try await people.ada.firstDevice()
        for name in ["a", "b", "c"] { try laptop.write("/team/\(name).md", name) }
        try await laptop.sync()
    }

    /// Ada's laptop signs a checkpoint, and the server forgets the one before.
    private static func sign(_ laptop: Device, _ text: String, at server: TestServer) async throws {
        let signing = try laptop.again(signingAfter: 1)
        for name in ["a", "b"] { try signing.write("/team/\(name).md", text) }
        try await signing.sync()
        try await server.collect(afterDays: 91)
    }

    private func sign(_ text: String) async throws {
        try await Self.sign(laptop, text, at: people.server)
    }

    /// What a device is shown of checkpoints.
    private final class Shown: Sendable {
        private let pages = Mutex<[Lockbook_V1_CheckpointPage]>([])
        private let left: Mutex<Int>

        init(replacing times: Int) { left = Mutex(times) }

        var first: Lockbook_V1_CheckpointPage? { pages.withLock { $0.first } }
        /// How many different ones.
        var count: Int { pages.withLock { Set($0.map(\.checkpoint)).count } }
        private var isReading: Bool { pages.withLock { $0.last.map { !$0.complete } ?? false } }

        func add(_ page: Lockbook_V1_CheckpointPage) { pages.withLock { $0.append(page) } }

        /// Whether the one that is being read is to be replaced now.
        func isDue() -> Bool {
            guard isReading else { return false }
            return left.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
        }

        /// From now on none is replaced.
        func end() { left.withLock { $0 = 0 } }
    }

    /// Whenever a device has begun to read a checkpoint and asks for the next page, a newer one has taken
    /// its place.
    /// - Parameter times: how often, at most.
    private func replaceWhileRead(by device: Device, times: Int) -> Shown {
        let shown = Shown(replacing: times)
        device.faults.lie("/v1/pull") { body in
            let response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for log in response.logs where log.hasCheckpoint { shown.add(log.checkpoint) }
            return body
        }
        for number in 0..<40 {
            device.faults.before("/v1/pull") { [laptop, server = people.server] in
                guard shown.isDue() else { return }
                try await Self.sign(laptop, "signed meanwhile \(number)", at: server)
            }
        }
        return shown
    }

    private func isRefused(_ device: Device, sourceLocation: SourceLocation = #_sourceLocation)
        async
    {
        await #expect(sourceLocation: sourceLocation) {
            try await device.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
    }

    @Test(arguments: [false, true])
    func `a device of the owner begins again with the newer one`(isNew: Bool) async throws {
        let phone = try await ada.device(named: "phone", like: laptop, synced: !isNew)
        try await sign("signed")
        let shown = replaceWhileRead(by: phone, times: 1)

        try await phone.sync()

        #expect(shown.count == 2)
        #expect(try await phone.text("/team/a.md").hasPrefix("signed meanwhile"))
        try await converge(ada, laptop, phone)
    }

    @Test(arguments: [false, true])
    func `a device of a member begins again with the newer one`(isNew: Bool) async throws {
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", .write, laptop, desk)
        let notebook = try await bob.device(named: "notebook", like: desk, synced: !isNew)
        try await sign("signed")
        let shown = replaceWhileRead(by: notebook, times: 2)

        try await notebook.sync()

        #expect(shown.count == 3)
        #expect(try await notebook.text("/team/a.md").hasPrefix("signed meanwhile"))
        try await converge(bob, desk, notebook)
        try await converge(ada, laptop)
    }

    @Test(arguments: [false, true])
    func `a server that has a newer one each time keeps nobody busy for ever`(ofMember: Bool)
        async throws
    {
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", .write, laptop, desk)
        try await sign("signed")
        let (person, first) = ofMember ? (bob, desk) : (ada, laptop)
        let device = try await person.device(named: "other", like: first, synced: false)
        let shown = replaceWhileRead(by: device, times: .max)
        await isRefused(device)
        // The three that it began to read, and the one that came then.
        #expect(shown.count == 4)

        shown.end()
        try await device.sync()
        try await converge(person, first, device)
    }

    @Test func `an older one takes the place of none`() async throws {
        try await sign("signed")
        let tablet = try await ada.device(named: "tablet", like: laptop, synced: false)
        let seen = replaceWhileRead(by: tablet, times: 0)
        try await tablet.sync()
        let old = try #require(seen.first)
        try await sign("signed again")
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        let isTold = Mutex(false)
        phone.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            // In the place of the second page, once.
            for index in response.logs.indices where response.logs[index].hasCheckpoint {
                guard response.logs[index].checkpoint.certificate.isEmpty else { continue }
                let isFirst = isTold.withLock { isTold in
                    defer { isTold = true }
                    return !isTold
                }
                if isFirst { response.logs[index].checkpoint = old }
            }
            return Array(try response.serializedData() as Data)
        }
        await isRefused(phone)
        #expect(isTold.withLock { $0 })

        phone.faults.tellTruth()
        try await phone.sync()
        try await converge(ada, laptop, phone)
    }

    @Test func `a device that goes back with its server begins again as well`() async throws {
        try await sign("signed")
        let phone = try await ada.device(named: "phone", like: laptop)
        let backup = try people.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try phone.write("/team/c.md", "of the phone")
        try await phone.sync()
        try people.server.restore(backup)
        let shown = replaceWhileRead(by: phone, times: 1)
        var options = SyncOptions()
        options.acceptsRollback = true

        try await phone.sync(options)

        #expect(shown.count == 2)
        #expect(try await phone.text("/team/c.md").contains("of the phone"))
        try await converge(ada, laptop, phone)
    }
}
