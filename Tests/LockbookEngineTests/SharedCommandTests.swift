import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Commands that meet what others share: copies, imports, exports, links, lists.
struct SharedCommandTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `what is offered is copied, whatever its names, and whether or not it was read`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/Deep/README.md", "read me")
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        let id = try #require(try desk.lockbook.offers().first).id

        for (text, place) in [
            ("id:\(id.uppercased())", "/all"), ("id:\(id)/Deep/README.md", "/one.md"),
        ] {
            try await desk.lockbook.fetch(FileReference(text))
            _ = try desk.lockbook.copy([FileReference(text)], to: place)
        }
        #expect(try await desk.text("/all/Deep/README.md") == "read me")
        #expect(try await desk.text("/all/plan.md") == "plan")
        #expect(try await desk.text("/one.md") == "read me")
        await #expect(throws: LockbookError.notFound(path: "id:\(id)/deep")) {
            try await desk.lockbook.fetch(FileReference("id:\(id)/deep"))
            _ = try desk.lockbook.copy([FileReference("id:\(id)/deep")], to: "/two")
        }
    }

    @Test func `a sync says what happened to what it pushed, here and behind links`() async throws {
        let (_, desk) = try await shared(holding: ["plan.md", "b.md"])
        try desk.write("/team/plan.md", "words")
        try desk.delete("/team/b.md")
        try desk.write("/own.md", "own")
        var options = SyncOptions()
        options.listsChanges = true
        let changes = try #require(try await desk.sync(options).changes)
        #expect(changes.map(\.path) == ["/own.md", "/team/b.md", "/team/plan.md"])
        #expect(changes.map(\.kind) == [.new, .deleted, .changed])
        #expect(try await desk.sync(options).changes == [])
        #expect(try await desk.sync().changes == nil)
    }

    @Test func `what somebody deleted in another's share is that one's to purge`() async throws {
        let (_, desk) = try await shared(holding: ["plan.md", "old.md"])
        try desk.delete("/team/old.md")
        #expect(throws: LockbookError.ownersToPurge(path: "/team/old.md")) {
            try desk.lockbook.countTrash([.path("/team/old.md")])
        }
        #expect(throws: LockbookError.ownersToPurge(path: "/team")) {
            try desk.lockbook.countTrash([.path("/team")])
        }
        #expect(throws: LockbookError.notInTrash(path: "/team/plan.md")) {
            try desk.lockbook.countTrash([.path("/team/plan.md")])
        }
        #expect(try desk.lockbook.trash().map(\.path) == ["/team/old.md"])
    }

    @Test(arguments: [10, 300_000], ["/team/new.md", "/team/plan.md"])
    func `what was to go into a share that goes meanwhile is no document of one's own`(
        size: Int,
        path: String
    ) async throws {
        let (_, desk) = try await shared()
        var pieces = 0
        #expect(throws: LockbookError.linkGone(path: "/team")) {
            try desk.lockbook.write(.path(path), append: false) {
                // As a sync of another process does when it is taken back.
                if pieces == 0 { try desk.delete("/team") }
                pieces += 1
                return pieces > 1 ? nil : [UInt8](repeating: 0, count: size)
            }
        }
        #expect(try desk.paths() == [])
    }

    @Test(arguments: [10, 300_000])
    func `what was to be one's own does not go into a share whose link came meanwhile`(size: Int)
        async throws
    {
        let (_, desk) = try await shared()
        var pieces = 0
        #expect(throws: LockbookError.linkCame(path: "/own")) {
            try desk.lockbook.write(.path("/own/plan.md"), append: false) {
                // As another command does, or a sync that brings the new name.
                if pieces == 0 { _ = try desk.lockbook.rename(.path("/team"), to: "own") }
                pieces += 1
                return pieces > 1 ? nil : [UInt8](repeating: 0, count: size)
            }
        }
        #expect(try await desk.text("/own/plan.md") == "plan.md")
    }

    @Test func `nothing is taken in where it may only be read`() async throws {
        let (_, desk) = try await shared(.read)
        let place = try Place()
        try Data("x".utf8).write(to: place.url.appending(path: "x.md"))
        try FileManager.default.createDirectory(
            at: place.url.appending(path: "sub"),
            withIntermediateDirectories: true
        )
        for source in ["x.md", "sub", "."] {
            #expect(throws: LockbookError.readOnly(path: "/team")) {
                _ = try desk.lockbook.importFromDisk(
                    ["\(place.url.path)/\(source)"],
                    to: "/team"
                ) { _ in }
            }
        }
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        #expect(try desk.lockbook.status().changes == [])
    }

    @Test(arguments: ["revoked", "left", "moved"])
    func `a mirror removes what was behind a link that is not there any more`(how: String)
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/note.md"])
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .read, laptop, desk)
        _ = try desk.lockbook.create(path: "/sub/")
        try desk.move("/team", to: "/sub/")
        try desk.write("/own.md", "own")
        let place = try Place()
        let options = ExportOptions.mirroring
        try await place.export(desk, options)
        #expect(try place.text("sub/team/deep/note.md") == "deep/note.md")
        #expect(try place.text("alone.md") == "alone")
        try Data("mine".utf8).write(to: place.url.appending(path: "sub/team/mine.txt"))

        switch how {
        case "revoked":
            for path in ["/team", "/alone.md"] {
                try laptop.lockbook.setShare(.path(path), of: "bob", to: nil)
            }
            try await laptop.sync()
            try await desk.sync()
        case "left":
            try desk.lockbook.leaveShare(.path("/sub/team"))
            try desk.lockbook.leaveShare(.path("/alone.md"))
        default:
            try desk.move("/sub/team", to: "/elsewhere")
            try desk.move("/alone.md", to: "/alone-1.md")
        }
        try desk.delete("/sub")
        let report = try await place.export(desk, options)
        #expect(report.removed == 3)
        let others = how == "moved" ? 3 : 0
        #expect(try place.facts().keys.filter { !$0.hasPrefix("sub") }.count == 1 + others)
        // What somebody put there stays, and nothing but that.
        #expect(try place.facts().keys.filter { $0.hasPrefix("sub") } == ["sub/team/mine.txt"])
        try FileManager.default.removeItem(at: place.url.appending(path: "sub/team/mine.txt"))
        let before = try place.facts()
        #expect(try await place.export(desk, options).removed == 0)
        #expect(try place.facts() == before)
    }

    @Test func `a mirror keeps no empty folder of what was taken back`() async throws {
        let (laptop, desk) = try await shared(.read)
        let options = ExportOptions.mirroring
        let place = try Place()
        try await place.export(desk, options)
        #expect(try place.text("team/plan.md") == "plan.md")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        #expect(try await place.export(desk, options).removed == 1)
        let left = try FileManager.default.subpathsOfDirectory(atPath: place.url.path)
        #expect(left.isEmpty)
    }

    @Test func `an admin's list has what he decides about`() async throws {
        let (laptop, desk) = try await shared(.admin)
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .read, laptop, tablet)
        try await desk.sync()
        #expect(try desk.lockbook.sharesOfOthers().map(\.username) == ["bob", "carol"])
        #expect(try desk.lockbook.sharesOfOthers().map(\.path) == ["/team", "/team"])
        #expect(try desk.lockbook.shares() == [])
        for shares in [
            try tablet.lockbook.sharesOfOthers(),
            try tablet.lockbook.shares(of: .path("/team")).filter { $0.username == "carol" },
        ] {
            #expect(shares.map(\.owner) == ["ada"])
            #expect(shares.map(\.mode) == [.read])
            #expect(shares.map(\.username) == ["carol"])
            #expect(shares.map(\.path) == ["/team"])
        }
    }

    @Test func `no link goes into what the next sync shares`() async throws {
        let (laptop, desk) = try await shared(.write)
        try laptop.write("/more.md", "more")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/more.md"), with: "bob", mode: .read)
        try await laptop.sync()
        _ = try await carol.firstDevice(named: "tablet")
        _ = try desk.lockbook.create(path: "/w/x/")
        try await desk.sync()
        _ = try await desk.lockbook.share(.path("/w"), with: "carol", mode: .read)

        let offer = try #require(try desk.lockbook.offers().first)
        #expect(throws: LockbookError.self) { try desk.move("/team", to: "/w/x/") }
        #expect(throws: LockbookError.self) {
            _ = try desk.lockbook.acceptShare(id: offer.id, to: "/w/")
        }
        #expect(try await desk.sync().notes.isEmpty)
        #expect(try desk.lockbook.shares().map(\.path) == ["/w"])
    }

    @Test func `markers in a shared document name both people`() async throws {
        let (laptop, desk) = try await shared(.write)
        try laptop.write("/team/plan.md", "ada's\n")
        try desk.write("/team/plan.md", "bob's\n")
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind) == [.markers])
        let text = try await desk.text("/team/plan.md")
        #expect(text.contains("<<<<<<< bob on desk\nbob's\n=======\nada's\n>>>>>>> ada on "))
    }

    @Test func `what a sync had decided is told when it fails`() async throws {
        let laptop = try await ada.firstDevice()
        let phone = try await ada.device(named: "phone", like: laptop)
        try laptop.write("/a.bin", "laptop\0")
        try await laptop.sync()
        try phone.write("/a.bin", "phone\0")
        phone.faults.next("/v1/push", .answerLost)
        nonisolated(unsafe) var told: SyncReport?
        await #expect(throws: LockbookError.self) {
            _ = try await phone.lockbook.sync(unfinished: { told = $0 })
        }
        #expect(told?.notes.map(\.kind) == [.renamed])
        let traffic = try #require(told).traffic
        #expect(traffic.requests > 1 && traffic.sent > 0 && traffic.received > 0)
    }

    @Test func `every device is told by its own path what was taken back`() async throws {
        let (laptop, desk) = try await shared(.write)
        let phone = try await bob.device(named: "phone", like: desk)
        try phone.write("/team/plan.md", "bob's words")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        for device in [desk, phone] {
            let notes = try await device.sync().notes
            #expect(notes.filter { $0.kind == .takenBack }.map(\.path) == ["/team"])
            let kept = notes.filter { $0.kind == .keptOwn }.map(\.detail)
            #expect(kept == (device.lockbook === phone.lockbook ? ["/team/plan.md"] : []))
        }
        #expect(try await phone.text("/plan.md") == "bob's words")
    }

    @Test func `links stay where links may be`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["deep/note.md"])
        try laptop.write("/more.md", "more")
        try await laptop.sync()
        try await share("/more.md", .read, laptop, desk)
        func reason(_ body: () throws -> Void) -> String? {
            do { try body() } catch LockbookError.badShare(_, let reason) { return reason } catch {
                return "\(error)"
            }
            return nil
        }
        #expect(
            reason { try desk.move("/more.md", to: "/team/") }
                == "a link cannot go into a shared folder"
        )
        #expect(
            reason { try desk.lockbook.leaveShare(.path("/team/deep")) }
                == "it is in a share that is given up as a whole, by its link"
        )
        try desk.delete("/more.md")
        let offer = try #require(try desk.lockbook.offers().first)
        #expect(
            reason { _ = try desk.lockbook.acceptShare(id: offer.id, to: "/team/") }
                == "it is shared itself, and a link is for this account alone"
        )
        #expect(try desk.paths() == ["/team", "/team/deep/", "/team/deep/note.md"])
    }
}
