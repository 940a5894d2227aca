import LockbookEngine
import LockbookTestSupport
import Testing

/// Several files that are made at once, here and in what others share.
struct CreateSeveralTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// The path of each that was made, and how each other one failed.
    private func told(_ made: [Result<FileInfo, any Error>]) -> [String] {
        made.map { result in
            switch result {
            case .success(let info): info.path
            case .failure(let error): "\(error)"
            }
        }
    }

    private func failure(_ error: LockbookError) -> String { "\(error)" }

    @Test func `they are one change, and what cannot be made is no part of it`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/plan.md", "plan")
        let made = try laptop.lockbook.create(
            paths: [
                "/a.md", "/plan.md/x/y.md", "/plan.md", "/sub/b/", "a.md", "/sub/b/c.md", "id:0",
            ]
        )
        #expect(
            told(made) == [
                "/a.md", failure(.notAFolder(path: "/plan.md")),
                failure(.exists(path: "/plan.md")), "/sub/b", failure(.exists(path: "a.md")),
                "/sub/b/c.md",
                failure(
                    .badPath(
                        path: "id:0",
                        reason: "no file is made by an id; with / in front of it, it is a name"
                    )
                ),
            ]
        )
        // The folder above them counts, too.
        #expect(try laptop.lockbook.commands().map(\.files) == [4, 1])
        #expect(try laptop.paths() == ["/a.md", "/plan.md", "/sub/", "/sub/b/", "/sub/b/c.md"])
        try await converge(ada, laptop)
    }

    @Test func `those that fail alone are no command`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/plan.md", "plan")
        let made = try laptop.lockbook.create(paths: ["/plan.md", "/"])
        #expect(told(made) == [failure(.exists(path: "/plan.md")), failure(.exists(path: "/"))])
        #expect(try laptop.lockbook.commands().map(\.files) == [1])
    }

    @Test func `documents get their texts, and what stands there keeps its own`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/b.md", "mine")
        _ = try laptop.lockbook.create(path: "/f/")
        let made = try laptop.lockbook.create(paths: ["/a.md", "/b.md", "/f", "/empty"]) {
            $0 == "/empty" ? "" : "of \($0)"
        }
        #expect(
            told(made) == [
                "/a.md", failure(.exists(path: "/b.md")), failure(.notADocument(path: "/f")),
                "/empty",
            ]
        )
        #expect(try await laptop.text("/a.md") == "of /a.md")
        #expect(try await laptop.text("/b.md") == "mine")
        #expect(try await laptop.text("/empty") == "")
        #expect(try laptop.lockbook.commands().first?.files == 2)
        try await converge(ada, laptop)
    }

    @Test func `behind a link they are one change of that tree`() async throws {
        let (laptop, desk) = try await shared()
        let made = try desk.lockbook.create(
            paths: ["/team/a.md", "/own.md", "/team/plan.md", "/team/sub/b.md", "/team"]
        )
        #expect(
            told(made) == [
                "/team/a.md", "/own.md", failure(.exists(path: "/team/plan.md")),
                "/team/sub/b.md", failure(.exists(path: "/team")),
            ]
        )
        let commands = try desk.lockbook.commands()
        #expect(commands.prefix(2).map(\.files) == [3, 1])
        #expect(commands.prefix(2).map(\.owner) == ["ada", nil])
        try await desk.sync()
        try await laptop.sync()
        #expect(try laptop.paths().contains("/team/sub/b.md"))
        try await converge(ada, laptop)
    }

    @Test func `where nothing may be written, each says so and one's own are made`() async throws {
        let (_, desk) = try await shared(.read)
        let made = try desk.lockbook.create(paths: ["/team/a.md", "/own.md", "/team/x/b.md"])
        #expect(
            told(made) == [
                failure(.readOnly(path: "/team")), "/own.md", failure(.readOnly(path: "/team")),
            ]
        )
        #expect(try desk.paths().contains("/own.md"))
    }
}
