import LockbookEngine
import LockbookTestSupport
import Testing

/// A server that was put back to before a checkpoint of a log with shares, or to after one.
extension RollbackSharedTests {
    private func letGo(_ laptop: Device, _ text: String) async throws {
        let signing = try laptop.again(signingAfter: 1)
        try signing.write("/signed.md", text)
        try await signing.sync()
        try await people.server.collect(afterDays: 91)
    }

    @Test func `a checkpoint that the server lost is signed again`() async throws {
        let (laptop, desk) = try await shared()
        try await losing {
            try desk.write("/team/plan.md", "plan of bob")
            try await desk.sync()
            try await laptop.sync()
            try await letGo(laptop, "lost")
            try await desk.sync()
        }
        try await accept(laptop)
        try await accept(desk)
        try await letGo(laptop, "again")
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
        #expect(try await laptop.text("/team/plan.md") == "plan of bob")
    }

    @Test
    func `a server that kept a checkpoint and lost what came after it is followed back to it`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try await letGo(laptop, "kept")
        try await desk.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        let notebook = try await bob.device(named: "notebook", like: desk)
        try await losing {
            try desk.write("/team/words.md", "bob's words")
            try await desk.sync()
            try await phone.sync()
            try phone.write("/team/plan.md", "plan of ada's phone")
            try await phone.sync()
            try await notebook.sync()
            try await laptop.sync()
        }
        try await accept(phone)
        try await accept(notebook)
        try await accept(laptop)
        try await accept(desk)
        try await accept(phone)
        try await isWhole(bob, desk, notebook)
        try await isWhole(ada, laptop, phone)
        #expect(try await laptop.text("/team/words.md") == "bob's words")
        #expect(try await desk.text("/team/plan.md") == "plan of ada's phone")
    }

    @Test func `who begins with a checkpoint takes a share back as the server has forgotten it`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try await letGo(laptop, "kept")
        let phone = try await ada.device(named: "phone", like: laptop)
        try await losing {
            try await takeBack(phone)
            try await desk.sync()
        }
        let report = try await accept(phone)
        #expect(report.rollback?.grants.map(\.username) == ["bob"])
        try await accept(desk)
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        try await accept(laptop)
        try await isWhole(ada, phone, laptop)
        try await isWhole(bob, desk)
    }
}
