import LockbookEngine
import LockbookTestSupport
import Testing

/// What was deleted, and how it comes back.
struct TrashTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `several are named as they stood before the first of them came back`() async throws {
        let laptop = try await alice.firstDevice()
        for text in ["first", "second"] {
            try laptop.write("/trip/plan.md", text)
            try laptop.delete("/trip/plan.md")
            try laptop.delete("/trip")
        }
        let trash = try laptop.lockbook.trash()
        let folders = trash.filter { $0.type == .folder }.map { FileReference("id:\($0.id)") }
        #expect(throws: LockbookError.self) {
            try laptop.lockbook.restore([FileReference("/trip")])
        }
        let twice = [folders[0], folders[0]]
        #expect(try laptop.lockbook.restore(twice).map(\.path) == ["/trip"])
        _ = try laptop.lockbook.undo()
        #expect(try laptop.paths() == [])
        // The second of one path is the one that is left.
        let left = try laptop.lockbook.restore([folders[0], FileReference("/trip")])
        #expect(left.map(\.path) == ["/trip", "/trip-1"])
        #expect(
            try laptop.lockbook.emptyTrash(
                trash.filter { $0.type == .document }.map {
                    FileReference("id:\($0.id)")
                }
            ) == 2
        )
    }

    @Test func `what is named twice comes back once, by its path and by its id`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/n/a.md", "a")
        try laptop.delete("/n/a.md")
        let id = try #require(try laptop.lockbook.trash().first).id
        let names = ["/n/a.md", "n/a.md", "id:\(id)", "/n/a.md"]

        #expect(try laptop.lockbook.restore(names.map(FileReference.init)).count == 1)
        #expect(try await laptop.text("/n/a.md") == "a")
        #expect(throws: LockbookError.notInTrash(path: "/n/a.md")) {
            try laptop.lockbook.restore([FileReference("/n/a.md")])
        }
    }

    @Test func `what is named twice is not one that went with its folder before`() async throws {
        let laptop = try await alice.firstDevice()
        for text in ["one", "two"] {
            try laptop.write("/d/a", text)
            try laptop.delete(text == "one" ? "/d" : "/d/a")
        }
        let twice = [FileReference("/d/a"), FileReference("/d/a")]

        #expect(try laptop.lockbook.restore(twice).map(\.path) == ["/d/a"])
        #expect(try laptop.paths() == ["/d/", "/d/a"])
        #expect(try await laptop.text("/d/a") == "two")
    }

    @Test func `of a folder it is told how many files come back with it, at any depth`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for path in ["a.md", "deep/b.md", "deep/er/c.md", "gone/d.md", "e.md"] {
            try laptop.write("/trip/\(path)", "words")
        }
        try await laptop.sync()
        try laptop.delete("/trip/gone")
        _ = try laptop.lockbook.purge([.path("/trip/e.md")])
        try laptop.delete("/trip")

        #expect(
            try laptop.lockbook.trash().map { "\($0.path) \($0.files)" }
                == ["/trip 5", "/trip/gone 1"]
        )
        let whole = try laptop.lockbook.trash(isRecursive: true)
        #expect(whole.first { $0.path == "/trip" }?.files == 5)
    }

    @Test
    func `a folder comes back with what was deleted with it and without what was deleted before`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["trip/": "", "trip/plan.md": "by train", "trip/old.md": "by bus"]
        )
        try laptop.delete("/trip/old.md")
        try laptop.delete("/trip")
        #expect(try laptop.paths() == [])
        #expect(
            try laptop.lockbook.trash().map { "\($0.path) \($0.type) \($0.size) \($0.files)" }
                == ["/trip folder 0 1", "/trip/old.md document 6 0"]
        )
        #expect(
            try laptop.lockbook.trash(isRecursive: true).map { "\($0.path) \($0.files)" }
                == ["/trip 1", "/trip/old.md 0", "/trip/plan.md 0"]
        )
        for path in ["/trip", "/trip/old.md", "/trip/plan.md"] {
            #expect(try laptop.lockbook.isInTrash(.path(path)))
        }
        #expect(try !laptop.lockbook.isInTrash(.path("/trip/plan")))
        try await laptop.sync()
        try await phone.sync()

        let restored = try phone.lockbook.restore([FileReference("/trip")])
        #expect(restored.map(\.path) == ["/trip"])
        #expect(try !phone.lockbook.isInTrash(.path("/trip/plan.md")))
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/trip/", "/trip/plan.md"])
        #expect(try await laptop.text("/trip/plan.md") == "by train")

        _ = try laptop.lockbook.restore([FileReference("trip/old.md")])
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/trip/old.md") == "by bus")
        #expect(try phone.lockbook.trash() == [])
    }

    @Test
    func `a name that is taken gets a number and a folder that is gone gives way to the one above`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["a.md": "first", "deep/": "", "deep/b.md": "below"]
        )
        try laptop.delete("/a.md")
        try laptop.write("/a.md", "second")
        try laptop.delete("/deep/b.md")
        try laptop.delete("/deep")
        let restored = try laptop.lockbook.restore([
            FileReference("/a.md"), FileReference("/deep/b.md"),
        ])
        #expect(restored.map(\.path) == ["/a-1.md", "/b.md"])
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a-1.md") == "first")
        #expect(try await phone.text("/b.md") == "below")
    }

    @Test func `two that were deleted at one path are told apart by their ids`() async throws {
        let laptop = try await alice.firstDevice()
        for text in ["one", "two"] {
            try laptop.write("/a.md", text)
            try laptop.delete("/a.md")
        }
        let trash = try laptop.lockbook.trash()
        #expect(trash.map(\.path) == ["/a.md", "/a.md"])
        #expect {
            try laptop.lockbook.restore([FileReference("/a.md")])
        } throws: {
            guard case LockbookError.ambiguous(_, let matches) = $0 else { return false }
            return matches.count == 2
        }
        for file in trash {
            _ = try laptop.lockbook.restore([FileReference("id:\(file.id)")])
        }
        #expect(try laptop.paths() == ["/a-1.md", "/a.md"])
        #expect(throws: LockbookError.notInTrash(path: "/a.md")) {
            try laptop.lockbook.restore([FileReference("/a.md")])
        }
    }

    /// Nothing was fetched of it, so the content comes when it is read.
    @Test func `a new device does not fetch what is in the trash and can restore it`() async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "rubbish")
        try await laptop.sync()
        try laptop.delete("/a.md")
        try await laptop.sync()

        let phone = try await alice.device(named: "phone", like: laptop)
        #expect(!phone.faults.takeRequests().contains("/v1/blobs"))
        _ = try phone.lockbook.restore([FileReference("/a.md")])
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "rubbish")
    }

    @Test func `what was in a deleted folder comes back alone`() async throws {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["/a/trip/day/plan.md": "plan", "/a/trip/day/map.md": "map", "/a/x.md": "x"]
        )
        try laptop.delete("/a/trip")
        try await laptop.sync()
        try await phone.sync()
        let inner = FileReference("/a/trip/day/plan.md")
        #expect(try phone.lockbook.restore([inner]).map(\.path) == ["/a/plan.md"])
        #expect(try await phone.text("/a/plan.md") == "plan")
        #expect(throws: LockbookError.notInTrash(path: inner.text)) {
            try phone.lockbook.restore([inner])
        }
        #expect(try phone.lockbook.trash().map { "\($0.path) \($0.files)" } == ["/a/trip 2"])
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/a/", "/a/plan.md", "/a/x.md"])
        // With its folder it comes back where that does, in whichever order they stand.
        let both = [FileReference("/a/trip/day/map.md"), FileReference("/a/trip")]
        #expect(
            try laptop.lockbook.restore(both).map(\.path) == ["/a/trip/day/map.md", "/a/trip"]
        )
        try await converge(alice, laptop, phone)
        // A folder in it does, too.
        try laptop.delete("/a/trip")
        #expect(
            try laptop.lockbook.restore([FileReference("/a/trip/day")]).map(\.path) == ["/a/day"]
        )
        #expect(try await laptop.text("/a/day/map.md") == "map")
        try await converge(alice, laptop, phone)
    }
}
