import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A dry run says what a sync then does, and leaves everything as it was.
struct DryRunTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test(arguments: Story.all)
    func `a dry run says what the sync does that follows`(story: Story) async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: story.notes)

        try story.laptop(laptop)
        try story.phone(phone)
        try await laptop.syncAsForetold()
        let report = try await phone.syncAsForetold()
        #expect(Set(report.notes.map(\.kind)) == story.kinds)
        try await laptop.syncAsForetold()

        try await converge(alice, laptop, phone)
    }

    @Test func `two contents that have to be fetched to be joined are joined in a dry run too`()
        async throws
    {
        let text = (0..<40_000).map { "line \($0) \($0 &* 2_654_435_761)\n" }
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": text.joined()])

        try laptop.write("/a.md", "first\n" + text.joined())
        try phone.write("/a.md", text.joined() + "last\n")
        try await laptop.syncAsForetold()
        let report = try await phone.syncAsForetold()

        #expect(report.notes.map(\.kind) == [.merged])
        #expect(try await phone.text("/a.md") == "first\n" + text.joined() + "last\n")
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [40_000, 300_000])
    func `a second copy that a dry run makes is gone afterwards`(size: Int) async throws {
        let (laptop, phone) = try await alice.twoDevices()

        try laptop.write("/a.bin", noise(size, seed: 1))
        try phone.write("/a.bin", noise(size, seed: 2))
        try phone.write("/a-1.bin", "mine")
        try await laptop.syncAsForetold()
        try await phone.syncAsForetold()

        try laptop.write("/a.bin", noise(size, seed: 3))
        try phone.write("/a.bin", noise(size, seed: 4))
        try phone.write("/a-3.bin", "mine, too")
        try await laptop.syncAsForetold()
        let report = try await phone.syncAsForetold()

        #expect(report.notes.map(\.kind) == [.keptBoth])
        try await converge(alice, laptop, phone)
    }

    @Test func `a dry run lists the changes as they are pushed, not as they were made`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["y.md": "one", "a.bin": "\u{0}base", "f/x.md": "one", "g/": ""]
        )
        try laptop.move("/y.md", to: "/g/")
        try laptop.write("/a.bin", "\u{0}left")
        try await laptop.sync()

        try phone.move("/y.md", to: "/z.md")
        try phone.write("/a.bin", "\u{0}right")
        try phone.write("/f/x.md", "two")
        try phone.delete("/f")
        let foretold = try await phone.dryRun()
        let report = try await phone.syncAsForetold()

        for changes in [foretold.changes, report.changes] {
            let told = try #require(changes).map { "\($0.kind) \($0.path)" }
            #expect(
                told == ["new /a-1.bin", "deleted /f", "deleted /f/x.md", "renamed /g/z.md"]
            )
        }
        try await converge(alice, laptop, phone)
    }

    @Test func `before the account is at the server, a dry run tells what would be sent`()
        async throws
    {
        let laptop = try await alice.firstDevice(registered: false)
        try laptop.write("/a.md", "one")

        let report = try await laptop.syncAsForetold()

        #expect(report.pushed.contains("/a.md"))
    }

    @Test func `a dry run knows of a registration and of a push whose answers were lost`()
        async throws
    {
        let laptop = try await alice.firstDevice(registered: false)
        laptop.faults.next("/v1/register", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.write("/a.md", "one")
        try await laptop.syncAsForetold()

        try laptop.write("/a.md", "two")
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.write("/b.md", "three")
        try await laptop.syncAsForetold()

        try laptop.write("/b.md", "four")
        laptop.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.write("/b.md", "five")
        let report = try await laptop.syncAsForetold()

        #expect(report.pushed == ["/b.md"])
        try await converge(alice, laptop)
    }

    @Test func `a dry run goes from a checkpoint through the entries after it`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        let phone = try await alice.device(named: "phone", like: laptop)
        for round in 0..<3 {
            for number in 0..<150 { try laptop.write("/\(round)/\(number).md", "\(number)") }
            try await laptop.sync()
        }
        try phone.write("/0/0.md", "mine")

        let fresh = try await alice.device(named: "fresh", like: laptop, synced: false)
        #expect(try await fresh.syncAsForetold().pulled.count == 453)
        #expect(try await phone.syncAsForetold().notes.map(\.kind) == [.folded, .markers])

        try await converge(alice, laptop, phone)
    }

    @Test func `large contents that would be left on the server are counted`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        try laptop.write("/large.bin", noise(11_700_000, seed: 1))
        try laptop.write("/small.bin", noise(200_000, seed: 2))
        try await laptop.sync()

        #expect(try await phone.syncAsForetold().leftOnServer == 1)
    }

    @Test func `a dry run that cannot reach the server says so`() async throws {
        let (laptop, _) = try await alice.twoDevices(holding: ["a.md": "one"])
        laptop.faults.next("/v1/pull", .lost)

        await #expect(throws: LockbookError.offline(server: "test", reason: "lost")) {
            try await laptop.dryRun()
        }
    }

    @Test func `what a killed dry run left is gone after the next sync`() async throws {
        let (laptop, _) = try await alice.twoDevices()
        let folder = laptop.directory + "/rehearsal"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false
        )
        try Data("left".utf8).write(to: URL(filePath: folder + "/new-0123456789abcdef"))

        try await laptop.sync()

        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}

extension Device {
    func dryRun() async throws -> SyncReport {
        var options = SyncOptions()
        options.isDryRun = true
        options.listsChanges = true
        return try await sync(options)
    }

    /// A dry run, which must change nothing here and send nothing, and the sync that it foretold.
    @discardableResult
    func syncAsForetold(sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> SyncReport
    {
        let before = try everyByte()
        _ = faults.takeRequests()
        let foretold = try await dryRun()
        let reading = [
            "/v1/pull", "/v1/blobs", "/v1/segments", "/v1/blob/", "/v1/register", "/v1/account",
        ]
        let sent = faults.takeRequests().filter { path in
            !reading.contains { path.hasPrefix($0) }
        }
        #expect(sent == [], sourceLocation: sourceLocation)
        #expect(try everyByte() == before, sourceLocation: sourceLocation)
        var options = SyncOptions()
        options.listsChanges = true
        let report = try await sync(options)
        #expect(foretold.isDryRun && !report.isDryRun, sourceLocation: sourceLocation)
        #expect(
            foretold.agrees(with: report),
            "\(foretold) foretold, done was \(report)",
            sourceLocation: sourceLocation
        )
        return report
    }

    /// Every file of the data directory, but for those that processes meet in.
    private func everyByte() throws -> [String: Data] {
        var files: [String: Data] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory)
        for name in names where !name.hasSuffix("-shm") && name != "sync.lock" {
            let path = directory + "/" + name
            files[name] = FileManager.default.contents(atPath: path) ?? Data()
        }
        return files
    }
}
