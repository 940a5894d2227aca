import LockbookEngine
import LockbookTestSupport
import Testing

/// What was saved of a document on one device, before it was one with what another device made.
struct JoinedSavesTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test(arguments: ["/n.md", "/new/folder/n.md"], ["third\n", "other\n"])
    func `saves stay in the history when two new documents become one`(
        path: String,
        last: String
    ) async throws {
        let laptop = try await alice.firstDevice()
        let phone = try await alice.device(named: "phone", like: laptop)
        for text in ["first\n", "second\n", last] {
            try laptop.write(path, text)
            laptop.clock.pass(days: 1)
        }
        try phone.write(path, "other\n")
        try await phone.sync()

        try await laptop.sync()

        let saves = try await laptop.versionTexts(path)
        #expect(saves.filter { $0 == "other\n" }.count == 1)
        for text in ["first\n", "second\n", last] { #expect(saves.contains(text)) }
        let first = try #require(saves.firstIndex(of: "first\n"))
        #expect(try #require(saves.firstIndex(of: "second\n")) < first)
        try await converge(alice, laptop, phone)
        // Under later keys, too.
        _ = try await laptop.lockbook.restore(
            .path(path),
            version: laptop.lockbook.history(.path(path)).versions[first].version
        )
        #expect(try await laptop.text(path) == "first\n")
    }
}
