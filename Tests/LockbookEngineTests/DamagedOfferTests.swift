import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Somebody who shares what he likes with others, and spoils it.
struct DamagedOfferTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// Ada's laptop with notes below `/team`, offered to bob, whose desk knows of it.
    private func offered(_ notes: [String]) async throws -> (laptop: Device, desk: Device) {
        let laptop = try await ada.firstDevice()
        for note in notes { try laptop.write("/team/\(note)", note) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind) == [.offered])
        return (laptop, desk)
    }

    @Test func `nonsense over what nobody accepted is no news, as often as it is signed`()
        async throws
    {
        let (laptop, desk) = try await offered(["plan.md"])
        let intruder = try Intruder(owner: laptop, of: "/team")
        let shown = "damaged-\(intruder.scope.description.prefix(12))"
        for _ in 0..<2 {
            try await intruder.write(.body)
            #expect(try await desk.sync().notes.isEmpty)
            #expect(try desk.lockbook.offers().map(\.name) == [shown])
        }
        // Nor where it came before anything else did.
        let phone = try await bob.device(named: "phone", like: desk, synced: false)
        #expect(try await phone.sync().notes.allSatisfy { $0.kind == .offered })

        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])
    }

    @Test func `nonsense over what was accepted is told by its link`() async throws {
        let (laptop, desk) = try await offered(["plan.md"])
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id, to: "/ours")
        try await desk.sync()
        try await Intruder(owner: laptop, of: "/team").write(.body)
        let report = try await desk.sync()
        #expect(report.notes.map(\.kind) == [.damaged])
        #expect(report.notes.map(\.path) == ["/ours"])
        #expect(try await desk.text("/ours/plan.md") == "plan.md")

        try desk.lockbook.leaveShare(.path("/ours"))
        try await Intruder(owner: laptop, of: "/team").write(.body)
        #expect(try await desk.sync().notes.isEmpty)
    }

    /// Ada offers bob `/team`, and `/team/sub/deep` by itself, and spoils the folder between them, as it is
    /// told after that.
    private func shut(
        _ laptop: Device,
        _ desk: Device,
        besides last: () async throws -> Void = {}
    ) async throws -> String {
        try laptop.write("/team/sub/deep/note.md", "note")
        try await laptop.sync()
        for path in ["/team", "/team/sub/deep"] {
            _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .read)
            try await laptop.sync()
            try await desk.sync()
        }
        try await last()
        try await Intruder(owner: laptop, of: "/team").write(.wrappedKey, over: "sub")
        return "damaged-\(try laptop.lockbook.info(.path("/team/sub/deep")).id.prefix(12))"
    }

    @Test func `what does not open of one account's offers keeps no other's share back`()
        async throws
    {
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(holding: ["/hers/note.md": "hers"])
        try await share("/hers", .write, tablet, desk)
        let shown = try await shut(try await ada.firstDevice(), desk)
        try await desk.sync()
        #expect(try Set(desk.lockbook.offers().map(\.name)) == ["team", shown])

        try tablet.write("/hers/note.md", "later")
        try await tablet.sync()
        try await desk.sync()
        #expect(try await desk.text("/hers/note.md") == "later")
        try desk.write("/hers/note.md", "of bob")
        try await desk.sync()
        try await tablet.sync()
        #expect(try await tablet.text("/hers/note.md") == "of bob")
    }

    @Test func `what does not open of what an invitation promised keeps nothing back`()
        async throws
    {
        let (laptop, desk) = (
            try await ada.firstDevice(), try await bob.firstDevice(named: "desk")
        )
        let shown = try await shut(laptop, desk) {
            let invitation = try await laptop.lockbook.invite(
                .path("/team/sub/deep"),
                mode: .write,
                lasting: 86_400_000
            )
            _ = try await desk.lockbook.acceptInvitation(invitation.code)
            try await laptop.sync()
        }
        try desk.write("/own.md", "own")
        #expect(try await desk.sync().notes.contains { $0.path == "/" + shown })
        let phone = try await bob.device(named: "phone", like: desk)
        #expect(try await phone.text("/own.md") == "own")
    }

    @Test func `much that is deleted in what nobody accepted asks nobody`() async throws {
        let (laptop, desk) = try await offered((1...30).map { "\($0).md" })
        for number in 1...25 { try laptop.delete("/team/\(number).md") }
        try await laptop.sync()
        #expect(try await desk.sync().notes.isEmpty)

        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try laptop.write("/team/more.md", "more")
        for number in 31...60 { try laptop.write("/team/\(number).md", "\(number)") }
        try await laptop.sync()
        try await desk.sync()
        for number in 31...60 { try laptop.delete("/team/\(number).md") }
        try await laptop.sync()
        await #expect {
            try await desk.sync()
        } throws: { error in
            if case LockbookError.stopped = error { true } else { false }
        }
    }
}
