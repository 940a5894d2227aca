import LockbookEngine
import LockbookTestSupport
import Testing

/// Lines that are added, notes that begin from a template, and what was changed last.
struct NoteTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `a line that is added stands alone, whatever the note ended with`() async throws {
        let laptop = try await alice.firstDevice()
        for (path, text) in [("/none", ""), ("/line", "one\n"), ("/half", "one")] {
            if !text.isEmpty { try laptop.write(path, text) }
            try laptop.lockbook.append(line: "two", to: .path(path))
        }
        #expect(try await laptop.text("/none") == "two\n")
        #expect(try await laptop.text("/line") == "one\ntwo\n")
        #expect(try await laptop.text("/half") == "one\ntwo\n")
        #expect(throws: LockbookError.notADocument(path: "/f")) {
            _ = try laptop.lockbook.create(path: "/f/")
            try laptop.lockbook.append(line: "x", to: .path("/f"))
        }
        try await converge(alice, laptop)
    }

    @Test func `a note begins from its template once, and from nothing where there is none`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        func begin(_ path: String) throws -> Bool {
            try laptop.lockbook.create(path: path, template: "/t.md") { "<\($0 ?? "none")>" }
        }
        #expect(try begin("/daily/1.md"))
        try laptop.write("/t.md", "plan")
        #expect(try begin("/daily/2.md"))
        try laptop.write("/daily/2.md", "mine")
        #expect(try !begin("/daily/2.md"))
        #expect(try await laptop.text("/daily/1.md") == "<none>")
        #expect(try await laptop.text("/daily/2.md") == "mine")
        #expect(try laptop.lockbook.create(path: "/empty", template: "/nowhere") { _ in "" })
        #expect(try await laptop.text("/empty") == "")
        try await converge(alice, laptop)
    }

    @Test func `what was changed last comes first, on every device`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        for (days, path) in ["/a.md", "/f/b.md", "/c.md"].enumerated() {
            laptop.clock.pass(days: Int64(days))
            try laptop.write(path, path)
        }
        try await converge(alice, laptop, phone)
        for device in [laptop, phone] {
            #expect(try device.lockbook.recent(2).map(\.path) == ["/c.md", "/f/b.md"])
            #expect(try device.lockbook.recent(9).count == 3)
            let found = try device.lockbook.find(FuzzyPattern("b"))
            #expect(found.map(\.path) == ["/f/b.md"])
        }
    }
}
