import LockbookEngine
import LockbookTestSupport
import Testing

/// A transfer whose steps are cut off, taken back, or made by two devices.
extension TransferStoryTests {
    @Test func `who syncs late keeps the words that were not synced, and finds the new share`()
        async throws
    {
        try tablet.write("/from others/team of ada/plan.md", "only on the tablet")
        try await give()
        try await take()
        try await sync(desk, laptop)
        // Given on, before eve has seen anything of it.
        _ = try desk.lockbook.transfer(.path("/ours"), to: "ada")
        try await sync(desk, laptop, times: 1)
        try await take(laptop)
        try await sync(laptop, desk)

        let report = try await tablet.sync()
        #expect(Set(report.notes.map(\.kind)) == [.keptOwn, .transferred])
        try await isAgreed()
        #expect(try await tablet.text("/plan.md") == "only on the tablet")
        #expect(try await tablet.text("/from others/team of ada/plan.md") == "plan")
        #expect(try laptop.paths().contains("/work/team/plan.md"))
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob", "eve"])
        #expect(try desk.lockbook.shares().isEmpty)
        #expect(try await desk.text("/ours/plan.md") == "plan")
    }

    @Test func `what continues a document has its link's name, beside words that were not synced`()
        async throws
    {
        try laptop.write("/list.md", "one")
        try await laptop.sync()
        for name in ["bob", "eve"] {
            _ = try await laptop.lockbook.share(.path("/list.md"), with: name, mode: .write)
        }
        try await laptop.sync()
        try await tablet.sync()
        let offer = try #require(try tablet.lockbook.offers().first)
        _ = try tablet.lockbook.acceptShare(id: offer.id)
        try await give("/list.md")
        try await take()
        try await sync(desk, tablet, times: 1)
        try tablet.write("/list.md", "eve's own words")
        try await laptop.sync()

        let report = try await tablet.sync()
        #expect(Set(report.notes.map(\.kind)) == [.keptOwn, .transferred])
        #expect(try await tablet.text("/list.md") == "one")
        #expect(try await tablet.text("/list-1.md") == "eve's own words")
        try await isAgreed()
    }

    @Test func `every step may be cut off, and the next sync goes on`() async throws {
        try await give()
        try await take()
        desk.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try await desk.sync()
        for fault in [WireFaults.Fault.answerLost, .lost, .answerLost] {
            laptop.faults.next("/v1/push", fault)
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
        }
        // Between the steps others write what they can.
        try await tablet.sync()
        try desk.write("/ours/plan.md", "by bob")
        try await desk.sync()
        try await laptop.sync()
        try await isAgreed()
        #expect(try await laptop.text("/work/team/plan.md") == "by bob")
        #expect(try await tablet.text("/from others/team of ada/plan.md") == "by bob")
        #expect(try laptop.lockbook.shares().isEmpty)
        #expect(try laptop.lockbook.status().transfers == nil)
    }

    @Test func `both devices of the earlier owner let go, and both of the new one accept`()
        async throws
    {
        let phone = try await ada.device(named: "phone", like: laptop)
        let second = try await bob.device(named: "second", like: desk)
        try await give()
        try await second.sync()
        try await take()
        try await take(second)
        try await sync(desk, second)
        try phone.write("/work/team/plan.md", "by the phone")
        try await sync(laptop, phone)
        try await sync(desk, second, tablet)
        try await isAgreed()
        for device in [desk, second] {
            #expect(
                try device.paths().filter { !$0.dropFirst().dropLast().contains("/") } == ["/ours/"]
            )
        }
        #expect(try await phone.snapshot() == laptop.snapshot())
        #expect(
            try phone.lockbook.list(.path("/work"), recursive: false).map(\.name) == [
                "secret.md", "team",
            ]
        )
        // What the phone wrote where the laptop had let go already is in its trash.
        let texts = try await [desk.text("/ours/plan.md"), phone.text("/work/team/plan.md")]
        #expect(texts == ["plan", "plan"])
        #expect(try phone.lockbook.trash().map(\.path).contains("/work/team"))
    }

    @Test func `taken back before it was accepted, it is an ordinary share again`() async throws {
        try await give()
        _ = try laptop.lockbook.cancelTransfer(.path("/work/team"))
        try await sync(laptop, desk)
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try desk.lockbook.status().givers == nil)
        try await isAgreed()
        #expect(try await desk.text("/ours/plan.md") == "plan")
        #expect(
            throws: LockbookError.badShare(path: "/work/team", reason: "nobody is offered it")
        ) {
            try laptop.lockbook.cancelTransfer(.path("/work/team"))
        }
        // Offered once more, and the member is removed.
        try await give()
        #expect(try desk.lockbook.status().givers == ["ada"])
        try laptop.lockbook.setShare(.path("/work/team"), of: "bob", to: nil)
        try await sync(laptop, desk)
        #expect(try laptop.lockbook.status().transfers == nil)
        #expect(try desk.lockbook.offers().isEmpty)
    }

    @Test func `taken back while it was accepted, both have theirs`() async throws {
        try await give()
        try await take()
        try await desk.sync()
        _ = try laptop.lockbook.cancelTransfer(.path("/work/team"))
        try await sync(laptop, desk, tablet)

        #expect(try laptop.paths().contains("/work/team/plan.md"))
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob", "eve"])
        #expect(try desk.paths().contains("/ours/plan.md"))
        // Each is offered to who has no link to it.
        #expect(try laptop.lockbook.offers().map(\.from) == ["bob"])
        #expect(try desk.lockbook.offers().map(\.from) == ["ada"])
        #expect(try await tablet.text("/from others/team of ada/plan.md") == "plan")
        try await isAgreed()
        // Offered again, what was made of the first offer does not count.
        try await give()
        try await laptop.sync()
        #expect(try laptop.lockbook.status().transfers == 1)
        #expect(try laptop.paths().contains("/work/team/plan.md"))
        let offer = try #require(try desk.lockbook.offers().first { $0.transfer })
        #expect(try await desk.lockbook.accept(id: offer.id).path == "/team")
        try await sync(desk, laptop)
        #expect(try laptop.lockbook.status().transfers == nil)
        try await isAgreed()
        try desk.write("/team/plan.md", "the second")
        try await isAgreed()
        #expect(try await laptop.text("/work/team/plan.md") == "the second")
        #expect(try await tablet.text("/from others/team of ada/plan.md") == "the second")
    }
}
