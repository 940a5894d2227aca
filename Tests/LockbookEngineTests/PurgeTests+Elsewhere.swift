import LockbookEngine
import LockbookTestSupport
import Testing

/// What is purged while another device does something with it.
extension PurgeTests {
    /// In either order of the syncs.
    @Test(arguments: [true, false])
    func `what another device took out of a purged folder lives`(purgeIsFirst: Bool) async throws {
        let (laptop, phone) = try await alice.twoDevices(
            holding: [
                "trip/plan.md": "by train", "trip/in/a.md": "a", "trip/in/b.md": "b",
                "trip/in/c.md": "c",
            ]
        )
        _ = try laptop.lockbook.purge([FileReference("/trip")])
        try phone.move("/trip/plan.md", to: "/plan.md")
        try phone.move("/trip/in", to: "/out")
        try phone.delete("/out/b.md")
        try phone.write("/out/c.md", "written since")
        for device in purgeIsFirst ? [laptop, phone] : [phone, laptop] { try await device.sync() }
        for _ in 0..<2 {
            try await laptop.sync()
            try await phone.sync()
        }
        for device in [laptop, phone] {
            #expect(try device.paths() == ["/out/", "/out/a.md", "/out/c.md", "/plan.md"])
            #expect(try await device.text("/plan.md") == "by train")
            #expect(try await device.text("/out/c.md") == "written since")
        }
        try await converge(alice, laptop, phone)
    }

    @Test func `what was written on another device meanwhile is not purged but stays in the trash`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["f/": "", "f/a.md": "old", "f/b.md": "b", "c.md": "c"]
        )
        try phone.write("/f/a.md", "new")
        try phone.write("/f/more.md", "more")
        try phone.delete("/c.md")
        try await phone.sync()
        _ = try laptop.lockbook.purge([FileReference("/f"), FileReference("/c.md")])
        let report = try await laptop.sync()
        #expect(report.purged == ["/c.md", "/f/b.md"])
        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == [])
        #expect(try phone.lockbook.trash().map(\.path).contains("/f"))
        _ = try phone.lockbook.restore([FileReference("/f")])
        for file in try phone.lockbook.trash() {
            _ = try phone.lockbook.restore([FileReference("id:\(file.id)")])
        }
        #expect(try await phone.text("/f/a.md") == "new")
        #expect(try await phone.text("/f/more.md") == "more")
    }

    @Test func `what is purged elsewhere and was renamed here is told, and so is what was live`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["f/a.md": "a", "f/b.md": "b", "c.md": "c", "d.md": "d"]
        )
        try phone.move("/c.md", to: "/f/")
        _ = try phone.lockbook.rename(.path("/d.md"), to: "important.md")
        _ = try laptop.lockbook.purge(["/f", "/c.md", "/d.md"].map { FileReference($0) })
        try await laptop.sync()
        let report = try await phone.sync()
        #expect(report.notes.filter { $0.kind == .purged }.map(\.path).contains("/important.md"))
        #expect(report.notes.allSatisfy { $0.kind == .purged })
        #expect(report.deleted.contains("/f"))
        #expect(!report.deleted.contains("/important.md"))
        #expect(try phone.paths() == [])
        // What this device purged itself is no news for it.
        try laptop.write("/e.md", "e")
        try await laptop.sync()
        _ = try laptop.lockbook.purge([FileReference("/e.md")])
        #expect(try await laptop.sync().deleted == [])
    }

    @Test(arguments: [false, true])
    func `what another device moved out of what is purged lives`(isAnswerLost: Bool) async throws {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["f/in/a.md": "a", "f/b.md": "b"]
        )
        try phone.move("/f/in", to: "/")
        try await phone.sync()
        #expect(try laptop.lockbook.purge([FileReference("/f")]) == 4)
        if isAnswerLost {
            laptop.faults.next("/v1/push", .answerLost)
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
        }
        // Between two syncs somebody writes into it.
        if isAnswerLost { try laptop.write("/in/deep/c.md", "c") }
        try await laptop.sync()
        #expect(try laptop.paths().starts(with: ["/in/", "/in/a.md"]))
        #expect(try await laptop.text("/in/a.md") == "a")
        try await converge(alice, laptop, phone)
        #expect(try phone.lockbook.trash() == [])
        if isAnswerLost { #expect(try await phone.text("/in/deep/c.md") == "c") }
    }

    @Test func `what was written here of what is purged elsewhere is a new file in the trash`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["f/": "", "f/a.md": "old", "f/b.md": "b"]
        )
        _ = try laptop.lockbook.purge([FileReference("/f")])
        try await laptop.sync()
        try phone.write("/f/a.md", "new words")
        try phone.write("/f/more.md", "more words")
        let report = try await phone.sync()
        #expect(report.notes.map(\.kind).contains(.rescued))
        try await converge(alice, laptop, phone)
        let trash = try laptop.lockbook.trash()
        #expect(trash.map(\.path) == ["/a.md"])
        _ = try laptop.lockbook.restore([FileReference("/a.md")])
        #expect(try await laptop.text("/a.md") == "new words")
        #expect(try await laptop.text("/more.md") == "more words")
        try await converge(alice, laptop, phone)
    }

    @Test func `what was restored here while it was purged elsewhere lives on as new files`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["f/": "", "f/sub/": "", "f/sub/a.md": "a", "f/b.md": "b"]
        )
        try laptop.delete("/f")
        try await laptop.sync()
        try await phone.sync()
        _ = try laptop.lockbook.emptyTrash()
        _ = try phone.lockbook.restore([FileReference("/f")])
        try await laptop.sync()
        try await phone.sync()
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/f/", "/f/b.md", "/f/sub/", "/f/sub/a.md"])
        #expect(try await laptop.text("/f/sub/a.md") == "a")
    }

    @Test func `who restores first keeps it`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "a"])
        try laptop.delete("/a.md")
        try await laptop.sync()
        try await phone.sync()
        _ = try phone.lockbook.restore([FileReference("/a.md")])
        try await phone.sync()
        _ = try laptop.lockbook.emptyTrash()
        try await converge(alice, laptop, phone)
        #expect(try await laptop.text("/a.md") == "a")
    }

    @Test func `an answer that was lost, and two devices that purge the same`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "a", "b.md": "b"])
        _ = try laptop.lockbook.purge([FileReference("/a.md")])
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        _ = try phone.lockbook.purge([FileReference("/a.md"), FileReference("/b.md")])
        try await phone.sync()
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == [])
        #expect(try laptop.lockbook.trash() == [] && phone.lockbook.trash() == [])
    }
}
