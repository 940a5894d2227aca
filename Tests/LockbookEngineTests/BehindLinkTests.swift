import Foundation
import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// Versions, the trash, conflicts and `undo` behind a link.
struct BehindLinkTests {
    let server: TestServer
    let ada: Person
    let bob: Person
    let laptop: Device
    let desk: Device

    init() async throws {
        server = try TestServer()
        ada = Person("ada", on: server)
        bob = Person("bob", on: server)
        laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "before bob\n")
        try await laptop.sync()
        desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
        try laptop.write("/team/plan.md", "one\n")
        try await laptop.sync()
        try await desk.sync()
        try desk.write("/team/plan.md", "one\ntwo by bob\n")
        try await desk.sync()
        try await laptop.sync()
    }

    private func text(_ device: Device, _ path: String, _ version: String) async throws -> String {
        var bytes: [UInt8] = []
        try await device.lockbook.read(FileReference(path), version: version) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a member reads, compares and brings back the versions of his time`() async throws {
        let history = try await desk.lockbook.history(.path("/team/plan.md"))

        #expect(history.isComplete)
        try #require(history.versions.map(\.author) == ["bob", "ada", "ada"])
        #expect(history.versions.allSatisfy { $0.path == "/team/plan.md" && $0.isProven })
        let old = history.versions[1].version
        #expect(try await text(desk, "/team/plan.md", old) == "one\n")
        #expect(
            try await text(desk, "/team/plan.md", history.versions[2].version) == "before bob\n"
        )
        let difference = try await desk.lockbook.difference(
            .path("/team/plan.md"),
            from: old,
            to: nil
        )
        #expect(difference.path == "/team/plan.md")
        #expect(difference.lines?.contains { $0.kind == .added } == true)
        #expect(try await desk.lockbook.history(.path("/team")).versions.count == 4)
        await #expect(throws: LockbookError.noVersion(path: "/team/plan.md", version: "ffffffff")) {
            _ = try await text(desk, "/team/plan.md", "ffffffff")
        }

        let restored = try await desk.lockbook.restore(.path("/team/plan.md"), version: old)
        #expect(restored.path == "/team/plan.md")
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "one\n")
        let own = try await laptop.lockbook.history(.path("/team/plan.md"))
        #expect(own.versions.map(\.author).contains("bob"))
    }

    @Test func `of before his time, and of other scopes, a member is told nothing`() async throws {
        try laptop.write("/private.md", "secret")
        try laptop.write("/private.md", "more secret")
        try await laptop.sync()
        // Away and back again: what was written meanwhile is not his to see in earlier forms.
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        try laptop.write("/team/plan.md", "meanwhile\n")
        try await laptop.sync()
        try laptop.write("/team/plan.md", "before he is back\n")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id, to: "/again")
        try await desk.sync()
        try laptop.write("/team/plan.md", "now\n")
        try await laptop.sync()
        try await desk.sync()

        let history = try await desk.lockbook.history(.path("/again/plan.md"))
        var texts: [String] = []
        for version in history.versions {
            texts.append(try await text(desk, "/again/plan.md", version.version))
        }
        #expect(texts.first == "now\n")
        #expect(!texts.contains("meanwhile\n"))
        await #expect(throws: LockbookError.readOnly(path: "/again/plan.md")) {
            _ = try await desk.lockbook.restore(
                .path("/again/plan.md"),
                version: try #require(history.versions.last).version
            )
        }
        // The owner opens the versions of all epochs.
        let own = try await laptop.lockbook.history(.path("/team/plan.md"))
        var owns: Set<String> = []
        for version in own.versions {
            owns.insert(try await text(laptop, "/team/plan.md", version.version))
        }
        #expect(owns.isSuperset(of: ["before bob\n", "one\n", "meanwhile\n", "now\n"]))
    }

    @Test func `a server that shows a version under another entry is not believed`() async throws {
        desk.faults.lie("/v1/history") { body in
            var response = try Lockbook_V1_HistoryResponse(serializedBytes: Data(body))
            let records = response.versions.map(\.record)
            for index in response.versions.indices {
                response.versions[index].record = records[(index + 1) % records.count]
            }
            return Array(try response.serializedData() as Data)
        }
        await isFoundOut { _ = try await desk.lockbook.history(.path("/team/plan.md")) }
        desk.faults.tellTruth()
        desk.faults.lie("/v1/history") { body in
            var response = try Lockbook_V1_HistoryResponse(serializedBytes: Data(body))
            for index in response.entries.indices { response.entries[index].seen.removeLast() }
            return Array(try response.serializedData() as Data)
        }
        // Without its groups an entry proves nothing; with other ones it is a lie.
        do {
            let unproven = try await desk.lockbook.history(.path("/team/plan.md"))
            #expect(!unproven.versions.contains { $0.isProven && $0.position != nil })
        } catch LockbookError.integrity {}
    }

    @Test func `what was deleted behind a link is listed and comes back`() async throws {
        try desk.delete("/team/plan.md")
        #expect(try desk.lockbook.trash().map(\.path) == ["/team/plan.md"])
        try await desk.sync()
        try await laptop.sync()
        try desk.write("/own.md", "own")
        try desk.delete("/own.md")

        #expect(try desk.lockbook.trash().map(\.path) == ["/own.md", "/team/plan.md"])
        #expect(throws: LockbookError.notInTrash(path: "/team/nothing.md")) {
            try desk.lockbook.restore([.path("/own.md"), .path("/team/nothing.md")])
        }
        #expect(try desk.lockbook.trash().count == 2)
        let back = try desk.lockbook.restore([.path("/own.md"), .path("team/plan.md")])
        #expect(back.map(\.path) == ["/own.md", "/team/plan.md"])
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "one\ntwo by bob\n")
        #expect(try desk.lockbook.trash() == [])
    }

    @Test func `a conflict behind a link is shown and decided`() async throws {
        try laptop.write("/team/plan.md", "one\ntwo by ada\n")
        try desk.write("/team/plan.md", "one\ntwo by desk\n")
        try await laptop.sync()
        try await desk.sync()
        let conflicts = try desk.lockbook.conflicts()
        #expect(conflicts.map(\.path) == ["/team/plan.md"])
        #expect(try desk.lockbook.status().conflicts == 1)
        #expect(try desk.lockbook.conflict(.path("/team/plan.md")).kind == .markers)

        let path = try desk.lockbook.resolve(.path("/team/plan.md"), keeping: .local).path
        #expect(path == "/team/plan.md")
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "one\ntwo by desk\n")
        #expect(throws: LockbookError.noConflict(path: "/team/plan.md")) {
            try desk.lockbook.conflict(.path("/team/plan.md"))
        }
    }

    @Test func `the last command is taken back wherever it was`() async throws {
        try desk.write("/own.md", "own")
        let mark = try #require(try desk.lockbook.commands().first)
        #expect(mark.owner == nil)
        try desk.write("/team/plan.md", "three by bob\n")
        let last = try #require(try desk.lockbook.commands().first)
        #expect(last.owner == "ada")
        #expect(last.changes.map(\.path) == ["/team/plan.md"])

        #expect(try desk.lockbook.undo().owner == "ada")
        #expect(try await desk.text("/team/plan.md") == "one\ntwo by bob\n")
        #expect(try desk.lockbook.undo(mark.number).changes.map(\.path) == ["/own.md"])
        _ = try desk.lockbook.undo(last.number + 1, of: "ada")
        #expect(try await desk.text("/team/plan.md") == "three by bob\n")
        #expect(throws: LockbookError.nothingToUndo(command: 1)) {
            try desk.lockbook.undo(1, of: "nobody")
        }
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        try await laptop.sync()
        try await desk.sync()
        #expect(throws: LockbookError.readOnly(path: "/team/plan.md")) {
            try desk.lockbook.undo(last.number + 2, of: "ada")
        }
    }

    @Test func `a link with the owner's name follows it, one with its own does not`() async throws {
        let eve = try await Person("eve", on: server).firstDevice(named: "tablet")
        _ = try await laptop.lockbook.share(.path("/team"), with: "eve", mode: .read)
        try await laptop.sync()
        try await eve.sync()
        let offer = try #require(try eve.lockbook.offers().first)
        _ = try eve.lockbook.acceptShare(id: offer.id, to: "/mine")
        try desk.write("/group", "something else")
        let phone = try await bob.device(named: "phone", like: desk)

        try laptop.move("/team", to: "/group")
        try await laptop.sync()
        for device in [eve, desk, phone, desk] { try await device.sync() }

        #expect(try eve.paths() == ["/mine", "/mine/plan.md"])
        #expect(try desk.paths() == ["/group", "/group-1", "/group-1/plan.md"])
        #expect(try phone.paths() == ["/group", "/group-1", "/group-1/plan.md"])
        try laptop.move("/group", to: "/crew")
        try await laptop.sync()
        for device in [phone, desk, phone] { try await device.sync() }
        for device in [desk, phone] {
            #expect(try device.paths() == ["/crew", "/crew/plan.md", "/group"])
        }
        try desk.move("/crew", to: "/ours")
        try await desk.sync()
        try laptop.move("/crew", to: "/squad")
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.paths() == ["/group", "/ours", "/ours/plan.md"])
        try await phone.sync()
        try await converge(bob, desk, phone)
    }

    @Test func `a name of its own that no other device knew yet is kept, too`() async throws {
        let phone = try await bob.device(named: "phone", like: desk)
        try desk.move("/team", to: "/ours")
        try laptop.move("/team", to: "/crew")
        try await laptop.sync()
        try await phone.sync()
        #expect(try phone.paths() == ["/crew", "/crew/plan.md"])

        let report = try await desk.sync()
        #expect(!report.notes.contains { $0.kind == .renameUndone })
        #expect(!report.pulled.contains("/crew"))
        try await phone.sync()
        for device in [desk, phone] {
            #expect(try device.paths() == ["/ours", "/ours/plan.md"])
        }
        try await converge(bob, desk, phone)
    }

    /// A slash and such a mark are one character of Swift's.
    @Test func `names that begin with a mark that combines are below the link as others are`()
        async throws
    {
        try laptop.write("/team/\u{301}d/\u{301}x.md", "words #tag\n")
        try await laptop.sync()
        let report = try await desk.sync()
        let paths = ["/team/\u{301}d", "/team/\u{301}d/\u{301}x.md"]
        #expect(report.pulled == paths)
        #expect(try desk.lockbook.documents(tagged: "tag").found.map(\.path) == [paths[1]])
        #expect(try desk.lockbook.info(.path(paths[1])).path == paths[1])
        try desk.delete(paths[1])
        #expect(try desk.lockbook.trash().map(\.path) == [paths[1]])
        #expect(try desk.lockbook.restore([.path(paths[1])]).map(\.path) == [paths[1]])
    }
}
