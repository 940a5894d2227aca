import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

/// Records of a large share, which travel to the server while others of it are still being sealed.
///
/// One test after the other: each stops a thread of those that run tasks, of which there are as many as
/// cores, until a task of its own was run by another one.
@Suite(
    .serialized,
    .enabled("one core does one thing after the other") {
        ProcessInfo.processInfo.activeProcessorCount > 1
    }
)
struct RecordsAheadTests {
    private static let noteCount = 600

    let server: TestServer
    /// Whose data directory the other one has.
    let first: Device
    let laptop: Device
    let desk: Device
    private let sealing = Sealing()

    init() async throws {
        server = try TestServer()
        first = try await Person("ada", on: server).firstDevice()
        for number in 1...Self.noteCount { try first.write("/team/\(number).md", "note \(number)") }
        for number in 1...5 { try first.write("/old/\(number).md", "old") }
        try await first.sync()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        _ = try await first.lockbook.share(.path("/team"), with: "bob", mode: .write)
        // Who reads the name of the one who is let in does not seal anything yet.
        laptop = try first.again(sendingAhead: 1, random: sealing.random)
        laptop.faults.before("/v1/stage") { [sealing] in sealing.go() }
    }

    /// Every record that is sent, in its request.
    private func watch(_ refusal: Int? = nil) -> Sent {
        let sent = Sent()
        laptop.faults.refuse("/v1/stage") { body in
            if let refusal {
                let answer = Lockbook_V1_ErrorResponse.with {
                    $0.code = .tooLarge
                    $0.message = "there is no room"
                }
                return (refusal, try answer.serializedBytes())
            }
            let request = try Lockbook_V1_StageRequest(serializedBytes: Data(body))
            sent.ahead.withLock { $0 += request.records }
            return nil
        }
        laptop.faults.refuse("/v1/push") { body in
            let request = try Lockbook_V1_PushRequest(serializedBytes: Data(body))
            sent.withPush.withLock { $0 += request.records }
            return nil
        }
        return sent
    }

    private func isComplete() async throws {
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
        for number in [1, Self.noteCount / 2, Self.noteCount] {
            #expect(try await desk.text("/team/\(number).md") == "note \(number)")
        }
        #expect(try desk.lockbook.list(.path("/team"), recursive: false).count == Self.noteCount)
        #expect(try desk.lockbook.validate().isEmpty)
        #expect(try laptop.lockbook.validate().isEmpty)
    }

    @Test func `are sent once`() async throws {
        let sent = watch()
        try await laptop.sync()
        let (ahead, rest) = (sent.ahead.withLock { $0 }, sent.withPush.withLock { $0 })
        #expect(!ahead.isEmpty)
        #expect(!rest.isEmpty)
        #expect(Set(ahead + rest).count == ahead.count + rest.count)
        #expect(ahead.count + rest.count > Self.noteCount)
        try await isComplete()
    }

    @Test func `go with the push where the server will not have them before`() async throws {
        let sent = watch(413)
        try await laptop.sync()
        #expect(sent.withPush.withLock { $0.count } > Self.noteCount)
        try await isComplete()
    }

    @Test func `end the sync where the connection breaks off, and the next one goes on`()
        async throws
    {
        laptop.faults.next("/v1/stage", .lost)
        await #expect {
            try await laptop.sync()
        } throws: {
            guard case LockbookError.offline = $0 else { return false }
            return true
        }
        try await laptop.sync()
        try await isComplete()
    }

    /// Some of it is found before the share is sealed, by the order of the ids, and the rest after it.
    @Test func `take nothing from the reports where the connection breaks off`() async throws {
        var purged: [String] = []
        for number in 1...5 {
            let file = FileReference.path("/old/\(number).md")
            purged.append(try first.lockbook.info(file).id)
            _ = try await first.lockbook.share(file, with: "bob", mode: .read)
            _ = try first.lockbook.purge([file])
        }
        laptop.faults.next("/v1/stage", .lost)
        var reports: [SyncReport] = []
        do {
            _ = try await laptop.lockbook.sync(unfinished: { reports.append($0) })
            Issue.record("the connection broke off")
        } catch LockbookError.offline {}
        reports.append(try await laptop.sync())
        let told = reports.flatMap(\.notes).filter { $0.kind == .notDone }
        #expect(told.map(\.id).sorted() == purged.sorted())
        try await isComplete()
    }

    @Test func `are not sent by a dry run`() async throws {
        sealing.go()
        _ = laptop.faults.takeRequests()
        var options = SyncOptions()
        options.isDryRun = true
        try await laptop.sync(options)
        #expect(!laptop.faults.takeRequests().contains("/v1/stage"))
    }
}

private final class Sent: Sendable {
    let ahead = Mutex<[Data]>([])
    let withPush = Mutex<[Data]>([])
}

/// Randomness that runs out in the middle of a large share, until something of it was sent.
private final class Sealing: Sendable {
    /// More than what comes before the records draws, and less than half of them.
    private static let drawCount = 300

    private let draws = Mutex(0)
    private let mayGoOn = NSCondition()
    private let isSent = Mutex(false)

    var random: RandomSource {
        RandomSource { count in
            let draw = self.draws.withLock { draws in
                draws += 1
                return draws
            }
            if draw > Self.drawCount { self.waitUntilSent() }
            return RandomSource.system.bytes(count)
        }
    }

    func go() {
        isSent.withLock { $0 = true }
        mayGoOn.withLock { mayGoOn.broadcast() }
    }

    /// Nothing is sent for a minute only where nothing ever is, which the test then sees.
    private func waitUntilSent() {
        let end = Date(timeIntervalSinceNow: 60)
        mayGoOn.withLock {
            while !isSent.withLock({ $0 }), mayGoOn.wait(until: end) {}
        }
        // Who waited in vain does not wait for each draw that follows.
        isSent.withLock { $0 = true }
    }
}
