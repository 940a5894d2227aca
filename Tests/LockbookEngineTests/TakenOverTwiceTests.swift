import LockbookEngine
import LockbookTestSupport
import Testing

/// What ada gives to bob is accepted on two of his devices before either knows of the other.
struct TakenOverTwiceTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let desk: Device
    let phone: Device

    init() async throws {
        people = try Sharers()
        laptop = try await people.ada.firstDevice(holding: [
            "/team/plan.md": "plan", "/team/deep/note.md": "note", "/list.md": "list",
        ])
        desk = try await people.bob.firstDevice(named: "desk")
        phone = try await people.bob.device(named: "phone", like: desk)
        try await share(["/team", "/list.md"], .write, laptop, desk)
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        _ = try laptop.lockbook.transfer(.path("/list.md"), to: "bob")
        try await laptop.sync()
        try await desk.sync()
        try await phone.sync()
    }

    private func takeAll(_ device: Device, at places: [String: String] = [:]) async throws {
        for offer in try device.lockbook.offers() {
            _ = try await device.lockbook.accept(id: offer.id, to: places[offer.name])
        }
    }

    private func lines(_ report: SyncReport) -> [String] {
        report.notes.map { "\($0.kind) \($0.path) \($0.detail)" }.sorted()
    }

    private func agree() async throws {
        for _ in 0..<2 {
            for device in [laptop, desk, phone] { try await device.syncAsForetold() }
        }
        #expect(try desk.paths() == phone.paths())
        for device in [laptop, desk, phone] {
            #expect(try device.lockbook.validate() == [])
            #expect(try device.lockbook.status().changes == [])
            #expect(try await device.sync().traffic.requests == 1)
        }
    }

    @Test func `in the place of their links both are one`() async throws {
        try await takeAll(desk)
        try await takeAll(phone)
        try await desk.sync()
        let told = try await lines(phone.syncAsForetold())
        #expect(told == ["folded /team ", "folded /team/deep "])
        try await agree()
        let paths = try phone.paths()
        #expect(
            paths == ["/list.md", "/team/", "/team/deep/", "/team/deep/note.md", "/team/plan.md"]
        )
    }

    @Test func `elsewhere the second goes to the trash, and it is said which one stays`()
        async throws
    {
        try await takeAll(desk, at: ["team": "/first"])
        try await takeAll(phone, at: ["team": "/second", "list.md": "/things.md"])
        try await desk.sync()
        let told = try await lines(phone.syncAsForetold())
        #expect(told == ["secondCopy /second /first", "secondCopy /things.md /list.md"])
        try await agree()
        #expect(
            try phone.paths()
                == ["/first/", "/first/deep/", "/first/deep/note.md", "/first/plan.md", "/list.md"]
        )
        for device in [desk, phone] {
            let trash = try device.lockbook.trash().map(\.path).sorted()
            #expect(trash == ["/second", "/things.md"])
        }
    }

    @Test func `what was sent and not shared yet is the second of what another device shares`()
        async throws
    {
        try await takeAll(desk, at: ["team": "/first"])
        try await takeAll(phone, at: ["team": "/second", "list.md": "/things.md"])
        // The files are there, and what shares them is not.
        desk.faults.before("/v1/push") { [desk] in desk.faults.next("/v1/push", .lost) }
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try await phone.sync()
        #expect(try phone.paths().contains("/first/plan.md"))
        let told = try await lines(desk.sync())
        #expect(told == ["secondCopy /first /second", "secondCopy /list.md /things.md"])
        try await agree()
        #expect(try desk.lockbook.shares().map(\.path).sorted() == ["/second", "/things.md"])
    }

    @Test func `what was written in the second stays, as a file of one's own`() async throws {
        try await takeAll(desk, at: ["team": "/first"])
        try await takeAll(phone, at: ["team": "/second", "list.md": "/things.md"])
        try phone.write("/second/new.md", "new")
        try phone.write("/things.md", "more")
        try await desk.sync()
        let told = try await lines(phone.syncAsForetold())
        #expect(told == ["keptBoth /second /first", "keptBoth /things.md /list.md"])
        try await agree()
        #expect(try await desk.text("/second/new.md") == "new")
        #expect(try await desk.text("/second/plan.md") == "plan")
        #expect(try await desk.text("/things.md") == "more")
        #expect(try await desk.text("/list.md") == "list")
        #expect(try desk.lockbook.shares().map(\.path).sorted() == ["/first", "/list.md"])
    }

    @Test func `what is joined with a file of another device is shared with nobody unasked`()
        async throws
    {
        _ = try desk.lockbook.create(path: "/new/")
        try desk.write("/new/private.md", "private")
        try phone.write("/new/open.md", "open")
        _ = try await phone.lockbook.share(.path("/new"), with: "ada", mode: .read)
        try await desk.sync()
        let told = try await lines(phone.syncAsForetold())
        let left = "ada is not let in, as it was joined with what another device made"
        #expect(told == ["folded /new ", "notDone /new \(left)"])
        try await agree()
        #expect(!(try laptop.lockbook.offers().contains { $0.name == "new" }))
    }

    @Test func `what is shared by both devices with one person is shared`() async throws {
        for device in [desk, phone] {
            _ = try device.lockbook.create(path: "/new/")
            _ = try await device.lockbook.share(.path("/new"), with: "ada", mode: .read)
        }
        try await desk.sync()
        #expect(try await lines(phone.syncAsForetold()) == ["folded /new "])
        try await agree()
        #expect(try laptop.lockbook.offers().contains { $0.name == "new" })
    }
}
