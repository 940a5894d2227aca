import LockbookEngine
import LockbookTestSupport
import Testing

/// What one side deleted or purged, and the other one changed.
extension ConflictTests {
    /// A phone that merged its own words with those that the laptop wrote before it deleted the note.
    func editedAndDeleted() async throws -> (Device, Device) {
        let (laptop, phone) = try await alice.twoDevices()
        try laptop.write("/a.md", "word\n")
        try await laptop.sync()
        try await phone.sync()
        try laptop.write("/a.md", "left\n")
        try laptop.delete("/a.md")
        try await laptop.sync()
        try phone.write("/a.md", "right\n")
        try await phone.sync()
        return (laptop, phone)
    }

    @Test(arguments: [(KeptSide.local, "right\n"), (.both, "right\nleft\n")])
    func `what was edited, too, before it was deleted is decided with that`(
        side: KeptSide,
        expected: String
    ) async throws {
        let (laptop, phone) = try await editedAndDeleted()
        #expect(try phone.lockbook.conflicts().map(\.kind) == [.trashed])

        #expect(try phone.lockbook.resolve(.path("/a.md"), keeping: side).path == "/a.md")

        #expect(try await phone.text("/a.md") == expected)
        #expect(try phone.lockbook.conflicts() == [])
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [true, false])
    func `what is left in the trash with markers is to be decided when it comes back`(
        whereItWasDecided: Bool
    ) async throws {
        let (laptop, phone) = try await editedAndDeleted()
        try await laptop.sync()
        #expect(try phone.lockbook.resolve(.path("/a.md"), keeping: .remote).path == nil)
        for device in [phone, laptop] { try await device.sync() }
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts() == []) }

        let (first, second) = whereItWasDecided ? (phone, laptop) : (laptop, phone)
        _ = try first.lockbook.restore([.path("/a.md")])

        // Of what is in the trash the laptop has not fetched what the phone made of it.
        let seen = try first.lockbook.conflicts().map(\.kind)
        #expect(seen == (whereItWasDecided ? [.markers] : []))
        for device in [first, second] {
            try await device.sync()
            #expect(try device.lockbook.conflicts().map(\.kind) == [.markers])
        }
    }

    @Test func `what an editor saves anew with markers is to be decided still`() async throws {
        let (laptop, phone) = try await merged(
            "/a.md",
            "word\n",
            laptop: "left\n",
            phone: "right\n"
        )
        try await laptop.sync()
        var session = try await phone.lockbook.beginEdit(.path("/a.md"))
        let edited = session.bytes + Array("more\n".utf8)
        try laptop.delete("/a.md")
        try await laptop.sync()
        try await phone.sync()

        #expect(try phone.lockbook.save(&session, bytes: edited) == .savedAnew)

        for device in [phone, laptop] {
            try await device.sync()
            #expect(try device.lockbook.conflicts().map(\.kind) == [.markers])
        }
    }

    @Test(arguments: [false, true])
    func `an editor that ends after its note was deleted is told so`(
        withItsFolder: Bool
    ) async throws {
        let (laptop, _) = try await alice.twoDevices()
        try laptop.write("/n/a.md", "word\n")
        var session = try await laptop.lockbook.beginEdit(.path("/n/a.md"))
        #expect(try laptop.lockbook.save(&session, bytes: Array("more\n".utf8)) == .saved)
        #expect(try laptop.lockbook.save(&session, bytes: Array("more\n".utf8)) == .unchanged)

        try laptop.delete(withItsFolder ? "/n" : "/n/a.md")

        let told = EditResult.deleted(path: "/n/a.md")
        #expect(try laptop.lockbook.save(&session, bytes: Array("more\n".utf8)) == told)
        _ = try laptop.lockbook.restore([.path(withItsFolder ? "/n" : "/n/a.md")])
        #expect(try laptop.lockbook.save(&session, bytes: Array("more\n".utf8)) == .unchanged)

        try laptop.delete("/n")
        _ = try laptop.lockbook.emptyTrash([FileReference("/n")])
        let gone = EditResult.deleted(path: nil)
        #expect(try laptop.lockbook.save(&session, bytes: Array("more\n".utf8)) == gone)
    }

    @Test(arguments: [true, false])
    func `undo of a decision about what has markers leaves the sides as they were`(
        isRestored: Bool
    ) async throws {
        let (laptop, _) = try await editedAndDeleted()
        try await laptop.sync()
        if isRestored {
            _ = try laptop.lockbook.restore([.path("/a.md")])
        } else {
            #expect(try laptop.lockbook.resolve(.path("/a.md"), keeping: .local).path == nil)
        }
        _ = try laptop.lockbook.undo()
        #expect(try laptop.lockbook.conflicts().map(\.kind) == [.trashed])
        #expect(try laptop.lockbook.resolve(.path("/a.md"), keeping: .local).path == nil)
    }

    @Test(arguments: [
        (KeptSide.local, true), (.remote, false), (.both, true),
    ])
    func `an edit of what the other side deleted comes out of the trash or stays there`(
        side: KeptSide,
        lives: Bool
    ) async throws {
        let (laptop, phone) = try await merged("/a.md", "word", laptop: nil, phone: "words")
        #expect(try phone.lockbook.conflicts().map(\.kind) == [.trashed])
        #expect(try phone.paths() == [])
        let path = try phone.lockbook.resolve(.path("/a.md"), keeping: side).path
        #expect(path == (lives ? "/a.md" : nil))
        #expect(try phone.lockbook.conflicts() == [])
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == (lives ? ["/a.md"] : []))
        if lives { #expect(try await laptop.text("/a.md") == "words") }
    }

    @Test(arguments: [true, false])
    func `a new name of what the other side deleted is told, and nothing is to be decided`(
        isDeletedFirst: Bool
    ) async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["/a.md": "a", "/f/b.md": "b"])
        let (first, second) = isDeletedFirst ? (laptop, phone) : (phone, laptop)
        try laptop.delete("/a.md")
        try laptop.delete("/f")
        _ = try phone.lockbook.rename(.path("/a.md"), to: "c.md")
        _ = try phone.lockbook.rename(.path("/f"), to: "g")
        try await first.sync()
        let report = try await second.sync()
        #expect(report.notes.count { $0.kind == .deleted } == 2)
        #expect(try second.lockbook.conflicts() == [])
        try await converge(alice, laptop, phone)
        #expect(try laptop.lockbook.conflicts() == [])
        #expect(try phone.lockbook.conflicts() == [])
    }

    @Test func `what was deleted here and edited elsewhere is the other way round`() async throws {
        let (laptop, phone) = try await merged("/a.md", "word", laptop: "words", phone: nil)
        #expect(try phone.lockbook.conflicts().map(\.kind) == [.trashed])
        #expect(try phone.lockbook.resolve(.path("/a.md"), keeping: .remote).path == "/a.md")
        try await converge(alice, laptop, phone)
        #expect(try await laptop.text("/a.md") == "words")
    }

    @Test func `what was purged elsewhere and written here is listed, and comes back`() async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["/d/x.md": "old\n"])
        _ = try laptop.lockbook.purge([.path("/d/x.md")])
        try await laptop.sync()
        try phone.write("/d/x.md", "old\nmore\n")
        let report = try await phone.sync()
        #expect(report.notes.map(\.kind) == [.rescued])
        let conflict = try #require(try phone.lockbook.conflicts().first)
        #expect(conflict.kind == .trashed && conflict.path == "/d/x.md")
        #expect(try phone.lockbook.status().conflicts == 1)
        _ = try phone.lockbook.restore([.id(prefix: report.notes[0].id)])
        #expect(try phone.lockbook.conflicts().isEmpty)
        #expect(try await phone.text("/d/x.md") == "old\nmore\n")
    }

    @Test func `what was made in a folder that was purged elsewhere was moved by nobody`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["/proj/deep/x.md": "x"])
        _ = try laptop.lockbook.purge([.path("/proj")])
        try await laptop.sync()
        try phone.write("/proj/deep/y.md", "y")
        let report = try await phone.sync()
        #expect(report.notes.map(\.kind) == [.folderGone])
        #expect(report.notes.map(\.path) == ["/y.md"])
        try await converge(alice, laptop, phone)
    }
}
