import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What goes through links as if there were none.
struct SharingLinkTests {
    let laptop: Device
    let desk: Device
    let offer: ShareOffer

    init() async throws {
        let server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        try laptop.write("/team/plan.md", "the plan")
        try laptop.write("/team/deep/note.md", "deep words")
        try await laptop.sync()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        try desk.write("/own/mine.md", "my words")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id, to: "/own/theirs")
        try await desk.sync()
    }

    @Test func `a search finds what is behind a link, once`() async throws {
        for places in [["/"], ["/own"], ["/own", "/own/theirs"], ["/own/theirs/deep", "/own"]] {
            let told = try await desk.search("words", in: places)
            #expect(told.matched == ["/own/mine.md", "/own/theirs/deep/note.md"], "\(places)")
            #expect(told.unread.isEmpty && told.nowhere.isEmpty)
        }
    }

    @Test func `a copy goes through a link in both directions`() async throws {
        _ = try desk.lockbook.copy([.path("/own/theirs")], to: "/copied")
        _ = try desk.lockbook.copy([.path("/own/mine.md")], to: "/own/theirs/deep/")
        _ = try desk.lockbook.copy([.path("/own/theirs/plan.md")], to: "/own/theirs/again.md")
        try await desk.sync()
        try await laptop.sync()

        #expect(try await desk.text("/copied/deep/note.md") == "deep words")
        #expect(try await laptop.text("/team/deep/mine.md") == "my words")
        #expect(try await laptop.text("/team/again.md") == "the plan")
        #expect(throws: LockbookError.exists(path: "/copied/theirs")) {
            _ = try desk.lockbook.copy([.path("/own/theirs")], to: "/copied")
            _ = try desk.lockbook.copy([.path("/own/theirs")], to: "/copied")
        }
    }

    @Test func `an export has what is behind links`() async throws {
        let folder = desk.directory + "-export"
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let report = try await desk.lockbook.export(
            .path("/"),
            to: folder,
            options: ExportOptions(),
            progress: { _ in }
        )

        #expect(report.created == 3 && report.problems.isEmpty)
        #expect(
            try String(contentsOfFile: folder + "/own/theirs/deep/note.md", encoding: .utf8)
                == "deep words"
        )
    }

    @Test func `no second link to one target, and none in what is shared`() async throws {
        #expect(throws: LockbookError.acceptedAlready(path: "/own/theirs")) {
            _ = try desk.lockbook.acceptShare(id: offer.id, to: "/again")
        }
        await #expect(
            throws: LockbookError.badShare(
                path: "/own",
                reason: "it cannot be shared with a link in it"
            )
        ) {
            _ = try await desk.lockbook.share(.path("/own"), with: "ada", mode: .read)
        }
        try desk.write("/shared/a.md", "a")
        try await desk.sync()
        _ = try await desk.lockbook.share(.path("/shared"), with: "ada", mode: .read)
        try await desk.sync()
        #expect(throws: LockbookError.self) { try desk.move("/own/theirs", to: "/shared/") }
        #expect(throws: LockbookError.self) { try desk.move("/own", to: "/shared/") }
    }
}
