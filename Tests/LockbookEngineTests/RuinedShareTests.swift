import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// An admin who gives all of a share new keys, in which it does not open any more.
struct RuinedShareTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    private static let notes = ["plan.md", "sub/a.md", "sub/deep/b.md"]

    private func members() async throws -> (
        laptop: Device, tablet: Device, desk: Device, intruder: Intruder
    ) {
        let (laptop, desk) = try await shared(.admin, holding: Self.notes)
        let cafe = try await bob.device(named: "cafe", like: desk)
        let intruder = try Intruder(cafe, in: "/team")
        try laptop.write("/team/plan.md", "second plan")
        try await laptop.sync()
        try await desk.sync()
        return (laptop, try await ada.device(named: "tablet", like: laptop), desk, intruder)
    }

    private func expectAll(on device: Device, plan: String = "second plan") async throws {
        #expect(try await device.text("/team/plan.md") == plan)
        for note in Self.notes.dropFirst() {
            #expect(try await device.text("/team/\(note)") == note)
        }
    }

    @Test(arguments: Intruder.Ruin.allCases)
    func `goes back with the owner's next sync, and opens for everybody`(_ ruin: Intruder.Ruin)
        async throws
    {
        let (laptop, tablet, desk, intruder) = try await members()
        try await intruder.ruin(ruin)

        let report = try await laptop.sync()

        #expect(report.notes.allSatisfy { $0.kind == .overruled && $0.detail == "bob" })
        #expect(report.notes.map(\.path).contains("/team/plan.md"))
        try await expectAll(on: laptop)
        for device in [tablet, desk] {
            try await device.sync()
            try await expectAll(on: device)
        }
        let history = try await laptop.lockbook.history(.path("/team/plan.md"))
        #expect(history.versions.map(\.size).contains(7))
        try await converge(ada, laptop, tablet)
    }

    @Test(arguments: Intruder.Ruin.allCases)
    func `stays with its unsynced words and new notes`(_ ruin: Intruder.Ruin) async throws {
        let (laptop, tablet, desk, intruder) = try await members()
        try laptop.write("/team/plan.md", "third plan")
        try laptop.write("/team/sub/new/c.md", "new")
        try laptop.move("/team/sub/a.md", to: "/team/")
        try desk.write("/team/sub/deep/b.md", "of the desk")
        try await intruder.ruin(ruin)

        try await laptop.sync()
        for device in [desk, laptop, desk, tablet] { try await device.sync() }

        for device in [laptop, tablet, desk] {
            #expect(try await device.text("/team/plan.md") == "third plan")
            #expect(try await device.text("/team/sub/new/c.md") == "new")
            #expect(try await device.text("/team/a.md") == "sub/a.md")
        }
        var words = ""
        for path in try desk.paths() where path.hasSuffix(".md") {
            words += try await desk.text(path)
        }
        #expect(words.contains("of the desk"))
        try await converge(ada, laptop, tablet)
    }

    @Test(arguments: Intruder.Ruin.allCases)
    func `is not lost when the share is taken back`(_ ruin: Intruder.Ruin) async throws {
        let (laptop, tablet, desk, intruder) = try await members()
        try await intruder.ruin(ruin)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)

        let report = try await laptop.sync()

        #expect(report.purged.isEmpty)
        try await expectAll(on: laptop)
        try await tablet.sync()
        try await expectAll(on: tablet)
        try await desk.sync()
        #expect(!(try desk.paths().contains { $0.hasPrefix("/team") }))
        try await converge(ada, laptop, tablet)
    }

    @Test func `waits for what is damaged in it for all, and goes back when that is purged`()
        async throws
    {
        let (laptop, tablet, desk, intruder) = try await members()
        try desk.write("/team/sub/unseen.md", "unseen")
        try await desk.sync()
        try await intruder.ruin(.keys)
        try laptop.write("/team/sub/a.md", "later words")
        try laptop.write("/team/sub/new.md", "new")

        for _ in 0..<2 {
            let report = try await laptop.sync()
            let notes = report.notes.filter { $0.kind == .notPushed }
            #expect(notes.count == 1 && notes[0].path.hasPrefix("/team/sub/damaged-"))
            #expect(report.pushed.allSatisfy { $0 == "/team" })
            #expect(try await laptop.text("/team/plan.md") == "second plan")
        }
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        #expect(try await laptop.sync().purged.count == 1)
        try await laptop.sync()
        try await tablet.sync()
        for device in [laptop, tablet] {
            #expect(try await device.text("/team/plan.md") == "second plan")
            #expect(try await device.text("/team/sub/deep/b.md") == "sub/deep/b.md")
            #expect(try await device.text("/team/sub/a.md") == "later words")
            #expect(try await device.text("/team/sub/new.md") == "new")
        }
        try await converge(ada, laptop, tablet)
    }

    @Test(arguments: [false, true])
    func `is asked about where no device knows what it was`(isAccepted: Bool) async throws {
        let (laptop, desk) = try await shared(.admin, holding: (1...12).map { "\($0).md" })
        let cafe = try await bob.device(named: "cafe", like: desk)
        try await Intruder(cafe, in: "/team").ruin(.keys)
        let tablet = try await ada.device(named: "tablet", like: laptop)
        try tablet.lockbook.setShare(.path("/team"), of: "bob", to: nil)

        await #expect {
            try await tablet.sync()
        } throws: { error in
            guard case LockbookError.stopped(let stop) = error else { return false }
            return stop.kind == .damagePurge && stop.count == 12
        }
        #expect(try tablet.lockbook.status().stopped?.kind == .damagePurge)

        if isAccepted {
            var options = SyncOptions()
            options.acceptDeletions = true
            #expect(try await tablet.lockbook.sync(options).purged.count == 12)
        } else {
            try await laptop.sync()
            #expect(try await tablet.sync().purged.isEmpty)
            #expect(try await tablet.text("/team/12.md") == "12.md")
        }
        try await desk.sync()
        #expect(!(try desk.paths().contains { $0.hasPrefix("/team") }))
    }

    /// Afterwards nobody's sync waits for anything, and a revoke goes through.
    private func expectQuiet(_ laptop: Device, _ tablet: Device, _ desk: Device) async throws {
        #expect(try laptop.lockbook.status().changes.isEmpty)
        for device in [tablet, desk, laptop] { try await device.sync() }
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        for device in [laptop, tablet, desk] { try await device.sync() }
        #expect(!(try desk.paths().contains { $0.hasPrefix("/team") }))
        try await converge(ada, laptop, tablet)
    }

    @Test(arguments: [false, true])
    func `comes out of the trash again`(isEdited: Bool) async throws {
        let (laptop, tablet, desk, intruder) = try await members()
        if isEdited { try laptop.write("/team/sub/a.md", "edited") }
        try await intruder.ruin(.keys, deleting: "sub")

        try await laptop.sync()

        let expected = isEdited ? "edited" : "sub/a.md"
        #expect(try await laptop.text("/team/sub/a.md") == expected)
        try await desk.sync()
        #expect(try await desk.text("/team/sub/a.md") == expected)
        try await expectQuiet(laptop, tablet, desk)
        #expect(try await tablet.text("/team/sub/a.md") == expected)
    }

    @Test func `goes back where names were given on, and that was not sent`() async throws {
        let (laptop, desk) = try await shared(.admin, holding: ["1.md", "2.md", "3.md"])
        let tablet = try await ada.device(named: "tablet", like: laptop)
        let cafe = try await bob.device(named: "cafe", like: desk)
        try laptop.move("/team/3.md", to: "/")
        try laptop.move("/team/2.md", to: "/team/3.md")
        try laptop.move("/team/1.md", to: "/team/2.md")
        try await Intruder(cafe, in: "/team").ruin(.keys)

        // One name is free after the other.
        for _ in 0..<2 { try await laptop.sync() }

        for device in [laptop, desk] {
            if device === desk { try await device.sync() }
            #expect(try await device.text("/team/2.md") == "1.md")
            #expect(try await device.text("/team/3.md") == "2.md")
        }
        #expect(try await laptop.text("/3.md") == "3.md")
        try await expectQuiet(laptop, tablet, desk)
    }

    @Test func `takes no words along that were written after it left the share`() async throws {
        let (laptop, tablet, desk, intruder) = try await members()
        try laptop.move("/team/plan.md", to: "/")
        try laptop.write("/plan.md", "secret")
        try await intruder.ruin(.keys)

        // What goes back is seen by the members before the note leaves.
        laptop.faults.before("/v1/push") {}
        laptop.faults.before("/v1/push") { throw LockbookError.offline(server: "", reason: "") }
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "second plan")
        try await laptop.sync()
        #expect(try await laptop.text("/plan.md") == "secret")
        try await desk.sync()
        #expect(!(try desk.paths().contains("/team/plan.md")))
        try await expectQuiet(laptop, tablet, desk)
    }

    @Test(arguments: [false, true])
    func `a name that nonsense gave up is anybody's`(isFirst: Bool) async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        let tablet = try await ada.device(named: "tablet", like: laptop)
        let phone = try await bob.device(named: "phone", like: desk)
        let cafe = try await bob.device(named: "cafe", like: desk)
        try await Intruder(cafe, in: "/team").takeName(of: "plan.md", isFirst: isFirst)

        try await phone.sync()
        try await laptop.sync()
        // The lower id keeps the name.
        let (note, other) = isFirst ? ("plan-1.md", "plan.md") : ("plan.md", "plan-1.md")
        for device in [phone, desk, tablet, laptop] {
            try await device.sync()
            #expect(try await device.text("/team/\(note)") == "plan.md")
            #expect(try await device.text("/team/\(other)").isEmpty)
        }
        try await expectQuiet(laptop, tablet, desk)
    }

    @Test func `time and again goes back as often`() async throws {
        let (laptop, tablet, _, intruder) = try await members()
        for ruin in Intruder.Ruin.allCases + [.keys] {
            try await intruder.ruin(ruin)
            try await laptop.sync()
            try await expectAll(on: laptop)
        }
        try await tablet.sync()
        try await expectAll(on: tablet)
        try await converge(ada, laptop, tablet)
    }
}
