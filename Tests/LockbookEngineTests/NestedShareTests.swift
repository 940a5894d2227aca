import LockbookEngine
import LockbookTestSupport
import Testing

/// Shares inside of shares: who reaches what, and what is left when one of them ends.
struct NestedShareTests {
    let server: TestServer
    let ada: Person
    let bob: Person
    let eve: Person
    let laptop: Device
    let desk: Device
    let tablet: Device

    init() async throws {
        server = try TestServer()
        (ada, bob, eve) = (
            Person("ada", on: server), Person("bob", on: server), Person("eve", on: server)
        )
        laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/team/sub/deep/note.md", "note")
        try laptop.write("/secret.md", "secret")
        try await laptop.sync()
        desk = try await bob.firstDevice(named: "desk")
        tablet = try await eve.firstDevice(named: "tablet")
    }

    private func share(_ path: String, with name: String, _ mode: ShareRight) async throws {
        _ = try await laptop.lockbook.share(.path(path), with: name, mode: mode)
        try await syncAll()
    }

    private func revoke(_ path: String, of name: String) async throws {
        try laptop.lockbook.setShare(.path(path), of: name, to: nil)
        try await syncAll()
    }

    private func syncAll() async throws {
        for _ in 0..<2 {
            for device in [laptop, desk, tablet] { try await device.sync() }
        }
    }

    private func accept(_ device: Device, _ name: String) throws {
        let offer = try #require(try device.lockbook.offers().first { $0.name == name })
        _ = try device.lockbook.acceptShare(id: offer.id)
    }

    private func isSound() throws {
        for device in [laptop, desk, tablet] { #expect(try device.lockbook.validate() == []) }
    }

    @Test func `a part of a share is shared with somebody else, and both work in it`() async throws
    {
        try await share("/team", with: "bob", .write)
        try accept(desk, "team")
        try await share("/team/sub", with: "eve", .write)
        try accept(tablet, "sub")
        #expect(
            try tablet.paths() == ["/sub", "/sub/deep/", "/sub/deep/note.md"]
        )
        try desk.write("/team/sub/deep/note.md", "note by bob")
        try await syncAll()
        #expect(try await tablet.text("/sub/deep/note.md") == "note by bob")
        try tablet.write("/sub/new.md", "by eve")
        try tablet.move("/sub/deep/note.md", to: "/sub/moved.md")
        try await syncAll()
        for (device, path) in [(laptop, "/team/sub"), (desk, "/team/sub"), (tablet, "/sub")] {
            #expect(try await device.text(path + "/new.md") == "by eve")
            #expect(try await device.text(path + "/moved.md") == "note by bob")
        }
        #expect(throws: LockbookError.ownersToChange(path: "/team/sub")) {
            try desk.move("/team/sub", to: "/team/other")
        }
        try isSound()
        let other = try await bob.device(named: "other", like: desk)
        #expect(try await other.text("/team/sub/moved.md") == "note by bob")
        let phone = try await eve.device(named: "phone", like: tablet)
        #expect(try await phone.text("/sub/moved.md") == "note by bob")
        try await converge(ada, laptop)
    }

    @Test func `what contains a share is shared, and the new member sees all of it`() async throws {
        try await share("/team/sub/deep", with: "eve", .write)
        try accept(tablet, "deep")
        try tablet.write("/deep/note.md", "note by eve")
        try await share("/team", with: "bob", .write)
        try accept(desk, "team")

        #expect(try await desk.text("/team/sub/deep/note.md") == "note by eve")
        try desk.write("/team/sub/deep/note.md", "note by bob")
        try tablet.write("/deep/more.md", "more by eve")
        try await syncAll()
        #expect(try await tablet.text("/deep/note.md") == "note by bob")
        #expect(try await desk.text("/team/sub/deep/more.md") == "more by eve")
        try isSound()
        let other = try await bob.device(named: "other", like: desk)
        #expect(try await other.text("/team/sub/deep/more.md") == "more by eve")
    }

    @Test func `a right to a part of what was accepted is listed, and by the place it has here`()
        async throws
    {
        for name in ["bob", "eve"] {
            try await share("/team", with: name, .read)
            if name == "bob" { try accept(desk, "team") }
            try await share("/team/sub", with: name, .write)
        }
        try accept(tablet, "sub")

        let seen = try desk.lockbook.sharesOfOthers()
        #expect(seen.map(\.path) == ["/team", "/team/sub"])
        #expect(seen.map(\.mode) == [.read, .write])
        #expect(seen.allSatisfy { $0.username == "bob" })
        let part = try tablet.lockbook.sharesOfOthers()
        #expect(part.map(\.path) == ["/sub"])
        #expect(part.map(\.mode) == [.write])
    }

    @Test func `the outer share is taken back and the inner one stays`() async throws {
        try await share("/team", with: "bob", .write)
        try accept(desk, "team")
        try await share("/team/sub", with: "bob", .read)
        #expect(try desk.lockbook.offers().isEmpty)
        // The higher mode of both.
        try desk.write("/team/sub/deep/note.md", "by bob")
        try await syncAll()
        #expect(try await laptop.text("/team/sub/deep/note.md") == "by bob")

        try await revoke("/team", of: "bob")
        #expect(try desk.paths().isEmpty)
        try laptop.write("/team/plan.md", "later")
        try laptop.write("/team/sub/deep/note.md", "later note")
        try await syncAll()
        try accept(desk, "sub")
        #expect(try desk.paths() == ["/sub", "/sub/deep/", "/sub/deep/note.md"])
        #expect(try await desk.text("/sub/deep/note.md") == "later note")
        #expect(throws: LockbookError.readOnly(path: "/sub/deep/note.md")) {
            try desk.write("/sub/deep/note.md", "x")
        }
        try isSound()
        try await desk.sync()
        let other = try await bob.device(named: "other", like: desk)
        #expect(try other.paths() == ["/sub", "/sub/deep/", "/sub/deep/note.md"])

        try await share("/team", with: "bob", .read)
        try accept(desk, "team")
        #expect(try await desk.text("/team/sub/deep/note.md") == "later note")
        #expect(try await desk.text("/sub/deep/note.md") == "later note")
        // Shown behind one of the two links.
        #expect(
            try desk.paths() == [
                "/sub", "/team", "/team/plan.md", "/team/sub/", "/team/sub/deep/",
                "/team/sub/deep/note.md",
            ]
        )
        try isSound()
    }

    @Test func `what was read through the outer share is not blamed on the server`() async throws {
        try await share("/team", with: "bob", .write)
        try accept(desk, "team")
        try await desk.sync()
        try laptop.write("/team/sub/deep/note.md", "later note")
        try await syncAll()
        try await share("/team/sub", with: "bob", .write)
        try await revoke("/team", of: "bob")
        try accept(desk, "sub")
        try await desk.sync()

        let other = try await bob.device(named: "other", like: desk)
        let path = "/sub/deep/note.md"
        let versions = try await other.lockbook.history(.path(path)).versions
        #expect(try await other.text(path, version: versions[0]) == "later note")
        let old = try #require(versions.last)
        await #expect(throws: LockbookError.versionGone(path: path, why: .notShared)) {
            try await other.text(path, version: old)
        }
    }

    @Test func `the inner share is taken back and the outer one stays`() async throws {
        try await share("/team/sub", with: "bob", .write)
        try accept(desk, "sub")
        try await share("/team", with: "bob", .read)
        try accept(desk, "team")
        try desk.write("/sub/deep/note.md", "by bob")
        try desk.write("/sub/new.md", "new by bob")
        try await syncAll()

        try await revoke("/team/sub", of: "bob")
        try laptop.write("/team/sub/deep/note.md", "later")
        try await syncAll()
        #expect(try await desk.text("/team/sub/deep/note.md") == "later")
        #expect(try await desk.text("/team/sub/new.md") == "new by bob")
        #expect(throws: LockbookError.readOnly(path: "/team/sub/new.md")) {
            try desk.write("/team/sub/new.md", "x")
        }
        #expect(try !desk.paths().contains("/sub"))
        try isSound()
        let other = try await bob.device(named: "other", like: desk)
        #expect(try await other.text("/team/sub/deep/note.md") == "later")
    }

    @Test func `unsynced words survive that both shares are taken back`() async throws {
        try await share("/team", with: "bob", .write)
        try accept(desk, "team")
        try await share("/team/sub", with: "bob", .write)
        try desk.write("/team/plan.md", "plan of bob")
        try desk.write("/team/sub/deep/note.md", "note of bob")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try laptop.lockbook.setShare(.path("/team/sub"), of: "bob", to: nil)
        try await laptop.sync()
        try await syncAll()

        #expect(try desk.paths() == ["/note.md", "/plan.md"])
        #expect(try await desk.text("/note.md") == "note of bob")
        #expect(try desk.lockbook.offers().isEmpty)
        try isSound()
    }

    @Test func `unsynced words in the inner share are pushed when the outer one ends`() async throws
    {
        try await share("/team", with: "bob", .write)
        try accept(desk, "team")
        try await share("/team/sub", with: "bob", .write)
        try desk.write("/team/sub/deep/note.md", "note of bob")
        try desk.write("/team/sub/new.md", "new of bob")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await syncAll()

        #expect(try await laptop.text("/team/sub/deep/note.md") == "note of bob")
        #expect(try await laptop.text("/team/sub/new.md") == "new of bob")
        try isSound()
    }

    @Test func `who may write outside is let in and removed while the inner members look on`()
        async throws
    {
        try await share("/team/sub", with: "eve", .read)
        try accept(tablet, "sub")
        try await share("/team", with: "bob", .read)
        try accept(desk, "team")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .write)
        try await syncAll()
        try desk.write("/team/sub/new.md", "by bob")
        try await syncAll()
        #expect(try await tablet.text("/sub/new.md") == "by bob")
        try await revoke("/team", of: "bob")
        try laptop.write("/team/sub/new.md", "without bob")
        try await syncAll()
        #expect(try await tablet.text("/sub/new.md") == "without bob")
        #expect(try desk.paths().isEmpty)
        try isSound()
    }

    @Test func `three shares stand inside of each other`() async throws {
        try await share("/team", with: "bob", .write)
        try accept(desk, "team")
        try await share("/team/sub/deep", with: "eve", .read)
        try accept(tablet, "deep")
        try await share("/team/sub", with: "eve", .write)
        try accept(tablet, "sub")
        try tablet.write("/deep/note.md", "by eve")
        try desk.write("/team/sub/by bob.md", "by bob")
        try await syncAll()
        #expect(try await laptop.text("/team/sub/deep/note.md") == "by eve")
        #expect(try await tablet.text("/sub/by bob.md") == "by bob")
        try await revoke("/team/sub", of: "eve")
        #expect(try await tablet.text("/deep/note.md") == "by eve")
        #expect(try tablet.paths() == ["/deep", "/deep/note.md"])
        try laptop.write("/team/sub/deep/note.md", "by ada")
        try await syncAll()
        #expect(try await tablet.text("/deep/note.md") == "by ada")
        #expect(try await desk.text("/team/sub/deep/note.md") == "by ada")
        try isSound()
        try await converge(ada, laptop)
    }
}
