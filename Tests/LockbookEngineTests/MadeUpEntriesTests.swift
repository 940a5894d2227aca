import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

@testable import LockbookEngine

/// Entries about what a member does not see: those that there are, and those that a server makes up.
struct MadeUpEntriesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func sharedLog(of laptop: Device, on desk: Device) throws -> LocalStore {
        try #require(try desk.lockbook.shared(by: laptop.lockbook.store.context.owner)).store
    }

    /// Every answer has so many entries more of ada's log.
    /// - Parameter author: who signs them; nil for somebody whom nobody knows.
    private func makeUp(
        _ count: Int,
        of laptop: Device,
        by author: AccountKeys? = nil,
        on desk: Device
    ) {
        let owner = laptop.lockbook.store.context.owner
        desk.faults.lie("/v1/pull") { answer in
            var end: LogHead?
            return try madeUp(count, by: author, in: owner, after: &end, to: answer)
        }
    }

    @Test(arguments: [false, true])
    func `made up entries are held against no server that has others there`(ofReader: Bool)
        async throws
    {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .read, laptop, tablet)
        try await desk.sync()
        let head = try sharedLog(of: laptop, on: desk).read { try $0.head() }
        makeUp(3, of: laptop, by: ofReader ? tablet.lockbook.keys : nil, on: desk)
        try await desk.sync()
        #expect(try sharedLog(of: laptop, on: desk).read { try $0.head() } == head)
        #expect(try sharedLog(of: laptop, on: desk).read { try $0.shownEnd() } != head)

        desk.faults.tellTruth()
        try await desk.sync()
        #expect(try sharedLog(of: laptop, on: desk).read { try $0.shownEnd() } == head)
        try laptop.write("/team/new.md", "new")
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/new.md") == "new")
        #expect(try await desk.sync().traffic.requests == 1)
    }

    @Test(arguments: [1, 2, 3, 6])
    func `they stop nobody either who meets the others' entries first`(count: Int) async throws {
        let (laptop, desk) = try await shared()
        makeUp(3, of: laptop, on: desk)
        try await desk.sync()
        desk.faults.tellTruth()
        for number in 0..<count {
            try laptop.write("/team/plan.md", "plan \(number)")
            try await laptop.sync()
        }

        try desk.write("/team/mine.md", "mine")
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan \(count - 1)")
        try await laptop.sync()
        #expect(try await laptop.text("/team/mine.md") == "mine")
    }

    @Test func `what was written on top of them goes where the log truly ends`() async throws {
        let (laptop, desk) = try await shared()
        let narrow = try desk.again(passing: 3 * Sync.unseenPerRound)
        try narrow.write("/team/mine.md", "mine")
        makeUp(3, of: laptop, on: narrow)
        await #expect(throws: LockbookError.self) { try await narrow.sync() }
        narrow.faults.tellTruth()

        try await narrow.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/mine.md") == "mine")
    }

    @Test func `there is an end to how many of them are read`() async throws {
        let (laptop, desk) = try await shared()
        let narrow = try desk.again(passing: 8)
        let before = try await narrow.snapshot()
        let owner = laptop.lockbook.store.context.owner
        let end = Mutex<LogHead?>(nil)
        narrow.faults.lie("/v1/pull") { answer in
            try end.withLock { end in
                // Without an end it would be no test that comes to one.
                let goesOn = end.map { $0.position < 40 } ?? true
                return try madeUp(3, in: owner, after: &end, to: answer, goesOn: goesOn)
            }
        }
        await #expect {
            try await narrow.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        let last = end.withLock { $0 }
        #expect(try #require(last).position < 20)
        #expect(try await narrow.snapshot() == before)
        narrow.faults.tellTruth()
        try await narrow.sync()
    }

    @Test(arguments: [false, true])
    func `there is an end to how often one of them comes before a push`(takesBack: Bool)
        async throws
    {
        let (laptop, desk) = try await shared()
        let narrow = try desk.again(passing: 5 * Sync.unseenPerRound)
        try narrow.write("/team/mine.md", "mine")
        let owner = laptop.lockbook.store.context.owner
        let pushes = Mutex(0)
        narrow.faults.refuse("/v1/push") { _ in
            pushes.withLock { $0 += 1 }
            let answer = Lockbook_V1_PushResponse.with { $0.moved = Lockbook_V1_LogUpdate() }
            return (200, try answer.serializedBytes())
        }
        let lies = Mutex<(end: LogHead?, count: Int)>((nil, 0))
        narrow.faults.lie("/v1/pull") { answer in
            try lies.withLock { lies in
                lies.count += 1
                // Without an end it would be no test that comes to one.
                guard lies.count < 60, !takesBack || !lies.count.isMultiple(of: 2) else {
                    return answer
                }
                if takesBack { lies.end = nil }
                return try madeUp(1, in: owner, after: &lies.end, to: answer)
            }
        }
        await #expect {
            try await narrow.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        #expect(2...5 ~= pushes.withLock { $0 })
        narrow.faults.tellTruth()
        #expect(try await narrow.sync().pushed == ["/team/mine.md"])
    }

    @Test func `those that were read before a push count with what comes before it`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let narrow = try desk.again(passing: Sync.unseenPerRound + 4)
        try narrow.write("/team/mine.md", "mine")
        makeUp(3, of: laptop, on: narrow)
        let pushes = Mutex(0)
        narrow.faults.refuse("/v1/push") { _ in
            pushes.withLock { $0 += 1 }
            let answer = Lockbook_V1_PushResponse.with { $0.moved = Lockbook_V1_LogUpdate() }
            return (200, try answer.serializedBytes())
        }
        await #expect(throws: LockbookError.self) { try await narrow.sync() }
        #expect(pushes.withLock { $0 } == 1)
        narrow.faults.tellTruth()
        #expect(try await narrow.sync().pushed == ["/team/mine.md"])
    }

    @Test func `entries of who shares something else are read once, and others go after them`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try laptop.write("/other/note.md", "note")
        try await laptop.sync()
        try await share("/other", .write, laptop, tablet)
        try await desk.sync()
        let store = try sharedLog(of: laptop, on: desk)
        let head = try store.read { try $0.head() }
        for number in 0..<3 {
            try tablet.write("/other/note.md", "note \(number)")
            try await tablet.sync()
        }
        try await desk.sync()
        let end = try #require(try store.read { try $0.shownEnd() })
        #expect(try store.read { try $0.head() } == head)
        #expect(end.position == head.map { $0.position + 3 })
        let quiet = try await desk.sync()
        #expect(quiet.traffic.requests == 1)

        try desk.write("/team/plan.md", "of bob")
        try await desk.sync()
        #expect(try store.read { try $0.head()?.position } == end.position + 1)
        #expect(try store.read { try $0.setting(.shownEnd) } == nil)
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "of bob")
        #expect(try await laptop.text("/other/note.md") == "note 2")

        try tablet.write("/other/note.md", "note 3")
        try await tablet.sync()
        try await desk.sync()
        #expect(try store.read { try $0.shownEnd() != $0.head() })
        try laptop.write("/team/plan.md", "of ada")
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "of ada")
        #expect(try store.read { try $0.setting(.shownEnd) } == nil)
    }
}

/// The answer to a pull with more entries at the end of a log, of which nothing is seen.
/// - Parameters:
///   - author: who signs them; nil for somebody whom nobody knows.
///   - end: the last of those that were made up before; nil where the log truly ends.
///   - goesOn: whether the server says that there are more.
private func madeUp(
    _ count: Int,
    by author: AccountKeys? = nil,
    in owner: AccountID,
    after end: inout LogHead?,
    to answer: [UInt8],
    goesOn: Bool = false
) throws -> [UInt8] {
    var response = try Lockbook_V1_PullResponse(serializedBytes: Data(answer))
    guard let log = response.logs.firstIndex(where: { Array($0.log) == owner.hash.bytes }) else {
        return answer
    }
    let shown = try #require(Hash256(Array(response.logs[log].head)))
    var last = end ?? LogHead(position: response.logs[log].headPosition, hash: shown)
    let author = try author ?? AccountKeys(seed: AccountSeed(random: .system))
    for _ in 0..<count {
        let scope = FileID(random: .system)
        let hash = EntryGroup.hash(of: scope.bytes)
        let header = try EntryHeader(
            log: owner,
            position: last.position + 1,
            previous: last.hash,
            author: AccountID(author.publicKeys),
            device: DeviceID(random: .system),
            bodyHash: EntryBody(groups: [.hidden(hash)], scopes: [scope]).hash,
            created: Timestamp(milliseconds: 1),
            signedBy: author.signing
        )
        response.logs[log].entries.append(
            .with {
                $0.header = Data(header.bytes)
                $0.groups = [.with { $0.hidden = Data(scope.bytes + hash.bytes) }]
            }
        )
        last = LogHead(header)
    }
    end = last
    response.logs[log].headPosition = last.position
    response.logs[log].head = Data(last.hash.bytes)
    response.logs[log].more = goesOn
    return Array(try response.serializedData() as Data)
}
