import LockbookEngine
import LockbookTestSupport
import Testing

/// What goes through a share between two syncs: into it with its folder, and out of it again.
struct MovedThroughTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test(arguments: [true, false])
    func `a folder that goes through a share takes what was shared in it along`(_ isDeleted: Bool)
        async throws
    {
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        try await desk.sync()
        try laptop.write("/x/w/e.json", "{}")
        try laptop.write("/y/other.md", "other")
        try await laptop.sync()
        for path in ["/x/w/e.json", "/y"] {
            _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .write)
        }
        try await laptop.sync()

        if isDeleted { try laptop.delete("/x/w/e.json") }
        try laptop.move("/x", to: "/y/")
        try laptop.move("/y/x/w", to: "/")
        try await laptop.sync()
        try await desk.sync()
        #expect(try laptop.lockbook.validate() == [])
        try await converge(ada, laptop, try await ada.device(named: "phone", like: laptop))
        if isDeleted {
            _ = try laptop.lockbook.restore([.path("/w/e.json")])
            try await laptop.sync()
        }
        #expect(try await laptop.text("/w/e.json") == "{}")
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.name).sorted() == ["e.json", "y"])
    }

    /// Only its owner says where something shared stands: the member's deletion cannot move it back.
    @Test func `a share comes into a folder that a member deleted meanwhile`() async throws {
        let (laptop, desk) = try await shared(holding: ["old/plan.md"])
        try laptop.write("/w/words.md", "words")
        try await share("/w", .write, laptop, desk)

        try desk.delete("/team/old")
        try laptop.move("/w", to: "/team/old/")
        try await laptop.sync()
        let report = try await desk.sync()
        #expect(report.notes.map(\.kind) == [.trashed])
        try await laptop.sync()
        try await desk.sync()
        #expect(try laptop.paths() == ["/team/"])
        _ = try laptop.lockbook.restore([.path("/team/old")])
        try await converge(ada, laptop)
        try await converge(bob, desk)
        #expect(try await laptop.text("/team/old/w/words.md") == "words")
        #expect(try await desk.text("/w/words.md") == "words")
    }
}
