import LockbookEngine
import LockbookTestSupport
import Testing

/// Places with markers by whose versions they are: of this device, of others, of its editor, of nobody.
struct ConflictOfOthersTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `a conflict of two other devices has no local side here`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        let tablet = try await alice.device(named: "tablet", like: laptop)
        try laptop.write("/a.md", "word\n")
        try laptop.write("/git.md", "word\n")
        for device in [laptop, phone, tablet] { try await device.sync() }
        try laptop.write("/a.md", "left\n")
        try laptop.write("/git.md", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n")
        try phone.write("/a.md", "right\n")
        for device in [laptop, phone, tablet] { try await device.sync() }
        #expect(try tablet.lockbook.conflicts().map(\.path) == ["/a.md"])
        #expect(throws: LockbookError.neitherSide(path: "/a.md")) {
            try tablet.lockbook.resolve(.path("/a.md"), keeping: .local)
        }
        #expect(try await tablet.text("/a.md") == phone.text("/a.md"))
        #expect(try tablet.lockbook.resolve(.path("/a.md"), keeping: .both).path == "/a.md")
        #expect(try await tablet.text("/a.md") == "right\nleft\n")
    }

    @Test func `keeping the other side keeps all that stands in it`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        let tablet = try await alice.device(named: "tablet", like: laptop)
        try laptop.write("/a.md", "word\n")
        for device in [laptop, phone, tablet] { try await device.sync() }
        try laptop.write("/a.md", "left\n")
        try phone.write("/a.md", "right\n")
        try tablet.write("/a.md", "middle\n")
        for device in [laptop, phone, tablet] { try await device.sync() }
        let inner = try await phone.text("/a.md")
        #expect(try tablet.lockbook.resolve(.path("/a.md"), keeping: .remote).path == "/a.md")
        #expect(try await tablet.text("/a.md") == inner)
        #expect(try tablet.lockbook.conflicts().map(\.path) == ["/a.md"])
        // What is left is between the two others.
        #expect(throws: LockbookError.neitherSide(path: "/a.md")) {
            try tablet.lockbook.resolve(.path("/a.md"), keeping: .local)
        }
        #expect(try await tablet.text("/a.md") == inner)
    }

    @Test func `beside a place of two others the one of this device is decided alone`() async throws
    {
        let (laptop, phone) = try await alice.twoDevices()
        let tablet = try await alice.device(named: "tablet", like: laptop)
        let between = "\n\nbetween\n\n\n"
        try laptop.write("/a.md", "top\n\(between)end\n")
        for device in [laptop, phone, tablet] { try await device.sync() }
        try laptop.write("/a.md", "laptop\n\(between)end\n")
        try phone.write("/a.md", "phone\n\(between)phone end\n")
        try tablet.write("/a.md", "top\n\(between)tablet end\n")
        for device in [laptop, phone, tablet] { try await device.sync() }
        let theirs = """
            <<<<<<< alice on phone
            phone
            =======
            laptop
            >>>>>>> alice on laptop

            """
        let resolved = try tablet.lockbook.resolve(.path("/a.md"), keeping: .local)
        #expect(resolved.path == "/a.md")
        #expect(resolved.placesLeft == 1)
        #expect(try await tablet.text("/a.md") == "\(theirs)\(between)tablet end\n")
        #expect(try tablet.lockbook.conflicts().map(\.path) == ["/a.md"])
        try await tablet.sync()
        try await phone.sync()
        #expect(try phone.lockbook.resolve(.path("/a.md"), keeping: .remote).placesLeft == 0)
        #expect(try await phone.text("/a.md") == "laptop\n\(between)tablet end\n")
        try await converge(alice, laptop, phone, tablet)
    }

    @Test(arguments: [(KeptSide.local, "edited\n"), (.remote, "stored\n")])
    func `what was in the editor is local, and listed on every device`(
        side: KeptSide,
        expected: String
    ) async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n"])
        var session = try await laptop.lockbook.beginEdit(.path("/a.md"))
        try laptop.write("/a.md", "stored\n")
        let result = try laptop.lockbook.save(&session, bytes: Array("edited\n".utf8))
        #expect(result == .merged(conflicts: 1))
        try await laptop.sync()
        try await phone.sync()
        #expect(try phone.lockbook.conflicts().map(\.path) == ["/a.md"])
        #expect(throws: LockbookError.neitherSide(path: "/a.md")) {
            try phone.lockbook.resolve(.path("/a.md"), keeping: side)
        }
        _ = try laptop.lockbook.resolve(.path("/a.md"), keeping: side)
        #expect(try await laptop.text("/a.md") == expected)
        try await converge(alice, laptop, phone)
    }

    /// The words of the one that had them in the editor, and of the other one, by what each is called.
    @Test(arguments: [true, false])
    func `where devices have one name, the words of each are told apart`(isEdited: Bool)
        async throws
    {
        let (laptop, first) = try await alice.twoDevices(holding: ["a.md": "word\n"])
        let twin = try await alice.device(named: "laptop", like: laptop)
        try await first.sync()
        if isEdited {
            var session = try await laptop.lockbook.beginEdit(.path("/a.md"))
            try twin.write("/a.md", "twin\n")
            try await twin.sync()
            try await laptop.sync()
            let result = try laptop.lockbook.save(&session, bytes: Array("laptop\n".utf8))
            #expect(result == .merged(conflicts: 1))
        } else {
            try laptop.write("/a.md", "laptop\n")
            try twin.write("/a.md", "twin\n")
            try await twin.sync()
        }
        for device in [laptop, twin, first] { try await device.sync() }
        #expect(throws: LockbookError.neitherSide(path: "/a.md")) {
            try first.lockbook.resolve(.path("/a.md"), keeping: .local)
        }
        let marked = try await laptop.text("/a.md")
        _ = try laptop.lockbook.resolve(.path("/a.md"), keeping: .local)
        #expect(try await laptop.text("/a.md") == "laptop\n")
        #expect(try await twin.text("/a.md") == marked)
        _ = try twin.lockbook.resolve(.path("/a.md"), keeping: .local)
        #expect(try await twin.text("/a.md") == "twin\n")
    }

    @Test func `where a copied data directory has one id, neither side is taken for the local one`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n"])
        let copy = try laptop.twin()
        try laptop.write("/a.md", "laptop\n")
        try copy.write("/a.md", "copy\n")
        for device in [laptop, copy, laptop, phone] { try await device.sync() }
        let marked = try await laptop.text("/a.md")
        for device in [laptop, copy] {
            for side in [KeptSide.local, .remote] {
                #expect(throws: LockbookError.sameWriter(path: "/a.md")) {
                    try device.lockbook.resolve(.path("/a.md"), keeping: side)
                }
            }
            #expect(try await device.text("/a.md") == marked)
            #expect(try device.lockbook.conflicts().map(\.path) == ["/a.md"])
        }
        #expect(throws: LockbookError.neitherSide(path: "/a.md")) {
            try phone.lockbook.resolve(.path("/a.md"), keeping: .local)
        }
        #expect(try laptop.lockbook.resolve(.path("/a.md"), keeping: .both).path == "/a.md")
        #expect(try await laptop.text("/a.md") == "copy\nlaptop\n")
    }

    /// Somebody edited them.
    @Test(
        arguments: [
            ("alice on phone", "alice on laptop", LockbookError.sameWriter(path: "/a.md")),
            ("alice on phone", "alice in the editor on laptop", .sameWriter(path: "/a.md")),
            ("alice on laptop", "alice on lap", .neitherSide(path: "/a.md")),
        ]
    )
    func `markers that do not tell which side is of this device decide nothing`(
        name: String,
        other: String,
        failure: LockbookError
    ) async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n"])
        try laptop.write("/a.md", "left\n")
        try phone.write("/a.md", "right\n")
        for device in [phone, laptop] { try await device.sync() }
        let edited = try await laptop.text("/a.md").replacing(name, with: other)
        #expect(edited.contains(other))
        try laptop.write("/a.md", edited)
        for side in [KeptSide.local, .remote] {
            #expect(throws: failure) {
                try laptop.lockbook.resolve(.path("/a.md"), keeping: side)
            }
        }
        #expect(try await laptop.text("/a.md") == edited)
    }

    @Test(arguments: [KeptSide.local, .remote, .both])
    func `a text about markers stays as it is`(side: KeptSide) async throws {
        let sample = "\n\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n"
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n" + sample])
        try laptop.write("/a.md", "left\n" + sample)
        try phone.write("/a.md", "right\n" + sample)
        for device in [laptop, phone, laptop] { try await device.sync() }
        #expect(try laptop.lockbook.conflicts().map(\.path) == ["/a.md"])
        _ = try laptop.lockbook.resolve(.path("/a.md"), keeping: side)
        let kept = [KeptSide.local: "left\n", .remote: "right\n", .both: "right\nleft\n"]
        #expect(try await laptop.text("/a.md") == (kept[side] ?? "") + sample)
        #expect(try laptop.lockbook.conflicts() == [])
        try await converge(alice, laptop, phone)
        #expect(try phone.lockbook.conflicts() == [])
    }

    @Test func `what was decided long ago does not hide what another device leaves`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n"])
        try laptop.delete("/a.md")
        try phone.write("/a.md", "words\n")
        try await laptop.sync()
        try await phone.sync()
        #expect(try phone.lockbook.conflicts().map(\.kind) == [.trashed])
        _ = try phone.lockbook.resolve(.path("/a.md"), keeping: .local)
        try await converge(alice, laptop, phone)
        try phone.write("/a.md", "right\n")
        try laptop.write("/a.md", "left\n")
        for device in [phone, laptop, phone] { try await device.sync() }
        #expect(try phone.lockbook.conflicts().map(\.kind) == [.markers])
    }

    @Test func `a content that does not open keeps no other conflict from being listed`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["a.md": "word\n", "b.md": "word\n", "large": noise(700_000, seed: 5)]
        )
        for name in ["/a.md", "/b.md"] {
            try laptop.write(name, "left\n")
            try phone.write(name, "right\n")
        }
        for device in [laptop, phone] { try await device.sync() }
        let marked = try await phone.text("/b.md")
        try phone.spoilContents()
        try phone.write("/b.md", marked + "more\n")
        #expect(try phone.lockbook.conflicts().map(\.path) == ["/b.md"])
        #expect(try phone.lockbook.status().conflicts == 1)
    }
}

/// The same where the other one is somebody else.
struct ConflictWithMemberTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `an editor's conflict names the member who wrote the other version`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md"])
        var session = try await laptop.lockbook.beginEdit(.path("/team/plan.md"))
        try desk.write("/team/plan.md", "of bob\n")
        try await desk.sync()
        try await laptop.sync()
        let result = try laptop.lockbook.save(&session, bytes: Array("of ada\n".utf8))
        #expect(result == .merged(conflicts: 1))
        #expect(
            try await laptop.text("/team/plan.md")
                == """
                <<<<<<< ada in the editor on laptop
                of ada
                =======
                of bob
                >>>>>>> bob on desk

                """
        )
        try await laptop.sync()
        try await desk.sync()
        _ = try desk.lockbook.resolve(.path("/team/plan.md"), keeping: .local)
        #expect(try await desk.text("/team/plan.md") == "of bob\n")
    }
}
