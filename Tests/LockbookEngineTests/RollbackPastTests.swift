import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A server that was restored from a backup, and a device that is behind another one.
@Suite struct RollbackPastTests {
    typealias Act = @Sendable (Device) async throws -> Void

    /// What the laptop does, and how it takes that back, which the phone has not seen.
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let there: Act
        let back: Act
    }

    static let stories = [
        Story(testDescription: "text") {
            try $0.write("/k.md", "broken\n")
        } back: {
            _ = try $0.lockbook.undo()
        },
        Story(testDescription: "rewritten text") {
            try $0.write("/k.md", "broken\n")
        } back: {
            try $0.write("/k.md", "good\n")
        },
        Story(testDescription: "move") {
            try $0.move("/k.md", to: "/pub")
        } back: {
            try $0.move("/pub/k.md", to: "/")
        },
        Story(testDescription: "rename") {
            _ = try $0.lockbook.rename(FileReference("/k.md"), to: "other.md")
        } back: {
            _ = try $0.lockbook.rename(FileReference("/other.md"), to: "k.md")
        },
        Story(testDescription: "deletion") {
            try $0.delete("/k.md")
        } back: {
            _ = try $0.lockbook.restore([FileReference("/k.md")])
        },
    ]

    private let server: TestServer
    private let alice: Person
    private let laptop: Device
    private let phone: Device

    init() async throws {
        server = try TestServer()
        alice = Person("alice", on: server)
        (laptop, phone) = try await alice.twoDevices(holding: ["/k.md": "good\n", "/pub/": ""])
    }

    private var accepting: SyncOptions {
        var options = SyncOptions()
        options.acceptsRollback = true
        return options
    }

    /// The phone has seen what the laptop did first, not what it did then, when the server loses both.
    private func lose(_ there: Act, back: Act) async throws {
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try await there(laptop)
        try await laptop.sync()
        try await phone.sync()
        try await back(laptop)
        try await laptop.sync()
        try server.restore(backup)
    }

    private func accept(phoneFirst: Bool) async throws {
        let devices = phoneFirst ? [phone, laptop] : [laptop, phone]
        for device in devices {
            let report = try await device.sync(accepting)
            #expect(report.notes.isEmpty, "\(device.name)")
        }
        try await converge(alice, laptop, phone)
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts().isEmpty) }
    }

    @Test(arguments: stories, [false, true])
    func `what was taken back stays taken back`(_ story: Story, phoneFirst: Bool)
        async throws
    {
        try await lose(story.there, back: story.back)
        try await accept(phoneFirst: phoneFirst)
        #expect(try phone.paths() == ["/k.md", "/pub/"])
        #expect(try await phone.text("/k.md") == "good\n")
    }

    @Test(arguments: [false, true])
    func `a text that grew on one device is no conflict with itself`(phoneFirst: Bool) async throws
    {
        try await lose {
            try $0.write("/k.md", "good\nday 1\n")
            try $0.write("/new.md", "new\nday 1\n")
        } back: {
            try $0.write("/k.md", "good\nday 1\nday 2\n")
            try $0.write("/new.md", "new\nday 1\nday 2\n")
        }
        try await accept(phoneFirst: phoneFirst)
        #expect(try await phone.text("/k.md") == "good\nday 1\nday 2\n")
        #expect(try await phone.text("/new.md") == "new\nday 1\nday 2\n")
    }

    @Test func `a device that is ahead does not follow one that is behind`() async throws {
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/k.md", "good\nday 1\n")
        try await laptop.sync()
        try await phone.sync()
        try phone.write("/k.md", "good\nday 1\nday 2\n")
        try await phone.sync()
        try server.restore(backup)
        try await accept(phoneFirst: false)
        #expect(try await laptop.text("/k.md") == "good\nday 1\nday 2\n")
    }

    @Test func `who returns to an earlier text on purpose is followed`() async throws {
        try await lose(Self.stories[0].there, back: Self.stories[0].back)
        try await accept(phoneFirst: false)
        try phone.write("/k.md", "broken\n")
        try await converge(alice, phone, laptop)
        #expect(try await laptop.text("/k.md") == "broken\n")
    }

    @Test func `who takes back what was pushed since the restore is followed`() async throws {
        try await lose {
            _ = try $0.lockbook.rename(FileReference("/k.md"), to: "other.md")
        } back: {
            _ = try $0.lockbook.rename(FileReference("/other.md"), to: "third.md")
        }
        try await accept(phoneFirst: false)
        #expect(try phone.paths() == ["/pub/", "/third.md"])
        _ = try phone.lockbook.rename(FileReference("/third.md"), to: "other.md")
        try await converge(alice, phone, laptop)
        #expect(try laptop.paths() == ["/other.md", "/pub/"])
    }

    @Test func `a dry run uses nothing up`() async throws {
        try await lose(Self.stories[0].there, back: Self.stories[0].back)
        try await phone.sync(accepting)
        var trial = accepting
        trial.isDryRun = true
        for _ in 0..<2 { #expect(try await laptop.sync(trial).pushed == ["/k.md"]) }
        let report = try await laptop.sync(accepting)
        #expect(report.pushed == ["/k.md"])
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/k.md") == "good\n")
    }

    @Test func `a dry run after the way back uses nothing up`() async throws {
        try await lose(Self.stories[0].there, back: Self.stories[0].back)
        try await laptop.sync(accepting)
        try await phone.sync(accepting)
        var trial = SyncOptions()
        trial.isDryRun = true
        for _ in 0..<2 { #expect(try await laptop.sync(trial).pushed == ["/k.md"]) }
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/k.md") == "good\n")
    }
}

/// The same where it would tell somebody what was not for him.
struct RollbackPastSharedTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func accept(_ devices: Device...) async throws {
        var options = SyncOptions()
        options.acceptsRollback = true
        for device in devices { try await device.sync(options) }
    }

    @Test(arguments: [false, true])
    func `what was in a share by mistake does not go there again`(phoneFirst: Bool) async throws {
        let (laptop, desk) = try await shared()
        try laptop.write("/salary.md", "private\n")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        try await desk.sync()
        let backup = try people.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.move("/salary.md", to: "/team")
        try await laptop.sync()
        try await phone.sync()
        try laptop.move("/team/salary.md", to: "/")
        try laptop.write("/salary.md", "private\nnew\n")
        try await laptop.sync()
        try people.server.restore(backup)

        for device in phoneFirst ? [phone, laptop] : [laptop, phone] {
            try await accept(device)
            try await accept(desk)
            // The phone knows no better while it is alone.
            let isKnown = !phoneFirst || device.name == laptop.name
            if isKnown { #expect(try desk.paths() == ["/team", "/team/plan.md"]) }
            for file in try desk.lockbook.list(.path("/team"), recursive: false) {
                #expect(try await !desk.text("/team/\(file.name)").contains("new"))
            }
        }
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
        #expect(try desk.lockbook.list(.path("/team"), recursive: false).map(\.name) == ["plan.md"])
        #expect(try await phone.text("/salary.md") == "private\nnew\n")
    }
}
