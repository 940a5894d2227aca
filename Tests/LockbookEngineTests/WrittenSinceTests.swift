import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Changes in a share that a sync takes back, while somebody goes on to write there.
struct WrittenSinceTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `what was written since they were looked at stays for the next sync`() async throws {
        let (laptop, desk) = try await shared(holding: ["list.md", "plan.md"])
        let owner = laptop.lockbook.store.context.owner
        let store = try #require(try desk.lockbook.shared(by: owner)).store
        for path in ["/team/list.md", "/team/plan.md", "/team/new/a.md"] {
            try desk.write(path, "written")
        }
        let stranded = try store.read { tree in
            try tree.stranded(besides: Set(tree.changedRows().map(\.id)))
        }
        try #require(stranded.count == 4)
        // As another process does after these were kept elsewhere.
        try desk.write("/team/plan.md", "written since")
        try desk.write("/team/new/b.md", "written since")
        let stays = try store.write { tree in
            tree.isMerging = true
            return try tree.takeBack(stranded).stays
        }

        // The next sync tells what becomes of these.
        let names = stranded.filter { stays.contains($0.id) }.map(\.name.text)
        #expect(names.sorted() == ["new", "plan.md"])
        #expect(
            try desk.paths() == [
                "/team", "/team/list.md", "/team/new/", "/team/new/b.md", "/team/plan.md",
            ]
        )
        #expect(try await desk.text("/team/list.md") == "list.md")
        #expect(try await desk.text("/team/plan.md") == "written since")
        #expect(try desk.lockbook.validate() == [])
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/new/b.md") == "written since")
    }
}
