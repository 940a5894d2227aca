import GRDB
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// An admin who gives a folder a new key, and not what lies deleted in it.
struct LeftBehindFileTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// - Parameter isApart: whether the laptop knows the folder before it has the new key.
    private func leftBehind(isApart: Bool) async throws -> (
        laptop: Device, note: FileID, report: SyncReport
    ) {
        let (laptop, desk) = try await shared(.admin)
        let cafe = try await bob.device(named: "cafe", like: desk)
        let intruder = try Intruder(cafe, in: "/team")
        let (folder, note, rotated) = try intruder.leavingBehind()
        try await intruder.push([folder, note])
        if isApart { try await laptop.sync() }
        // As a server took it once.
        laptop.faults.lie("/v1/pull") { try intruder.add([rotated], to: $0, log: 0) }
        let report = try await laptop.sync()
        return (laptop, note.facts.id, report)
    }

    /// What the first entry purges with which the share is taken back.
    private func purged(whenTakenBackOn laptop: Device) throws -> [FileID]? {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        return try laptop.lockbook.store.write { tree in
            try tree.planShare(.beforeChanges, besides: .restorations).plan?.push.entry.purged
        }
    }

    @Test func `no server takes that`() async throws {
        let (_, desk) = try await shared(.admin)
        let cafe = try await bob.device(named: "cafe", like: desk)
        let intruder = try Intruder(cafe, in: "/team")
        let (folder, note, rotated) = try intruder.leavingBehind()
        try await intruder.push([folder, note])
        await #expect {
            try await intruder.push([rotated])
        } throws: { error in
            error.refusal != nil
        }
    }

    @Test(arguments: [false, true])
    func `where one did, that file is damaged, and all else goes on`(isApart: Bool) async throws {
        let (laptop, note, report) = try await leftBehind(isApart: isApart)
        #expect(report.notes.map(\.kind) == [.damaged])
        #expect(report.notes.map(\.id) == [note.description])
        #expect(try laptop.paths() == ["/team/", "/team/plan.md", "/team/sub/"])
        #expect(try laptop.lockbook.trash().isEmpty)
        #expect(try purged(whenTakenBackOn: laptop) == [note])
    }

    /// A folder in a share, beside a share in that, with a note in it that opens for nobody.
    /// - Parameter before: what the laptop does while that is on its way.
    private func damaged(
        isDeleted: Bool,
        before: (Device) throws -> Void = { _ in }
    ) async throws -> (
        laptop: Device, desk: Device, tablet: Device, note: FileID
    ) {
        let (laptop, desk) = try await shared(holding: ["part/b.md", "sub/a.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/part", .read, laptop, tablet)
        let cafe = try await bob.device(named: "cafe", like: desk)
        let intruder = try Intruder(cafe, in: "/team")
        let folder = try #require(FileID(hex: laptop.lockbook.info(.path("/team/sub")).id))
        let note = try intruder.damaged(in: folder, isDeleted: isDeleted)
        try await intruder.push([note])
        try before(laptop)
        let notes = try await laptop.sync().notes
        #expect(notes.map(\.kind).filter { $0 != .notPushed } == [.damaged])
        return (laptop, desk, tablet, note.facts.id)
    }

    /// Every sync would end with what the server says of it.
    @Test func `with something damaged in it a folder moves into no other share`() async throws {
        let (laptop, _, _, note) = try await damaged(isDeleted: false)
        let path = "/team/sub/damaged-\(note.description.prefix(12))"
        #expect(throws: LockbookError.damaged(file: path, author: "bob")) {
            try laptop.move("/team/sub", to: "/team/part/")
        }
        try laptop.move("/team/sub", to: "/team/other")
        try laptop.delete("/team/other/damaged-\(note.description.prefix(12))")
        // Until the server knows that it is gone.
        #expect(throws: LockbookError.self) { try laptop.move("/team/other", to: "/team/part/") }
        try await laptop.sync()
        try laptop.move("/team/other", to: "/team/part/")
        #expect(try await laptop.sync().notes.isEmpty)
        try await converge(ada, laptop, try await ada.device(named: "phone", like: laptop))
    }

    /// The move waits until that is gone, and nothing else does.
    @Test func `something damaged that comes after such a move keeps back that folder alone`()
        async throws
    {
        let (laptop, desk, tablet, note) = try await damaged(isDeleted: false) { laptop in
            try laptop.move("/team/sub", to: "/team/part/")
            try laptop.write("/team/new.md", "new")
        }
        let path = "/team/part/sub/damaged-\(note.description.prefix(12))"
        try laptop.write("/team/newer.md", "newer")
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.notPushed])
        #expect(report.notes.map(\.path) == [path])
        #expect(report.pushed == ["/team/newer.md"])
        try await desk.sync()
        #expect(try await desk.text("/team/new.md") == "new")
        #expect(try await desk.text("/team/sub/a.md") == "sub/a.md")

        try laptop.delete(path)
        let last = try await laptop.sync()
        #expect(last.purged == [path] && last.notes.isEmpty)
        for device in [desk, tablet] { try await device.sync() }
        #expect(try await desk.text("/team/part/sub/a.md") == "sub/a.md")
        #expect(try await tablet.text("/part/sub/a.md") == "sub/a.md")
        try await converge(ada, laptop)
    }

    /// Nobody can put it into the other share, and the server lets it stay behind.
    @Test func `what is damaged in a folder's trash stops nobody when that moves into a share`()
        async throws
    {
        let (laptop, desk, tablet, _) = try await damaged(isDeleted: true)
        try laptop.move("/team/sub", to: "/team/part/")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        for device in [phone, desk, tablet] { try await device.sync() }
        for device in [phone, desk] {
            #expect(try await device.text("/team/part/sub/a.md") == "sub/a.md")
        }
        #expect(try await tablet.text("/part/sub/a.md") == "sub/a.md")
    }

    /// A device that merged it with an earlier program does not know that it is damaged.
    @Test func `it keeps nobody from the rest of the trash`() async throws {
        let (laptop, note, _) = try await leftBehind(isApart: true)
        try laptop.lockbook.store.write { tree in
            try tree.db.execute(sql: "UPDATE file SET damaged = 0")
        }
        try laptop.write("/mine.md", "mine")
        try laptop.delete("/mine.md")
        let path = "/team/sub/damaged-\(note.description.prefix(12))"
        for isRecursive in [false, true] {
            let listed = try laptop.lockbook.trash(isRecursive: isRecursive)
            #expect(listed.map(\.path) == ["/mine.md", path])
        }
        #expect(throws: LockbookError.damaged(file: path, author: "bob")) {
            try laptop.lockbook.restore([.path(path)])
        }
        try laptop.delete("/team/sub")
        #expect(try laptop.lockbook.trash().map(\.path) == ["/mine.md", "/team/sub", path])
        let restored = try laptop.lockbook.restore([.path("/mine.md"), .path("/team/sub")])
        #expect(restored.map(\.path) == ["/mine.md", "/team/sub"])
        #expect(try purged(whenTakenBackOn: laptop) == [note])
    }
}

extension Intruder {
    /// Records of a new folder in the shared one, of a note that lies deleted in it, and of the
    /// folder with its next key.
    fileprivate func leavingBehind() throws -> (
        folder: FileRecord, note: FileRecord, rotated: FileRecord
    ) {
        try share.store.read { tree in
            let above = try tree.folderKeys(of: #require(try tree.row(scope)))
            let (key, later) = (FileKey(random: .system), FileKey(random: .system))
            var folder = try file(.folder, "sub", in: scope)
            var note = try file(.document, "gone.md", in: folder.id)
            note.isDeleted = true
            let made = try FileRecord(
                sealing: folder,
                owner: owner,
                key: key,
                in: above,
                random: .system
            )
            let gone = try FileRecord(
                sealing: note,
                owner: owner,
                key: FileKey(random: .system),
                in: FolderKeys(of: key),
                random: .system
            )
            folder.epoch = 2
            let rotated = try FileRecord(
                sealing: folder,
                owner: owner,
                key: later,
                previous: key,
                in: above,
                random: .system
            )
            return (made, gone, rotated)
        }
    }

    /// A note in a folder, whose key opens for nobody.
    fileprivate func damaged(in folder: FileID, isDeleted: Bool) throws -> FileRecord {
        var note = try file(.document, "gone.md", in: folder)
        note.isDeleted = isDeleted
        return try FileRecord(
            sealing: note,
            owner: owner,
            key: FileKey(random: .system),
            in: FolderKeys(of: FileKey(random: .system)),
            random: .system
        )
    }
}
