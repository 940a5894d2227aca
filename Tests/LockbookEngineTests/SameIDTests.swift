import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Two owners share with bob what has one id: who makes a file chooses its id.
struct SameIDTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func mould(_ folder: String, as id: FileID, on device: Device) throws {
        _ = try device.lockbook.create(path: folder + "/mould.md")
        try device.lockbook.store.write { tree in
            var file = try tree.file(try #require(try tree.find(path: folder + "/mould.md")))
            (file.id, file.name) = (id, try FileName("same.md"))
            try tree.put(file)
        }
    }

    /// Bob's desk with a folder of each, in which there is a note with the id.
    private func folders(holding id: FileID) async throws -> Device {
        let laptop = try await ada.firstDevice()
        let tablet = try await carol.firstDevice(named: "tablet")
        let desk = try await bob.firstDevice(named: "desk")
        for (device, folder) in [(laptop, "/adas"), (tablet, "/carols")] {
            _ = try device.lockbook.create(path: folder + "/")
            try mould(folder, as: id, on: device)
            try await device.sync()
            try await share(folder, .write, device, desk)
        }
        return desk
    }

    private func requireAmbiguous(_ id: FileID, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("it meant one of them")
        } catch LockbookError.ambiguous(let named, let matches) {
            #expect(named == "id:\(id)")
            #expect(Set(matches) == ["id:\(id)  /adas/same.md", "id:\(id)  /carols/same.md"])
        } catch {
            Issue.record(error)
        }
    }

    /// What ada and carol offer to bob under one id.
    private func offered(_ id: FileID) async throws -> (laptop: Device, desk: Device) {
        let laptop = try await ada.firstDevice()
        let tablet = try await carol.firstDevice(named: "tablet")
        let desk = try await bob.firstDevice(named: "desk")
        for device in [laptop, tablet] {
            try mould("", as: id, on: device)
            try await device.sync()
            _ = try await device.lockbook.share(.path("/same.md"), with: "bob", mode: .write)
            try await device.sync()
        }
        try await desk.sync()
        return (laptop, desk)
    }

    private func desk(_ id: FileID) async throws -> Device {
        let (_, desk) = try await offered(id)
        // The id would mean both.
        for owner in ["ada", "carol"] {
            _ = try desk.lockbook.acceptShare(id: "\(owner)/same.md")
        }
        return desk
    }

    @Test func `a search finds both`() async throws {
        let desk = try await desk(FileID(random: .system))
        let behind = try desk.lockbook.searchPlaces([.path("/")]).behind
        #expect(Set(behind.map(\.reference)).count == 1)
        #expect(Set(behind.map { ObjectIdentifier($0.lockbook.store) }).count == 2)
    }

    @Test(arguments: [32, 12]) func `the id means neither, however much of it is written`(
        digits: Int
    ) async throws {
        let id = FileID(random: .system)
        let desk = try await desk(id)
        let links = try desk.lockbook.store.read { try $0.allLinks() }.map(\.path)
        #expect(links.count == 2)
        let prefix = String("\(id)".prefix(digits))
        do {
            try desk.write("id:\(prefix)", "for one of them")
            Issue.record("it went to one of them")
        } catch LockbookError.ambiguous(let named, let matches) {
            #expect(named == "id:\(prefix)")
            #expect(Set(matches) == Set(links.map { "id:\(id)  \($0)" }))
        }
        for link in links { #expect(try await desk.text(link) == "") }
        let told = try await desk.search("same", in: ["id:\(prefix)"]).nowhere
        guard case .ambiguous? = told.first else {
            Issue.record("a search is told \(told)")
            return
        }
    }

    @Test func `in the trash of both the id means neither, and the path the one`() async throws {
        let id = FileID(random: .system)
        let desk = try await folders(holding: id)
        for folder in ["/adas", "/carols"] { try desk.delete(folder + "/same.md") }
        let reference = FileReference.id(prefix: "\(id)")
        await requireAmbiguous(id) { _ = try desk.lockbook.restore([reference]) }
        await requireAmbiguous(id) { _ = try await desk.lockbook.history(reference) }
        #expect(try desk.lockbook.isInTrash(reference))
        #expect(try desk.lockbook.trash().map(\.path) == ["/adas/same.md", "/carols/same.md"])
        let restored = try desk.lockbook.restore([.path("/carols/same.md")])
        #expect(restored.map(\.path) == ["/carols/same.md"])
        #expect(try desk.lockbook.trash().map(\.path) == ["/adas/same.md"])
    }

    @Test func `what is to be decided in both is decided by no id`() async throws {
        let id = FileID(random: .system)
        let desk = try await folders(holding: id)
        let text = """
            <<<<<<< bob on desk
            one
            =======
            two
            >>>>>>> ada on laptop

            """
        for folder in ["/adas", "/carols"] { try desk.write(folder + "/same.md", text) }
        for other in try desk.lockbook.askOthers(UnreadTrees(), { $0 }) {
            try other.lockbook.store.write { try $0.noteConflict(.markers, id) }
        }
        let reference = FileReference.id(prefix: "\(id)")
        await requireAmbiguous(id) { _ = try desk.lockbook.conflict(reference) }
        await requireAmbiguous(id) { _ = try desk.lockbook.resolve(reference, keeping: .both) }
        for folder in ["/adas", "/carols"] {
            #expect(try await desk.text(folder + "/same.md") == text)
        }
        _ = try desk.lockbook.resolve(.path("/adas/same.md"), keeping: .both)
        #expect(try await desk.text("/adas/same.md") == "one\ntwo\n")
        #expect(try await desk.text("/carols/same.md") == text)
    }

    @Test func `an id that several files in one share begin with names them`() async throws {
        let notes = (0..<40).map { "\($0).md" }
        let (laptop, desk) = try await shared(holding: notes)
        let ids = try laptop.lockbook.list(.path("/team"), recursive: false).map(\.id)
        let own = try desk.lockbook.store.read { try [$0.root] + $0.allLinks().map(\.id) }
        let byDigit = Dictionary(grouping: ids) { String($0.prefix(1)) }.filter { digit, ids in
            ids.count > 1 && !own.contains { "\($0)".hasPrefix(digit) }
        }
        try #require(!byDigit.isEmpty)
        for digit in byDigit.keys {
            #expect {
                try desk.lockbook.info(FileReference("id:\(digit)"))
            } throws: { error in
                if case LockbookError.ambiguous = error { true } else { false }
            }
        }
    }

    @Test func `that one was rejected does not hide that the other one was taken back`()
        async throws
    {
        let (laptop, desk) = try await offered(FileID(random: .system))
        _ = try desk.lockbook.acceptShare(id: "ada/same.md")
        try desk.lockbook.rejectShare(id: "carol/same.md")
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/same.md"), of: "bob", to: nil)
        try await laptop.sync()

        let notes = try await desk.sync().notes
        #expect(notes.map { "\($0.kind) \($0.path) \($0.detail)" } == ["takenBack /same.md ada"])
        #expect(try desk.paths() == [])
    }

    @Test func `that one was let in by an invitation does not hide that the other one offers it`()
        async throws
    {
        let id = FileID(random: .system)
        let laptop = try await ada.firstDevice()
        let tablet = try await carol.firstDevice(named: "tablet")
        let desk = try await bob.firstDevice(named: "desk")
        for device in [laptop, tablet] {
            try mould("", as: id, on: device)
            try await device.sync()
        }
        let invitation = try await laptop.lockbook.invite(
            .path("/same.md"),
            mode: .write,
            lasting: 86_400_000
        )
        _ = try await desk.lockbook.acceptInvitation(invitation.code)
        _ = try await tablet.lockbook.share(.path("/same.md"), with: "bob", mode: .read)
        for device in [laptop, tablet] { try await device.sync() }

        let notes = try await desk.sync().notes
        #expect(notes.count { $0.kind == .accepted && $0.detail == "ada" } == 1)
        #expect(notes.count { $0.kind == .offered && $0.detail.hasPrefix("carol") } == 1)
        #expect(notes.count == 2)
    }
}
