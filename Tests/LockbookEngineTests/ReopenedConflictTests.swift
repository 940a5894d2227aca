import LockbookEngine
import LockbookTestSupport
import Testing

/// Conflicts that one device decides while another one writes in them, or decides otherwise.
struct ReopenedConflictTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// Two devices that both have the versions of one place.
    private func conflicting() async throws -> (laptop: Device, phone: Device) {
        let (laptop, phone) = try await alice.twoDevices()
        try laptop.write("/a.md", "word\n")
        try await laptop.sync()
        try await phone.sync()
        try laptop.write("/a.md", "left\n")
        try phone.write("/a.md", "right\n")
        try await laptop.sync()
        try await phone.sync()
        try await laptop.sync()
        return (laptop, phone)
    }

    @Test func `what was written in the version that another device dropped is to be decided`()
        async throws
    {
        let (laptop, phone) = try await conflicting()
        let marked = try await laptop.text("/a.md")
        let wrote = marked.replacing("left", with: "left, and more")
        try laptop.write("/a.md", wrote)
        _ = try phone.lockbook.resolve(.path("/a.md"), keeping: .local)
        try await laptop.sync()
        try await phone.sync()
        #expect(try await phone.text("/a.md") == wrote)
        #expect(try phone.lockbook.conflicts().map(\.path) == ["/a.md"])
        _ = try phone.lockbook.resolve(.path("/a.md"), keeping: .remote)
        #expect(try await phone.text("/a.md") == "left, and more\n")
        try await converge(alice, laptop, phone)
    }

    @Test func `two decisions against each other are one place to decide on both devices`()
        async throws
    {
        let (laptop, phone) = try await conflicting()
        let marked = try await laptop.text("/a.md")
        _ = try phone.lockbook.resolve(.path("/a.md"), keeping: .local)
        _ = try laptop.lockbook.resolve(.path("/a.md"), keeping: .local)
        try await laptop.sync()
        try await phone.sync()
        try await laptop.sync()
        for device in [laptop, phone] {
            #expect(try await device.text("/a.md") == marked)
            #expect(try device.lockbook.conflicts().map(\.path) == ["/a.md"])
        }
        try await converge(alice, laptop, phone)
    }
}
