import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A share with others inside of it, which gets another owner.
struct NestedTransferTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let desk: Device
    let tablet: Device
    let phone: Device

    /// Ada shares `/team` with bob, who writes, and dan, who reads.
    ///
    /// She shares `/team/sub` with carol and dan, who may write there. Carol has no more than that, as
    /// `/from ada/part`.
    init() async throws {
        people = try Sharers()
        (laptop, desk, tablet) = try await people.oneDeviceEach(holding: [
            "/team/plan.md": "plan", "/team/sub/note.md": "note", "/team/sub/deep/leaf.md": "leaf",
        ])
        phone = try await Person("dan", on: people.server).firstDevice(named: "phone")
        try await share("/team", .write, laptop, desk)
        try await share("/team", .read, laptop, phone)
        for name in ["carol", "dan"] {
            _ = try await laptop.lockbook.share(.path("/team/sub"), with: name, mode: .write)
        }
        try await laptop.sync()
        for device in [desk, tablet, phone] { try await device.sync() }
        _ = try tablet.lockbook.create(path: "/from ada/")
        let offer = try #require(try tablet.lockbook.offers().first)
        _ = try tablet.lockbook.acceptShare(id: offer.id, to: "/from ada/part")
        try await tablet.sync()
    }

    var devices: [Device] { [laptop, desk, tablet, phone] }

    /// Everybody's syncs until nothing is left to do.
    func settle(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<3 { for device in devices { try await device.syncAsForetold() } }
        for device in devices {
            #expect(try device.lockbook.validate() == [], sourceLocation: sourceLocation)
            #expect(try device.lockbook.status().changes == [], sourceLocation: sourceLocation)
            let report = try await device.sync()
            #expect(report.pulled.isEmpty && report.pushed.isEmpty, sourceLocation: sourceLocation)
            #expect(report.notes.isEmpty, sourceLocation: sourceLocation)
        }
    }

    /// Who may do what in what bob has.
    func members(_ path: String = "/team/sub") throws -> [String] {
        try desk.lockbook.shares(of: .path(path)).map { "\($0.username) \($0.mode)" }
    }

    /// Bob has it all, and carol has the part of it where she had it.
    func isHandedOver(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try laptop.lockbook.status().transfers == nil, sourceLocation: sourceLocation)
        #expect(try laptop.lockbook.shares().isEmpty, sourceLocation: sourceLocation)
        #expect(try members("/team") == ["ada admin", "dan read"], sourceLocation: sourceLocation)
        #expect(
            try tablet.paths() == [
                "/from ada/", "/from ada/part", "/from ada/part/deep/",
                "/from ada/part/deep/leaf.md", "/from ada/part/note.md",
            ],
            sourceLocation: sourceLocation
        )
        for device in [laptop, desk, phone] {
            #expect(
                try device.paths().dropFirst() == [
                    "/team/plan.md", "/team/sub/", "/team/sub/deep/", "/team/sub/deep/leaf.md",
                    "/team/sub/note.md",
                ],
                sourceLocation: sourceLocation
            )
            #expect(try device.lockbook.offers().isEmpty, sourceLocation: sourceLocation)
        }
        try desk.write("/team/sub/note.md", "after it")
        try await settle(sourceLocation)
        #expect(
            try await tablet.text("/from ada/part/note.md") == "after it",
            sourceLocation: sourceLocation
        )
    }

    @Test func `what is shared by itself inside goes along, with those who had it`() async throws {
        try await give(laptop, desk)
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])
        #expect(try desk.lockbook.status().givers == ["ada"])
        #expect(try laptop.lockbook.status().transfers == 1)
        try await tablet.sync()
        #expect(try tablet.lockbook.offers().isEmpty)
        try await take(desk)
        #expect(try desk.lockbook.offers().isEmpty)
        for device in [desk, tablet, phone] { try await device.syncAsForetold() }
        // Ada has not seen it yet: the copies are no offers.
        #expect(try await tablet.text("/from ada/part/note.md") == "note")
        #expect(try tablet.lockbook.offers().isEmpty && phone.lockbook.offers().isEmpty)

        #expect(try await laptop.syncAsForetold().notes.map(\.kind) == [.transferred])
        let carols = try await tablet.syncAsForetold().notes
        #expect(carols.map(\.kind) == [.transferred])
        #expect(carols.map { "\($0.path) \($0.detail)" } == ["/from ada/part bob"])
        let dans = try await phone.syncAsForetold().notes
        #expect(dans.map { "\($0.kind) \($0.path) \($0.detail)" } == ["transferred /team bob"])

        try await settle()
        #expect(try members() == ["carol write", "dan write"])
        try tablet.write("/from ada/part/note.md", "by carol")
        try phone.write("/team/sub/deep/leaf.md", "by dan")
        #expect(throws: LockbookError.readOnly(path: "/team/plan.md")) {
            try phone.write("/team/plan.md", "by dan")
        }
        try await settle()
        #expect(try await desk.text("/team/sub/note.md") == "by carol")
        #expect(try await laptop.text("/team/sub/deep/leaf.md") == "by dan")
        try await isHandedOver()
        // The original comes back as a folder of ada's alone.
        _ = try laptop.lockbook.restore([.path("/team")])
        try await settle()
        #expect(try await laptop.text("/team-1/sub/note.md") == "note")
        #expect(try laptop.lockbook.shares().isEmpty)
    }

    @Test func `the links that somebody has to both lead to what continues each`() async throws {
        // Bob holds a grant on the inner one as well, and dan has a link to it besides.
        _ = try await laptop.lockbook.share(.path("/team/sub"), with: "bob", mode: .read)
        try await laptop.sync()
        let id = try laptop.lockbook.info(.path("/team/sub")).id
        try await phone.sync()
        _ = try phone.lockbook.acceptShare(id: id, to: "/mine")
        for device in devices { try await device.sync() }
        try await give(laptop, desk)
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])
        try await take(desk)
        #expect(try desk.lockbook.offers().isEmpty)
        for device in [desk, laptop] { try await device.syncAsForetold() }
        #expect(try await phone.syncAsForetold().notes.map(\.path).sorted() == ["/mine", "/team"])
        let bobs = try await desk.syncAsForetold().notes
        #expect(bobs.allSatisfy { $0.kind == .transferred && $0.detail == "bob" })
        #expect(bobs.map(\.path).sorted() == ["/team", "/team/sub"])
        try await settle()
        #expect(try members() == ["carol write", "dan write"])
        let tops = try phone.paths().filter { $0.split(separator: "/").count == 1 }
        #expect(tops == ["/mine", "/team"])
        try phone.write("/mine/note.md", "by dan")
        try await settle()
        #expect(try await tablet.text("/from ada/part/note.md") == "by dan")
    }

    @Test func `a document, and what is inside of the inner one, go along too`() async throws {
        _ = try await laptop.lockbook.share(.path("/team/plan.md"), with: "carol", mode: .read)
        _ = try await laptop.lockbook.share(.path("/team/sub/deep"), with: "carol", mode: .admin)
        try await laptop.sync()
        try await tablet.sync()
        let offers = try tablet.lockbook.offers()
        #expect(offers.map(\.name) == ["plan.md"])
        _ = try tablet.lockbook.acceptShare(id: try #require(offers.first?.id))
        try await settle()
        try await give(laptop, desk)
        #expect(try laptop.lockbook.status().transfers == 1)
        try await take(desk)
        try laptop.write("/team/plan.md", "changed meanwhile")
        for device in [desk, laptop] { try await device.syncAsForetold() }
        #expect(
            try await tablet.syncAsForetold().notes.map(\.path).sorted() == [
                "/from ada/part", "/plan.md",
            ]
        )
        try await settle()
        #expect(try await tablet.text("/plan.md") == "changed meanwhile")
        #expect(try members("/team/plan.md") == ["carol read"])
        #expect(try members("/team/sub/deep") == ["carol admin"])
        #expect(try members() == ["carol write", "dan write"])
    }

    @Test func `what was not synced inside is a document of one's own`() async throws {
        try await give(laptop, desk)
        try await take(desk)
        for device in [desk, tablet] { try await device.sync() }
        try tablet.write("/from ada/part/note.md", "not synced")
        try phone.write("/team/sub/deep/leaf.md", "not synced either")
        try await laptop.sync()
        for (device, path) in [(tablet, "/note.md"), (phone, "/leaf.md")] {
            let notes = try await device.syncAsForetold().notes
            #expect(notes.map(\.kind).sorted { "\($0)" < "\($1)" } == [.keptOwn, .transferred])
            #expect(try await device.text(path).hasPrefix("not synced"))
        }
        try await settle()
        #expect(try await tablet.text("/from ada/part/note.md") == "note")
    }

    @Test func `what is written inside until then is in the new one`() async throws {
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        try tablet.write("/from ada/part/note.md", "by carol")
        try tablet.write("/from ada/part/new.md", "new")
        try phone.write("/team/sub/deep/leaf.md", "by dan")
        for device in [tablet, phone] { try await device.sync() }
        try desk.write("/team/sub/deep/leaf.md", "by bob")
        try await desk.sync()
        try await laptop.syncAsForetold()
        try await settle()
        #expect(try await desk.text("/team/sub/note.md") == "by carol")
        #expect(try await desk.text("/team/sub/new.md") == "new")
        #expect(try await tablet.text("/from ada/part/deep/leaf.md") == "by bob")
        #expect(try await tablet.text("/from ada/part/deep/leaf-1.md") == "by dan")
    }
}
