import Foundation
import GRDB
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What others share, and this device cannot open any more.
struct UnreadShareTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Bob's desk with a note of his own, and a link to what does not open.
    private func desk() async throws -> Device {
        let (_, desk) = try await shared()
        try desk.write("/own.md", "plan #tag\n")
        try spoil(desk)
        return desk
    }

    private func spoil(_ desk: Device) throws {
        let links = try desk.lockbook.store.read { try $0.allLinks() }
        let owner = try #require(links.first { $0.path == "/team" }).target.owner
        let folder = StoreContext.directory(of: owner, in: desk.lockbook.account)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let nonsense = Data(repeating: 0x41, count: 8_192)
        try nonsense.write(to: URL(fileURLWithPath: "\(folder)/\(LocalStore.fileName)"))
    }

    @Test func `a search says what it cannot look into, and looks into the rest`() async throws {
        let desk = try await desk()
        let told = try await desk.search("plan")
        #expect(told.matched == ["/own.md"] && told.nowhere.isEmpty)
        #expect(told.unread.map { $0.path } == ["/team"])
    }

    @Test func `a search of that alone finds not nothing, but fails`() async throws {
        let desk = try await desk()
        await #expect(throws: LockbookError.self) {
            _ = try await desk.search("plan", in: ["/team"])
        }
    }

    @Test func `documents with a tag are told without it, and that it was not read`() async throws {
        let desk = try await desk()
        let tagged = try desk.lockbook.documents(tagged: "tag")
        #expect(tagged.found.map(\.path) == ["/own.md"])
        #expect(tagged.unread.map { $0.path } == ["/team"])
    }

    @Test func `a listing of all names it, and has the rest`() async throws {
        let desk = try await desk()
        var unread: [String] = []
        let files = try desk.lockbook.list(.path("/"), recursive: true) { unread.append($0.path) }
        #expect(files.map(\.path) == ["/own.md", "/team"])
        #expect(unread == ["/team"])
    }

    @Test func `documents among files are told without it, and that it was not looked at`()
        async throws
    {
        let desk = try await desk()
        let files = try desk.lockbook.list(.path("/"), recursive: false)
        var unread: [String] = []
        let documents = try desk.lockbook.documents(among: files) { unread.append($0.path) }
        #expect(documents.map(\.path) == ["/own.md"])
        #expect(unread == ["/team"])
    }

    @Test func `what is found by letters or was changed last is told without it, as is that`()
        async throws
    {
        let desk = try await desk()
        var unread: [String] = []
        let found = try desk.lockbook.find(FuzzyPattern("own")) { unread.append($0.path) }
        let recent = try desk.lockbook.recent(9) { unread.append($0.path) }
        #expect(found.map(\.path) == ["/own.md"] && recent.map(\.path) == ["/own.md"])
        #expect(unread == ["/team", "/team"])
    }

    @Test func `what was changed, deleted or left undecided is told without it, as is that`()
        async throws
    {
        let desk = try await desk()
        var unread: [String] = []
        let status = try desk.lockbook.status { unread.append($0.path) }
        #expect(status.changes.map(\.path) == ["/own.md"])
        try desk.delete("/own.md")
        let trash = try desk.lockbook.trash { unread.append($0.path) }
        #expect(trash.map(\.path) == ["/own.md"])
        #expect(try desk.lockbook.conflicts { unread.append($0.path) }.isEmpty)
        #expect(unread == ["/team", "/team", "/team"])
    }

    @Test func `what lies in the trash of another share comes back`() async throws {
        let (_, desk) = try await shared()
        let tablet = try await carol.firstDevice(holding: ["/carols/": "", "/carols/note.md": "a"])
        try await share("/carols", .write, tablet, desk)
        try desk.delete("/carols/note.md")
        try spoil(desk)
        let restored = try desk.lockbook.restore([.path("/carols/note.md")])
        #expect(restored.map(\.path) == ["/carols/note.md"])
        try await desk.lockbook.fetchRestored(restored.map(\.id))
        #expect {
            try desk.lockbook.restore([.path("/nowhere")])
        } throws: { error in
            if case LockbookError.damagedStore = error { true } else { false }
        }
    }

    @Test func `the link to it lies in the trash like any other, and comes back`() async throws {
        let desk = try await desk()
        try desk.delete("/team")
        var unread: [String] = []
        let trash = try desk.lockbook.trash { unread.append($0.path) }
        #expect(trash.map(\.path) == ["/team"] && unread == ["what ada shares"])
        let restored = try desk.lockbook.restore([.path("/team")])
        #expect(restored.map(\.path) == ["/team"])
    }

    @Test func `what another one offers is told, and can be accepted`() async throws {
        let (_, desk) = try await shared()
        let tablet = try await carol.firstDevice(holding: ["/carols/": "", "/carols/note.md": "a"])
        _ = try await tablet.lockbook.share(.path("/carols"), with: "bob", mode: .write)
        try await tablet.sync()
        try await desk.sync()
        try spoil(desk)
        var unread: [String] = []
        let offers = try desk.lockbook.offers { unread.append($0.path) }
        #expect(offers.map(\.name) == ["carols"] && unread == ["/team"])
        let link = try desk.lockbook.acceptShare(id: #require(offers.first).id)
        #expect(link.path == "/carols")
        // What is in none of the others may be in that.
        for word in ["ada/other", "id:" + String(repeating: "0", count: 32)] {
            #expect {
                try desk.lockbook.acceptShare(id: word)
            } throws: { error in
                if case LockbookError.damagedStore = error { true } else { false }
            }
        }
        // What somebody else shares is in no tree but his.
        for word in ["carol/other", "carol:" + String(repeating: "0", count: 32)] {
            #expect(throws: LockbookError.noOffer(id: word)) {
                try desk.lockbook.acceptShare(id: word)
            }
        }
        let seen = try desk.lockbook.sharesOfOthers { unread.append($0.path) }
        #expect(seen.map(\.path) == ["/carols"] && unread == ["/team", "/team"])
    }

    @Test func `what commands did elsewhere is told, and one is taken back by its number`()
        async throws
    {
        let desk = try await desk()
        var unread: [String] = []
        let commands = try desk.lockbook.commands { unread.append($0.path) }
        let last = try #require(commands.first)
        #expect(last.changes.map(\.path) == ["/own.md"] && unread == ["/team"])
        // The last of all may have been in that.
        #expect {
            try desk.lockbook.undo()
        } throws: { error in
            if case LockbookError.damagedStore = error { true } else { false }
        }
        _ = try desk.lockbook.undo(last.number)
        #expect(try desk.lockbook.list(.path("/"), recursive: false).map(\.path) == ["/team"])
    }

    @Test func `a check names it, and checks the rest`() async throws {
        let desk = try await desk()
        let problems = try desk.lockbook.validate()
        #expect(problems == ["/team: the database is damaged"])
    }

    /// The same where the store opens, and what is in it does not.
    private func deskWithoutIndex() async throws -> Device {
        let (_, desk) = try await shared()
        try desk.write("/own.md", "plan #tag\n")
        let owner = try #require(try desk.lockbook.store.read { try $0.followed() }.first)
        try #require(try desk.lockbook.shared(by: owner)).store.write { tree in
            try tree.db.execute(sql: "UPDATE directory SET sealed = zeroblob(60)")
        }
        return desk
    }

    @Test func `a listing of all names a link to what is not indexed any more`() async throws {
        let desk = try await deskWithoutIndex()
        var unread: [String] = []
        let files = try desk.lockbook.list(.path("/"), recursive: true) { unread.append($0.path) }
        #expect(files.map(\.path) == ["/own.md", "/team"])
        #expect(unread == ["/team"])
    }

    @Test func `a search names it, and so does a look for tags`() async throws {
        let desk = try await deskWithoutIndex()
        let told = try await desk.search("plan")
        #expect(told.matched == ["/own.md"] && told.nowhere.isEmpty)
        #expect(told.unread.map { $0.path } == ["/team"])
        let tagged = try desk.lockbook.documents(tagged: "tag")
        #expect(tagged.found.map(\.path) == ["/own.md"])
        #expect(tagged.unread.map { $0.path } == ["/team"])
    }

    @Test func `an id means what another one shares, and no id is nobody's`() async throws {
        let (_, desk) = try await shared()
        let tablet = try await carol.firstDevice(holding: ["/carols/": "", "/carols/note.md": "a"])
        try await share("/carols", .write, tablet, desk)
        let id = try desk.lockbook.info(.path("/carols/note.md")).id
        try spoil(desk)
        #expect(try desk.lockbook.info(FileReference("id:\(id)")).path == "/carols/note.md")
        #expect {
            try desk.lockbook.info(FileReference("id:" + String(repeating: "0", count: 32)))
        } throws: { error in
            if case LockbookError.damagedStore = error { true } else { false }
        }
    }

    @Test func `what is one's own is synced, and then it is told`() async throws {
        let desk = try await desk()
        let tablet = try await bob.device(named: "tablet", like: desk)
        try tablet.write("/two.md", "two")
        try await tablet.sync()
        var report: SyncReport?
        await #expect {
            _ = try await desk.lockbook.sync(unfinished: { report = $0 })
        } throws: { error in
            if case LockbookError.damagedStore = error { true } else { false }
        }
        #expect(report?.pulled == ["/two.md"] && report?.pushed == ["/own.md"])
        try await tablet.sync()
        #expect(try await tablet.text("/own.md") == "plan #tag\n")
        #expect(try await desk.text("/two.md") == "two")
    }

    @Test func `by force the account is removed with it`() async throws {
        let desk = try await desk()
        try desk.lockbook.logout(force: true)
        #expect(!FileManager.default.fileExists(atPath: desk.directory + "/account.json"))
        #expect(!FileManager.default.fileExists(atPath: desk.directory + "/shares"))
    }

    @Test func `an export names it, and a mirror keeps what it had of it`() async throws {
        let (_, desk) = try await shared()
        try desk.write("/own.md", "own")
        let place = try Place()
        #expect(try await place.export(desk, .mirroring).created == 2)
        try spoil(desk)
        try desk.write("/own.md", "own again")
        let report = try await place.export(desk, .mirroring)
        #expect(report.problems.map(\.path) == ["/team"])
        #expect((report.updated, report.removed) == (1, 0))
        #expect(try place.text("team/plan.md") == "plan.md")
        #expect(try place.text("own.md") == "own again")
    }

    @Test func `a link without anything of any sharer is no place to search in`() async throws {
        let (_, desk) = try await shared()
        try desk.write("/own.md", "plan")
        try desk.lockbook.store.write { try $0.db.execute(sql: "DELETE FROM followed") }
        try FileManager.default.removeItem(atPath: desk.directory + "/shares")
        #expect(try desk.lockbook.store.read { try $0.sharers() } == [])
        let told = try await desk.search("plan", in: ["/team/plan.md", "/own.md"])
        #expect(told.matched == ["/own.md"] && told.unread.isEmpty)
        #expect(told.nowhere == [.leadsNowhere(path: "/team")])
    }
}
