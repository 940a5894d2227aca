import LockbookEngine
import LockbookTestSupport
import Testing

/// What becomes of a member's words in what its owner purges.
struct PurgedWordsTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test(arguments: ["/plan.md", "/mine.md"])
    func `words in a document that is shared by itself come back under its name`(link: String)
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/plan.md", .write, laptop, desk)
        if link != "/plan.md" { try desk.move("/plan.md", to: link) }
        try await desk.sync()
        try desk.write(link, "bob's words")
        _ = try laptop.lockbook.purge([.path("/plan.md")])
        try await laptop.sync()

        let report = try await desk.syncAsForetold()
        let kept = try #require(report.notes.first { $0.kind == .keptOwn })
        #expect(kept.path == "/plan.md")
        #expect(kept.detail == link)
        #expect(try desk.paths() == [kept.path])
        #expect(try await desk.text(kept.path) == "bob's words")
        try await converge(bob, desk)
    }

    @Test(arguments: [false, true])
    func `words in a shared folder are told with the place that they had`(isLinkGone: Bool)
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["deep/x.md"])
        let phone = try await bob.device(named: "phone", like: desk)
        try desk.write("/team/deep/x.md", "bob's words")
        _ = try laptop.lockbook.purge([.path("/team")])
        try await laptop.sync()
        if isLinkGone { try await phone.sync() }

        let report = try await desk.syncAsForetold()
        let kept = report.notes.filter { $0.kind == .keptOwn }.map { "\($0.path) \($0.detail)" }
        #expect(kept == ["/x.md /team/deep/x.md"])
        #expect(try await desk.text("/x.md") == "bob's words")
        try await converge(bob, desk, phone)
    }
}
