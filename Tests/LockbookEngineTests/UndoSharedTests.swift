import LockbookEngine
import LockbookTestSupport
import Testing

/// What was done before others were let in or out is taken back after it, too.
struct UndoSharedTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `a command is taken back however often keys were changed since`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "list.md"])
        try laptop.write("/team/plan.md", "by ada")
        _ = try laptop.lockbook.delete([FileReference("/team/list.md")])
        let made = try laptop.lockbook.commands(telling: 9).prefix(2)
        try await laptop.sync()
        try await desk.sync()
        try desk.write("/team/more.md", "by bob")
        try await desk.sync()
        try await laptop.sync()
        // Each time carol is let out, all that is shared has new keys.
        let carols = try await carol.firstDevice(named: "tablet")
        for _ in 0..<3 {
            try await share("/team", .read, laptop, carols)
            try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
            try await laptop.sync()
            try await carols.sync()
        }
        try await desk.sync()

        let commands = try laptop.lockbook.commands(telling: 9)
        for command in made { #expect(commands.contains(command)) }
        for command in made { _ = try laptop.lockbook.undo(command.number) }
        #expect(try await laptop.text("/team/plan.md") == "plan.md")
        #expect(try await laptop.text("/team/list.md") == "list.md")

        #expect(try desk.lockbook.commands().first?.changes.first?.path == "/team/more.md")
        _ = try desk.lockbook.undo()
        try await desk.sync()
        try await laptop.sync()
        #expect(try !laptop.paths().contains("/team/more.md"))
    }
}
