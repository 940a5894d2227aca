import LockbookEngine
import LockbookTestSupport
import Testing

/// What is new or edited in a folder that is deleted goes to the trash, and comes back with it.
struct DeadWithFolderTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `a folder that was deleted before its first sync comes back with what was in it`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: [:])
        try laptop.write("/trip/plan.md", "by train")
        try laptop.write("/trip/days/one.md", "rain")
        try laptop.write("/trip/old.md", "by bus")
        try laptop.delete("/trip/old.md")
        try laptop.delete("/trip")
        try await laptop.sync()
        try await phone.sync()
        for device in [laptop, phone] {
            #expect(
                try device.lockbook.trash().map { "\($0.path) \($0.files)" }
                    == ["/trip 3", "/trip/old.md 0"]
            )
        }

        let restored = try phone.lockbook.restore([FileReference("/trip")])
        #expect(restored.map(\.path) == ["/trip"])
        try await converge(alice, laptop, phone)
        #expect(
            try laptop.paths() == ["/trip/", "/trip/days/", "/trip/days/one.md", "/trip/plan.md"]
        )
        #expect(try await laptop.text("/trip/days/one.md") == "rain")
        #expect(try laptop.lockbook.trash().map(\.path) == ["/trip/old.md"])
    }

    @Test func `what was edited before its folder was deleted comes back with that, edited`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["trip/": "", "trip/plan.md": "by train", "trip/map.md": "north"]
        )
        try laptop.write("/trip/plan.md", "by boat")
        try laptop.delete("/trip")
        // The phone does not know yet.
        try phone.write("/trip/food.md", "bread")
        try await laptop.sync()
        try await phone.sync()
        try await laptop.sync()
        #expect(try laptop.lockbook.trash().map(\.path) == ["/trip"])

        _ = try laptop.lockbook.restore([FileReference("/trip")])
        try await converge(alice, laptop, phone)
        #expect(
            try phone.paths() == ["/trip/", "/trip/food.md", "/trip/map.md", "/trip/plan.md"]
        )
        #expect(try await phone.text("/trip/plan.md") == "by boat")
        #expect(try await phone.text("/trip/food.md") == "bread")
    }

    @Test func `one that came with a folder can be restored without it, or after it by any order`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: [:])
        try laptop.write("/trip/plan.md", "by train")
        try laptop.write("/trip/map.md", "north")
        try laptop.delete("/trip")
        try await laptop.sync()
        let alone = try laptop.lockbook.restore([FileReference("/trip/map.md")])
        #expect(alone.map(\.path) == ["/map.md"])
        let rest = try laptop.lockbook.restore([
            FileReference("/trip/plan.md"), FileReference("/trip"),
        ])
        #expect(rest.map(\.path) == ["/trip/plan.md", "/trip"])
        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/map.md", "/trip/", "/trip/plan.md"])
    }

    @Test func `undo takes the deletion back after a sync, and again`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: [:])
        try laptop.write("/trip/plan.md", "by train")
        let before = try laptop.paths()
        try laptop.delete("/trip")
        try await laptop.sync()
        _ = try laptop.lockbook.undo()
        #expect(try laptop.paths() == before)
        _ = try laptop.lockbook.undo()
        #expect(try laptop.paths() == [])
        #expect(try laptop.lockbook.trash().map(\.path) == ["/trip"])
        _ = try laptop.lockbook.undo()
        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == before)
    }

    /// The folder comes back without a note that somebody meant to delete.
    @Test func `what a device deleted itself stays deleted when another one wrote it`() async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["trip/": "", "trip/plan.md": "by train"]
        )
        try phone.delete("/trip/plan.md")
        try laptop.write("/trip/plan.md", "by boat")
        try laptop.delete("/trip")
        try await laptop.sync()
        try await phone.sync()
        _ = try phone.lockbook.restore([FileReference("/trip")])
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/trip/"])
        #expect(try laptop.lockbook.trash().map(\.path) == ["/trip/plan.md"])
    }

    /// What nobody wrote to is rescued by the move alone, and so is what was written.
    @Test(arguments: [true, false])
    func `a move out of a folder that was deleted elsewhere rescues what was written there too`(
        isDeletedFirst: Bool
    ) async throws {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["trip/": "", "trip/plan.md": "by train\n\nnorth\n", "trip/map.md": "east"]
        )
        try laptop.write("/trip/plan.md", "by boat\n\nnorth\n")
        try laptop.write("/trip/map.md", "west")
        try laptop.delete("/trip")
        try phone.move("/trip/plan.md", to: "/plan.md")
        try phone.write("/plan.md", "by train\n\nsouth\n")
        let (first, second) = isDeletedFirst ? (laptop, phone) : (phone, laptop)
        try await first.sync()
        try await second.sync()
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/plan.md"])
        #expect(try await laptop.text("/plan.md") == "by boat\n\nsouth\n")
        #expect(try laptop.lockbook.trash().map(\.path) == ["/trip"])

        // It does not come back a second time with the folder.
        _ = try phone.lockbook.restore([FileReference("/trip")])
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/plan.md", "/trip/", "/trip/map.md"])
        #expect(try await laptop.text("/trip/map.md") == "west")
    }

    @Test(arguments: [true, false], [true, false])
    func `what was written in a folder lives where that was moved before the one around it died`(
        isDeletedFirst: Bool,
        isWrittenThere: Bool
    ) async throws {
        let (laptop, phone) = try await alice.twoDevices(
            holding: [
                "p/": "", "p/q/": "", "p/q/r.md": "one\n\ntwo\n", "p/q/same.md": "same",
                "p/q/gone.md": "gone", "p/stays.md": "stays",
            ]
        )
        try laptop.write("/p/q/r.md", "one\n\nlaptop\n")
        try laptop.write("/p/q/deep/new.md", "new")
        try laptop.write("/p/stays.md", "written")
        try laptop.write("/p/q/gone.md", "written and deleted")
        try laptop.delete("/p/q/gone.md")
        try laptop.delete("/p")
        try phone.move("/p/q", to: "/qq")
        if isWrittenThere { try phone.write("/qq/r.md", "phone\n\ntwo\n") }
        let (first, second) = isDeletedFirst ? (laptop, phone) : (phone, laptop)
        try await first.sync()
        try await second.sync()
        try await converge(alice, laptop, phone)
        #expect(
            try laptop.paths()
                == ["/qq/", "/qq/deep/", "/qq/deep/new.md", "/qq/r.md", "/qq/same.md"]
        )
        #expect(
            try await laptop.text("/qq/r.md")
                == (isWrittenThere ? "phone\n\nlaptop\n" : "one\n\nlaptop\n")
        )
        #expect(try laptop.lockbook.trash().map(\.path).sorted() == ["/p", "/qq/gone.md"])

        _ = try phone.lockbook.restore([FileReference("/p")])
        try await converge(alice, laptop, phone)
        #expect(try await laptop.text("/p/stays.md") == "written")
        #expect(try !laptop.paths().contains("/qq/gone.md"))
    }
}
