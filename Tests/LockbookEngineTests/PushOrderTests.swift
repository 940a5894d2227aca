import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// In which order changes are put into entries, of which each has to leave a valid tree.
struct PushOrderTests {
    private func order(_ device: Device, first count: Int = .max) throws -> [String] {
        try device.lockbook.store.read { tree in
            var paths: [String] = []
            try tree.visitChanges { row, _ in
                paths.append(try tree.path(of: row))
                return paths.count < count
            }
            return paths
        }
    }

    @Test func `folders come before what stands in them, whichever was made first`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        try laptop.write("/old.md", "old")
        try laptop.write("/other.md", "other")
        try await laptop.sync()
        try laptop.write("/a.md", "a")
        try laptop.write("/b/c.md", "c")
        try laptop.write("/deep/er/d.md", "d")
        // Each is moved into a folder that was made after it.
        try laptop.move("/a.md", to: "/deep/er/a.md")
        try laptop.move("/b", to: "/deep/er/b")
        try laptop.write("/new/e.md", "e")
        try laptop.move("/other.md", to: "/new/other.md")
        try laptop.write("/old.md", "new")

        let all = try order(laptop)

        // What the server knows goes first, with the folder that it moves into.
        #expect(Set(all.prefix(3)) == ["/old.md", "/new", "/new/other.md"])
        #expect(Set(all).count == all.count)
        #expect(
            Set(all.dropFirst(3)) == [
                "/deep", "/deep/er", "/deep/er/a.md", "/deep/er/b", "/deep/er/b/c.md",
                "/deep/er/d.md", "/new/e.md",
            ]
        )
        for (index, path) in all.enumerated() {
            let above = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            guard all.contains(above) else { continue }
            #expect(all[..<index].contains(above), "\(path) before its folder")
        }
        // Every beginning is the same order.
        for count in 1...all.count {
            #expect(try order(laptop, first: count) == all.prefix(count).map { $0 })
        }
    }

    /// However many files go in one entry, each entry leaves a valid tree.
    @Test(arguments: [1, 2, 3])
    func `what belongs together goes in one entry`(count: Int) async throws {
        let server = try TestServer()
        let first = try await Person("ada", on: server).firstDevice()
        let laptop = try first.again(pushing: count)
        let desk = try await Person("bob", on: server).firstDevice(named: "desk")
        for note in ["team/plan.md", "moved/a.md", "moved/deep/b.md", "one.md", "two.md"] {
            try laptop.write("/\(note)", note)
        }
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        // All of a folder that moves into a share, below one that is new there; names that are
        // exchanged; what is new besides.
        try laptop.write("/team/new/c.md", "c")
        try laptop.move("/moved", to: "/team/new/moved")
        try laptop.move("/one.md", to: "/three.md")
        try laptop.move("/two.md", to: "/one.md")
        try laptop.move("/three.md", to: "/two.md")
        for number in 1...5 { try laptop.write("/more/\(number).md", "\(number)") }
        _ = laptop.faults.takeRequests()
        let report = try await laptop.sync()
        #expect(report.notes.isEmpty)
        #expect(laptop.faults.takeRequests().count { $0 == "/v1/push" } > 1)
        #expect(try laptop.lockbook.status().changes.isEmpty)

        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
        #expect(try await desk.text("/team/new/moved/deep/b.md") == "moved/deep/b.md")
        #expect(try await desk.text("/team/new/c.md") == "c")
        let phone = try await Person("ada", on: server).device(named: "phone", like: first)
        #expect(try await phone.snapshot() == laptop.snapshot())
        #expect(try await phone.text("/one.md") == "two.md")
    }

    @Test func `what is purged goes with nothing else, and what is new and purged not at all`()
        async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        try laptop.write("/known.md", "known")
        try await laptop.sync()
        try laptop.write("/new.md", "new")
        _ = try laptop.lockbook.purge([FileReference("/known.md"), FileReference("/new.md")])
        #expect(try order(laptop) == [])
        try laptop.write("/known.md", "another of its name")
        #expect(try order(laptop).sorted() == ["/known.md", "/known.md"])
        try await laptop.sync()
        #expect(try laptop.paths() == ["/known.md"])
    }

    @Test func `what was made and deleted with its folder is told of as the folder`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        for name in ["a", "b"] { try laptop.write("/tmp/\(name).md", name) }
        try laptop.write("/old.md", "old")
        try laptop.delete("/tmp")
        let told = try laptop.lockbook.status().changes.map { "\($0.kind) \($0.path)" }
        #expect(told == ["new /old.md", "deleted /tmp"])
        try await laptop.sync()
        #expect(try laptop.lockbook.status().changes.isEmpty)
    }
}
