import LockbookEngine
import LockbookTestSupport
import Testing

/// What an admin of a share does, seen by who has shares inside of it, and what lies in its trash.
struct OuterAdminStoryTests {
    let laptop: Device
    let desk: Device
    let tablet: Device
    let phone: Device

    /// Bob is an admin of ada's folder; what eve and dan have differs.
    init() async throws {
        let server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        tablet = try await Person("eve", on: server).firstDevice(named: "tablet")
        phone = try await Person("dan", on: server).firstDevice(named: "phone")
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/team/deep/note.md", "note")
        try laptop.write("/team/deep/inner/own.md", "own")
        try await laptop.sync()
        try await share("/team", with: "bob", .admin)
        try accept(desk, "team")
    }

    private func syncAll() async throws {
        for _ in 0..<2 {
            for device in [laptop, desk, tablet, phone] { try await device.sync() }
        }
    }

    private func share(
        _ path: String,
        with name: String,
        _ mode: ShareRight,
        by device: Device? = nil
    ) async throws {
        _ = try await (device ?? laptop).lockbook.share(.path(path), with: name, mode: mode)
        try await syncAll()
    }

    private func revoke(_ path: String, of name: String, by device: Device) async throws {
        try device.lockbook.setShare(.path(path), of: name, to: nil)
        try await syncAll()
    }

    private func accept(_ device: Device, _ name: String) throws {
        let offer = try #require(try device.lockbook.offers().first { $0.name == name })
        _ = try device.lockbook.acceptShare(id: offer.id)
    }

    private func isSound() throws {
        for device in [laptop, desk, tablet, phone] {
            #expect(try device.lockbook.validate() == [])
        }
    }

    @Test func `who has a part alone stays when an admin of the whole takes it from somebody`()
        async throws
    {
        try await share("/team", with: "dan", .write)
        try accept(phone, "team")
        try await share("/team/deep", with: "eve", .read)
        try accept(tablet, "deep")
        try await revoke("/team", of: "dan", by: desk)
        #expect(try phone.paths() == [])
        try desk.write("/team/deep/note.md", "after")
        try await syncAll()
        #expect(try await tablet.text("/deep/note.md") == "after")
        #expect(try await laptop.text("/team/deep/note.md") == "after")
        try isSound()
    }

    @Test func `who has a part of a part is let in to the whole by an admin`() async throws {
        try await share("/team/deep", with: "dan", .read)
        try await share("/team/deep/inner", with: "eve", .read)
        try accept(tablet, "inner")
        try await share("/team", with: "eve", .write, by: desk)
        try accept(tablet, "team")
        #expect(try await tablet.text("/team/deep/inner/own.md") == "own")
        try tablet.write("/team/deep/note.md", "by eve")
        try await syncAll()
        #expect(try await laptop.text("/team/deep/note.md") == "by eve")
        try isSound()
    }

    @Test func `an admin lets somebody in where a part has no members any more`() async throws {
        try await share("/team/deep", with: "eve", .read)
        try await revoke("/team/deep", of: "eve", by: laptop)
        try await share("/team", with: "dan", .read, by: desk)
        try accept(phone, "team")
        #expect(try await phone.text("/team/deep/inner/own.md") == "own")
        try isSound()
    }

    @Test func `a folder in the trash goes along with its share and comes back`() async throws {
        try laptop.delete("/team/deep")
        try await syncAll()
        try await share("/team", with: "eve", .read)
        try accept(tablet, "team")
        try await share("/team", with: "dan", .write, by: desk)
        try accept(phone, "team")
        try await revoke("/team", of: "eve", by: laptop)
        #expect(try tablet.paths() == [])
        let gone = try #require(try laptop.lockbook.trash().first { $0.path == "/team/deep" })
        _ = try laptop.lockbook.restore([.id(prefix: gone.id)])
        try await syncAll()
        for device in [laptop, desk, phone] {
            #expect(try await device.text("/team/deep/note.md") == "note")
            #expect(try await device.text("/team/deep/inner/own.md") == "own")
        }
        try isSound()
    }

    @Test func `what is written in a folder that is in the trash is still refused`() async throws {
        try await share("/team", with: "dan", .write)
        try accept(phone, "team")
        try phone.write("/team/deep/note.md", "by dan")
        try laptop.delete("/team/deep")
        try await laptop.sync()
        try await syncAll()
        #expect(try !laptop.paths().contains("/team/deep/"))
        #expect(try laptop.lockbook.trash().contains { $0.path == "/team/deep" })
        try isSound()
    }

    @Test func `who has a part alone takes more from an admin who may write there as a member`()
        async throws
    {
        try await share("/team/deep", with: "bob", .write)
        try await share("/team/deep/inner", with: "eve", .write)
        try await share("/team/deep", with: "eve", .read, by: desk)
        try accept(tablet, "deep")
        try await syncAll()
        #expect(try await tablet.text("/deep/note.md") == "note")
        #expect(try await tablet.text("/deep/inner/own.md") == "own")
        try isSound()
    }
}
