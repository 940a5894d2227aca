import LockbookEngine
import LockbookTestSupport
import Testing

/// Who is met by the very sync that merges what he wrote.
struct MetByMergeTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `markers name an account that a device meets by the sync that merges`()
        async throws
    {
        let (laptop, phone) = try await ada.twoDevices()
        try laptop.write("/team/plan.md", "one\n")
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", .write, laptop, desk)
        try desk.write("/team/plan.md", "two\n")
        try await desk.sync()
        try phone.write("/team/plan.md", "three\n")
        try await phone.sync()

        let text = try await phone.text("/team/plan.md")
        #expect(text.contains("<<<<<<< ada on phone\n"))
        #expect(text.contains(">>>>>>> bob on desk\n"))
    }
}
