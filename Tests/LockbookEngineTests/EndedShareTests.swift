import LockbookEngine
import LockbookTestSupport
import Testing

/// Shares that end, and begin again, while somebody is on the way or away.
struct EndedShareTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Ada's laptop with these notes below `/team` and with `/other.md`, all shared with bob.
    private func shared(holding notes: [String] = ["plan.md"]) async throws -> (Device, Device) {
        let laptop = try await ada.firstDevice()
        for note in notes { try laptop.write("/team/\(note)", note) }
        try laptop.write("/other.md", "other")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/other.md", "/team"], .write, laptop, desk)
        return (laptop, desk)
    }

    private func takeBack(_ path: String, _ laptop: Device) async throws {
        try laptop.lockbook.setShare(.path(path), of: "bob", to: nil)
        try await laptop.sync()
    }

    @Test(arguments: [false, true], [false, true])
    func `what moved out between two times of sharing is not seen after`(
        isPurged: Bool,
        isAroundGiven: Bool
    ) async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md", "deep/x/y.md"])
        try await takeBack("/team", laptop)
        if isPurged {
            _ = try laptop.lockbook.purge([.path("/team/deep")])
        } else {
            try laptop.move("/team/deep", to: "/")
        }
        try laptop.write("/team/later.md", "later")
        _ = try laptop.lockbook.create(path: "/all/")
        if isAroundGiven { try laptop.move("/team", to: "/all/") }
        try await laptop.sync()
        let top = isAroundGiven ? "/all" : "/team"
        _ = try await laptop.lockbook.share(.path(top), with: "bob", mode: .write)
        try await laptop.sync()

        // One that knew it reads all of that in one sync, as a new one does.
        try await desk.sync()
        for offer in try desk.lockbook.offers() { _ = try desk.lockbook.acceptShare(id: offer.id) }
        let team = isAroundGiven ? ["/all", "/all/team/"] : ["/team"]
        let place = isAroundGiven ? "/all/team" : "/team"
        #expect(
            try desk.paths().sorted()
                == (team + ["\(place)/later.md", "\(place)/plan.md", "/other.md"]).sorted()
        )
        try await converge(bob, desk)
        try await converge(ada, laptop)

        _ = try laptop.lockbook.purge([.path(place)])
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.paths() == (isAroundGiven ? ["/all", "/other.md"] : ["/other.md"]))
    }

    @Test(arguments: [false, true])
    func `what moved out of a folder that leaves a share is let go of with the share`(
        isGivenAgain: Bool
    ) async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md", "deep/x/y.md"])
        let phone = try await ada.device(named: "phone", like: laptop)
        for path in ["note.md", "x/y.md", "x/new.md"] {
            try desk.write("/team/deep/\(path)", "words")
        }
        for path in ["/team/deep/note.md", "/team/deep/x"] { try phone.move(path, to: "/team/") }
        try await phone.sync()
        try laptop.move("/team/deep", to: "/")
        try await takeBack("/team", laptop)
        if isGivenAgain {
            _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
            try await laptop.sync()
        }

        // One that knew both in the folder reads all of that in one sync.
        try await desk.sync()
        let (place, folder) = isGivenAgain ? ("/team/", "/team/x/") : ("/", "/")
        for path in ["\(place)note.md", "\(folder)y.md", "\(folder)new.md"] {
            #expect(try await desk.text(path) == "words")
        }
        #expect(try desk.lockbook.validate() == [])
        try await converge(bob, desk)
        try await converge(ada, laptop, phone)
    }

    @Test func `what is given again and then purged is read of in one sync`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md", "deep/more.md"])
        try await takeBack("/team", laptop)
        _ = try laptop.lockbook.purge([.path("/team/deep/note.md")])
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        _ = try laptop.lockbook.purge([.path("/team")])
        try await laptop.sync()

        try await desk.sync()
        #expect(try desk.paths() == ["/other.md"])
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test func `a right that ends while words are on their way is told, and the words are kept`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's own words")
        try desk.write("/other.md", "bob's other words")
        desk.faults.before("/v1/push") {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
            try await laptop.sync()
        }

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind).contains(.takenBack))
        #expect(report.notes.map(\.kind).contains(.keptOwn))
        #expect(try await desk.text("/plan.md") == "bob's own words")
        try await laptop.sync()
        #expect(try await laptop.text("/other.md") == "bob's other words")
        try await converge(bob, desk)
    }

    @Test func `words in a document that was taken back have the name of its link`() async throws {
        let (laptop, desk) = try await shared()
        let phone = try await bob.device(named: "phone", like: desk)
        try desk.write("/other.md", "bob's own words")
        try await takeBack("/other.md", laptop)

        let report = try await desk.sync()
        #expect(
            report.notes.map { "\($0.kind) \($0.path)" }
                == ["keptOwn /other.md", "takenBack /other.md"]
        )
        try await phone.sync()
        for device in [desk, phone] {
            #expect(try device.paths().sorted() == ["/other.md", "/team", "/team/plan.md"])
            #expect(try await device.text("/other.md") == "bob's own words")
        }
        try await converge(bob, desk)
    }

    @Test func `words that were deleted before their right ended are in one's own trash`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's own words")
        try desk.delete("/team/plan.md")
        try desk.write("/team/new.md", "bob's new words")
        try desk.delete("/team/new.md")
        try await takeBack("/team", laptop)

        let report = try await desk.sync()
        #expect(report.notes.count { $0.kind == .keptOwn } == 2)
        #expect(try desk.paths().contains { $0.hasSuffix("plan.md") } == false)
        for (path, text) in [("/plan.md", "bob's own words"), ("/new.md", "bob's new words")] {
            _ = try desk.lockbook.restore([.path(path)])
            #expect(try await desk.text(path) == text)
        }
        try await converge(bob, desk)
    }

    @Test func `the last right that ends while words are on their way is told`() async throws {
        let (laptop, desk) = try await shared()
        try await takeBack("/other.md", laptop)
        try await desk.sync()
        try desk.write("/team/plan.md", "bob's own words")
        desk.faults.before("/v1/push") {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
            try await laptop.sync()
        }

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind) == [.keptOwn, .takenBack])
        #expect(try await desk.text("/plan.md") == "bob's own words")
        try await converge(bob, desk)
    }

    @Test func `an offer that ended before anything of it came is in nobody's way`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        // The offer is heard of, and what it brings is lost.
        desk.faults.before("/v1/pull") { desk.faults.before("/v1/pull") { throw Lost() } }
        await #expect(throws: Lost.self) { try await desk.sync() }
        try await takeBack("/team", laptop)

        try desk.write("/mine.md", "mine")
        try await desk.sync()
        #expect(try desk.lockbook.offers() == [])
        try await converge(bob, desk)

        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])
    }

    private struct Lost: Error {}

    @Test(arguments: [false, true])
    func `a content that was purged since the last sync is gone, and nobody is blamed`(
        isShared: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        let reader = try await (isShared ? bob : ada).device(
            named: "reader",
            like: isShared ? desk : laptop,
            synced: false
        )
        // What this device only knows of: contents come later.
        reader.faults.before("/v1/blobs") { throw Lost() }
        await #expect(throws: Lost.self) { try await reader.sync() }
        _ = try laptop.lockbook.purge([.path("/team")])
        try await laptop.sync()
        try await people.server.collect(afterDays: 3)

        await #expect(throws: LockbookError.contentGone(path: "/team/plan.md")) {
            _ = try await reader.text("/team/plan.md")
        }
        let report = try await Place().export(reader)
        #expect(report.problems.map(\.path).contains("/team/plan.md"))
        try await reader.sync()
        #expect(try !reader.paths().contains("/team/plan.md"))
    }

    @Test func `a content that is purged while a sync is on its way to it is not missed`()
        async throws
    {
        let (laptop, _) = try await shared()
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        phone.faults.before("/v1/blobs") {
            _ = try laptop.lockbook.purge([.path("/team/plan.md")])
            try await laptop.sync()
        }
        try await phone.sync()
        #expect(try await phone.text("/other.md") == "other")
        try await converge(ada, laptop, phone)
    }

    @Test func `a server that has not what it promised is blamed as ever`() async throws {
        let (laptop, _) = try await shared()
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        phone.faults.before("/v1/blobs") { throw Lost() }
        await #expect(throws: Lost.self) { try await phone.sync() }
        phone.faults.lie("/v1/blobs") { _ in [] }
        let reason = "the server does not have a content it promised"
        await #expect(throws: LockbookError.badContent(path: "/other.md", reason: reason)) {
            _ = try await phone.text("/other.md")
        }
        let error = await #expect(throws: LockbookError.self) { try await phone.sync() }
        guard case .badContent(_, reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
