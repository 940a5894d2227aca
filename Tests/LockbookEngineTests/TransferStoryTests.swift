import LockbookEngine
import LockbookTestSupport
import Testing

/// Stories of shares that go from one owner to another.
struct TransferStoryTests {
    let server: TestServer
    let ada: Person
    let bob: Person
    let eve: Person
    let laptop: Device
    let desk: Device
    let tablet: Device

    /// Ada shares a folder with bob, who may write, and with eve, who may too; both have links under
    /// names of their own.
    init() async throws {
        server = try TestServer()
        ada = Person("ada", on: server)
        bob = Person("bob", on: server)
        eve = Person("eve", on: server)
        laptop = try await ada.firstDevice()
        desk = try await bob.firstDevice(named: "desk")
        tablet = try await eve.firstDevice(named: "tablet")
        try laptop.write("/work/team/plan.md", "plan")
        try laptop.write("/work/team/deep/note.md", "deep")
        try laptop.write("/work/secret.md", "secret")
        try await laptop.sync()
        for name in ["bob", "eve"] {
            _ = try await laptop.lockbook.share(.path("/work/team"), with: name, mode: .write)
        }
        try await laptop.sync()
        _ = try tablet.lockbook.create(path: "/from others/")
        for (device, place) in [(desk, "/ours"), (tablet, "/from others/team of ada")] {
            try await device.sync()
            let offer = try #require(try device.lockbook.offers().first)
            _ = try device.lockbook.acceptShare(id: offer.id, to: place)
            try await device.sync()
        }
    }

    func give(_ path: String = "/work/team") async throws {
        _ = try laptop.lockbook.transfer(.path(path), to: "bob")
        try await laptop.sync()
        try await desk.sync()
    }

    @discardableResult
    func take(_ device: Device? = nil) async throws -> FileInfo {
        let device = device ?? desk
        let offer = try #require(try device.lockbook.offers().first)
        #expect(offer.transfer)
        return try await device.lockbook.accept(id: offer.id)
    }

    func sync(_ devices: Device..., times: Int = 2) async throws {
        for _ in 0..<times { for device in devices { try await device.syncAsForetold() } }
    }

    func isAgreed(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await sync(laptop, desk, tablet)
        for device in [laptop, desk, tablet] {
            #expect(try device.lockbook.validate() == [], sourceLocation: sourceLocation)
            #expect(try device.lockbook.status().changes == [], sourceLocation: sourceLocation)
            let report = try await device.sync()
            #expect(report.pulled.isEmpty && report.pushed.isEmpty, sourceLocation: sourceLocation)
            #expect(report.traffic.requests == 1, sourceLocation: sourceLocation)
        }
    }

    @Test func `a folder of the copy that does not open keeps nothing from being brought over`()
        async throws
    {
        try await give()
        let taken = try await take()
        try await desk.sync()
        try laptop.write("/work/team/deep/note.md", "changed meanwhile")
        try await Intruder(owner: desk, of: taken.path).write(.wrappedKey, over: "deep")

        let report = try await laptop.sync()
        #expect(report.notes.contains { $0.kind == .transferred })
        #expect(try await laptop.text("/work/team/deep-1/note.md") == "changed meanwhile")
        #expect(try await laptop.text("/work/team/plan.md") == "plan")
        #expect(try await laptop.sync().notes.isEmpty)
    }

    @Test func `a share has another owner, and every link leads to it under its name`() async throws
    {
        try await give()
        let offer = try #require(try desk.lockbook.offers().first)
        #expect(offer.transfer && offer.from == "ada" && offer.name == "team")
        #expect(try tablet.lockbook.offers().isEmpty)
        #expect(try laptop.lockbook.shares().map(\.transfer) == [true, nil])

        let made = try await take()
        #expect(made.path == "/ours" && made.type == .folder)
        #expect(try desk.lockbook.offers().isEmpty)
        try await sync(desk, tablet, times: 1)
        // Ada has not seen it yet: eve's link stays, and the copy is no offer.
        #expect(try await tablet.text("/from others/team of ada/plan.md") == "plan")
        #expect(try tablet.lockbook.offers().isEmpty)
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.transferred])
        #expect(report.notes.first?.path == "/work/team" && report.notes.first?.detail == "bob")
        let eves = try await tablet.sync()
        #expect(eves.notes.map(\.kind) == [.transferred])
        #expect(eves.notes.first?.path == "/from others/team of ada")
        #expect(eves.notes.first?.detail == "bob")

        try await isAgreed()
        #expect(
            try desk.paths() == ["/ours/", "/ours/deep/", "/ours/deep/note.md", "/ours/plan.md"]
        )
        #expect(
            try tablet.paths() == [
                "/from others/", "/from others/team of ada", "/from others/team of ada/deep/",
                "/from others/team of ada/deep/note.md", "/from others/team of ada/plan.md",
            ]
        )
        #expect(
            try laptop.paths() == [
                "/work/", "/work/secret.md", "/work/team", "/work/team/deep/",
                "/work/team/deep/note.md", "/work/team/plan.md",
            ]
        )
        let shares = try desk.lockbook.shares()
        #expect(shares.map(\.username) == ["ada", "eve"])
        #expect(shares.map(\.mode) == [.admin, .write])
        try tablet.write("/from others/team of ada/plan.md", "by eve")
        try laptop.write("/work/team/new.md", "by ada")
        try await isAgreed()
        #expect(try await desk.text("/ours/plan.md") == "by eve")
        #expect(try await desk.text("/ours/new.md") == "by ada")
        // The original waits in the trash, and comes back as a folder of ada's alone.
        _ = try laptop.lockbook.restore([.path("/work/team")])
        try await isAgreed()
        #expect(try await laptop.text("/work/team-1/plan.md") == "plan")
        #expect(try laptop.lockbook.shares().isEmpty)
    }

    @Test func `what is written in the old share until then is in the new one`() async throws {
        try await give()
        try await take()
        try await desk.sync()
        // All of them go on writing, in the old one and in the new one.
        try tablet.write("/from others/team of ada/plan.md", "plan, and eve")
        try tablet.write("/from others/team of ada/deep/eve.md", "new")
        try await tablet.sync()
        try laptop.write("/work/team/deep/note.md", "deep, and ada")
        try laptop.write("/work/team/ada/own.md", "ada's")
        try desk.write("/ours/deep/note.md", "deep, and bob")
        try await desk.sync()
        let report = try await laptop.sync()

        #expect(report.notes.map(\.kind).contains(.keptBoth))
        let undecided = try laptop.lockbook.conflicts().filter { $0.kind == .keptBoth }
        #expect(undecided.contains { $0.path.hasSuffix("/deep/note-1.md") })
        try await isAgreed()
        #expect(try await desk.text("/ours/plan.md") == "plan, and eve")
        #expect(try await desk.text("/ours/deep/eve.md") == "new")
        #expect(try await desk.text("/ours/ada/own.md") == "ada's")
        #expect(try await desk.text("/ours/deep/note.md") == "deep, and bob")
        #expect(try await desk.text("/ours/deep/note-1.md") == "deep, and ada")
        #expect(try await tablet.text("/from others/team of ada/deep/note-1.md") == "deep, and ada")
    }

    @Test func `a single document is given, with what both sides wrote meanwhile`() async throws {
        try laptop.write("/list.md", "one")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/list.md"), with: "bob", mode: .read)
        try await laptop.sync()
        try await give("/list.md")
        let made = try await take()
        #expect(made.path == "/list.md" && made.type == .document)
        try await desk.sync()
        try laptop.write("/list.md", "one and ada")
        try desk.write("/list.md", "one and bob")
        try await desk.sync()
        let report = try await laptop.sync()

        #expect(Set(report.notes.map(\.kind)) == [.keptOwn, .transferred])
        try await isAgreed()
        #expect(try await laptop.text("/list.md") == "one and bob")
        #expect(try await laptop.text("/list-1.md") == "one and ada")
    }

    @Test func `what cannot be given is refused, and nothing is changed`() async throws {
        let before = try await laptop.snapshot()
        func refused(_ path: String, _ name: String, _ reason: String) {
            #expect(throws: LockbookError.badTransfer(path: path, reason: reason)) {
                try laptop.lockbook.transfer(.path(path), to: name)
            }
        }
        refused("/work/team", "ada", "that is this account itself")
        #expect(throws: LockbookError.notShared(path: "/work/team", username: "zoe")) {
            try laptop.lockbook.transfer(.path("/work/team"), to: "zoe")
        }
        #expect(throws: LockbookError.notShared(path: "/work/secret.md", username: "bob")) {
            try laptop.lockbook.transfer(.path("/work/secret.md"), to: "bob")
        }
        #expect(throws: LockbookError.ownersToChange(path: "/ours")) {
            try desk.lockbook.transfer(.path("/ours"), to: "eve")
        }
        #expect(throws: LockbookError.root) {
            try laptop.lockbook.transfer(.path("/"), to: "bob")
        }
        #expect(try laptop.lockbook.status().changes == [])
        _ = try await laptop.lockbook.share(.path("/work/team/deep"), with: "bob", mode: .read)
        try await laptop.sync()
        refused("/work/team/deep", "bob", "it stands in another share, /work/team")
        try laptop.lockbook.setShare(.path("/work/team/deep"), of: "bob", to: nil)
        try await laptop.sync()
        _ = try laptop.lockbook.transfer(.path("/work/team"), to: "bob")
        refused(
            "/work/team",
            "eve",
            "it is offered to bob already; `share transfer --cancel` takes that back"
        )
        #expect(try await laptop.snapshot() == before)
    }
}
