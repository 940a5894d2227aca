import LockbookEngine
import LockbookTestSupport
import Testing

/// What an owner moves into another share of hers, of which the member has accepted nothing.
struct OutOfReachTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    enum Answer: CaseIterable { case none, left, rejected }

    /// Two shares of ada's, `/team`, which bob accepted, and `/other`, with what he said to it.
    private func shares(_ answer: Answer) async throws -> (laptop: Device, desk: Device) {
        let (laptop, desk) = try await shared(holding: ["plan.md", "stays.md"])
        try laptop.write("/other/note.md", "note")
        try await laptop.sync()
        if answer == .left {
            try await share("/other", .write, laptop, desk)
            try desk.lockbook.leaveShare(.path("/other"))
        } else {
            _ = try await laptop.lockbook.share(.path("/other"), with: "bob", mode: .write)
            try await laptop.sync()
        }
        try await desk.sync()
        if answer == .rejected {
            let offer = try #require(try desk.lockbook.offers().first)
            try desk.lockbook.rejectShare(id: offer.id)
            try await desk.sync()
        }
        return (laptop, desk)
    }

    @Test(arguments: Answer.allCases)
    func `what goes where no link leads is named`(answer: Answer) async throws {
        let (laptop, desk) = try await shares(answer)
        try laptop.move("/team/plan.md", to: "/other/")
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.left == ["/team/plan.md"])
        #expect(report.purged == [] && report.deleted == [])
        #expect(try desk.paths() == ["/team", "/team/stays.md"])
        #expect(try await desk.sync().left == [])
    }

    @Test(arguments: [Answer.none, .left])
    func `words that go into the trash there are told`(answer: Answer) async throws {
        let (laptop, desk) = try await shares(answer)
        try desk.write("/team/plan.md", "bob's own words")
        try laptop.move("/team/plan.md", to: "/other/")
        try laptop.delete("/other/plan.md")
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(
            report.notes.map { "\($0.kind) \($0.path) \($0.detail)" }
                == ["deleted /team/plan.md other/plan.md"]
        )
        #expect(report.left == [])
    }

    @Test func `a share inside of one that is taken back is told as the offer that it is`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["plan.md", "in/q.md"])
        _ = try await laptop.lockbook.share(.path("/team/in"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        try desk.write("/team/in/q.md", "bob's own words")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.left == [])
        #expect(
            Set(report.notes.map { "\($0.kind) \($0.path)" })
                == ["keptOwn /q.md", "takenBack /team", "offered in"]
        )
        // Where he had it, though that is only an offer now.
        let kept = try #require(report.notes.first { $0.kind == .keptOwn })
        #expect(kept.detail == "/team/in/q.md")
        #expect(try desk.lockbook.offers().map(\.name) == ["in"])
    }
}
