import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookServer
import LockbookTestSupport
import Testing

/// What those have then who saw one of the shares, and what they are not shown.
extension MovedShareTests {
    /// The scopes that a file of ada's was ever in, as the server has it.
    private func scopes(of file: String) async throws -> [String] {
        let id = try #require(FileID(hex: file))
        let name = try laptop.lockbook.accountInfo().id
        let ada = try #require(Hash256([UInt8](hex: name) ?? []))
        return try await people.server.folder.store.read { store in
            let account = try #require(try store.account(id: AccountID(hash: ada)))
            let found = try store.versions(of: [id], in: account.key, before: .max >> 1, limit: 99)
            return try found.versions.map { try FileRecord($0.bytes).facts.scope.description }
        }
    }

    @Test func `what was moved out of a folder before that comes into a share is not shown there`()
        async throws
    {
        try laptop.write("/box/own.md", "own")
        try laptop.write("/box/deep/secret.md", "secret")
        try laptop.move("/sub", to: "/box/")
        try await syncAll()
        let secret = try laptop.lockbook.info(.path("/box/deep/secret.md")).id
        try laptop.move("/box/deep/secret.md", to: "/")
        try laptop.move("/box", to: "/team/")
        try await syncAll()
        #expect(
            try desk.paths() == [
                "/team", "/team/box/", "/team/box/deep/", "/team/box/own.md", "/team/box/sub/",
                "/team/box/sub/deep/", "/team/box/sub/deep/note.md", "/team/plan.md",
            ]
        )
        let team = try laptop.lockbook.info(.path("/team")).id
        #expect(try await scopes(of: secret).allSatisfy { $0 != team })
        try await convergeAll()
    }

    @Test func `what was moved from there into another share that moves is not shown there either`()
        async throws
    {
        let dave = Person("dave", on: people.server)
        let phone = try await dave.firstDevice(named: "phone")
        try laptop.write("/box/own.md", "own")
        try laptop.write("/box/secret.md", "secret")
        try laptop.write("/gift/a.md", "a")
        try await laptop.sync()
        try await share(["/gift", "/club"], .write, laptop, phone)
        try laptop.move("/sub", to: "/box/")
        try await syncAll()
        let secret = try laptop.lockbook.info(.path("/box/secret.md")).id
        try laptop.move("/box/secret.md", to: "/gift/")
        try laptop.move("/box", to: "/team/")
        try laptop.move("/gift", to: "/club/")
        try await syncAll()
        try await phone.sync()
        #expect(try await text(phone, "/club/gift/secret.md") == "secret")
        #expect(try !desk.paths().contains { $0.contains("secret") })
        // Not even for a moment.
        let team = try laptop.lockbook.info(.path("/team")).id
        #expect(try await scopes(of: secret).allSatisfy { $0 != team })
        try await convergeAll()
        try await converge(dave, phone)
    }

    @Test func `who is a member of both has one place for it, and his link stays`() async throws {
        try await share("/team", .read, laptop, tablet)
        #expect(try tablet.paths().contains("/sub/deep/note.md"))
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        #expect(
            try tablet.paths() == [
                "/sub", "/team", "/team/plan.md", "/team/sub/", "/team/sub/deep/",
                "/team/sub/deep/note.md",
            ]
        )
        #expect(try await tablet.text("/sub/deep/note.md") == "note")
        try tablet.write("/sub/deep/note.md", "by carol")
        try await syncAll()
        #expect(try await text(desk, "/team/sub/deep/note.md") == "by carol")
        #expect(throws: LockbookError.readOnly(path: "/team/plan.md")) {
            try tablet.write("/team/plan.md", "x")
        }
        try laptop.move("/team/sub", to: "/")
        try await syncAll()
        #expect(
            try tablet.paths() == [
                "/sub", "/sub/deep/", "/sub/deep/note.md", "/team", "/team/plan.md",
            ]
        )
        #expect(try tablet.lockbook.offers().isEmpty)
        try await convergeAll()
    }

    @Test func `who reached it through the outer share alone is offered it when it leaves`()
        async throws
    {
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        _ = try await laptop.lockbook.share(.path("/team/sub"), with: "bob", mode: .read)
        try await syncAll()
        #expect(try desk.lockbook.offers().isEmpty)
        try laptop.move("/team/sub", to: "/")
        try await syncAll()
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        #expect(try await text(desk, "/sub/deep/note.md") == "note")
        #expect(throws: LockbookError.readOnly(path: "/sub/deep/note.md")) {
            try desk.write("/sub/deep/note.md", "x")
        }
        try await convergeAll()
    }

    @Test func `unsynced words of who loses it become documents of his own`() async throws {
        try laptop.move("/sub", to: "/team/")
        try await syncAll()
        try desk.write("/team/sub/deep/note.md", "words of bob")
        try desk.write("/team/sub/new.md", "new words of bob")
        try laptop.move("/team/sub", to: "/")
        try await laptop.sync()
        try await syncAll()
        #expect(try desk.paths() == ["/new.md", "/note.md", "/team", "/team/plan.md"])
        #expect(try await text(desk, "/new.md") == "new words of bob")
        #expect(try await text(desk, "/note.md") == "words of bob")
        #expect(try desk.lockbook.trash().isEmpty)
        try await convergeAll()
    }
}
