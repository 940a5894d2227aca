import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What others see of what leaves a share, and what becomes of their words in it.
extension DepartureTests {
    @Test(arguments: [false, true])
    func `what was moved out of a folder for its name is shown to nobody there`(isShared: Bool)
        async throws
    {
        let laptop = try await ada.firstDevice()
        for path in ["/work/private/secret.md", "/work/k/k.md", "/team/t.md"] {
            try laptop.write(path, path)
        }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/team"], .write, laptop, desk)
        if isShared {
            let phone = try await carol.firstDevice(named: "phone")
            try await share("/work/k", .read, laptop, phone)
        }
        let secret = try #require(
            FileID(hex: laptop.lockbook.info(.path("/work/private/secret.md")).id)
        )
        try laptop.move("/work/private", to: "/x")
        try laptop.move("/work", to: "/team/")
        try laptop.move("/x", to: "/work")

        try await push(laptop, showing: desk, never: secret)
        laptop.faults.tellTruth()
        try await converge(ada, laptop)
        #expect(try await laptop.text("/work/secret.md") == "/work/private/secret.md")
        #expect(try await laptop.text("/team/work/k/k.md") == "/work/k/k.md")
    }

    @Test func `what has to wait is not taken along to where others see it`() async throws {
        let laptop = try await ada.firstDevice()
        let notes = [
            "/s0/p/secret.md", "/s0/p/a.md", "/z/a.md", "/z2/a.md", "/x/e.md", "/x/x/f.md",
        ]
        for path in notes { try laptop.write(path, path) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/s0", "/z", "/x/e.md", "/x/x"], .read, laptop, desk)
        let phone = try await carol.firstDevice(named: "phone")
        try await share("/z2", .read, laptop, phone)
        let secret = try #require(FileID(hex: laptop.lockbook.info(.path("/s0/p/secret.md")).id))
        try laptop.move("/s0/p/secret.md", to: "/x/x/")
        try laptop.move("/s0/p", to: "/z2/")
        try laptop.move("/x", to: "/z/")
        try laptop.move("/z/x/x", to: "/")

        try await push(laptop, showing: phone, never: secret)
        #expect(try phone.paths().contains("/z2/p/a.md"))
        #expect(try await laptop.text("/x/secret.md") == "/s0/p/secret.md")
        laptop.faults.tellTruth()
        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try desk.paths().contains { $0.hasSuffix("x/secret.md") })
    }

    /// Syncs a device entry by entry; after each of them a member looks at what there is.
    private func push(_ laptop: Device, showing member: Device, never secret: FileID) async throws {
        var isDone = false
        for _ in 0..<12 where !isDone {
            laptop.faults.next("/v1/push", .answerLost)
            do {
                #expect(try await laptop.sync().notes.isEmpty)
                isDone = true
            } catch LockbookError.offline {}
            try await member.sync()
            let shown = try #require(
                try member.lockbook.shared(by: laptop.lockbook.store.context.owner)
            )
            #expect(try shown.store.read { try $0.row(secret) } == nil)
        }
        #expect(isDone)
    }

    @Test(arguments: ["plan.md", "sub/plan.md"])
    func `what a member wrote in a note that leaves is his own, and live`(name: String)
        async throws
    {
        let (laptop, desk) = try await shared(holding: [name, "stays.md"])
        try desk.write("/team/\(name)", "bob's words")
        try laptop.move(name == "plan.md" ? "/team/plan.md" : "/team/sub", to: "/")
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.contains { $0.kind == .keptOwn && $0.path == "/plan.md" })
        #expect(try await desk.text("/plan.md") == "bob's words")
        #expect(try desk.paths().sorted() == ["/plan.md", "/team", "/team/stays.md"])
        try await laptop.sync()
        try await converge(ada, laptop)
        try await converge(bob, desk)
        // The share that it left knows nothing of it.
        #expect(try laptop.lockbook.trash().isEmpty)
        #expect(try await laptop.text(name == "plan.md" ? "/plan.md" : "/sub/plan.md") == name)
    }

    @Test func `a member is told what left the share and what was purged in it`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "old.md", "stays.md"])
        try laptop.move("/team/plan.md", to: "/")
        _ = try laptop.lockbook.purge([.path("/team/old.md")])
        #expect(try await laptop.sync().purged == ["/team/old.md"])
        var asking = SyncOptions()
        asking.isDryRun = true
        let foreseen = try await desk.sync(asking)
        let report = try await desk.sync()
        #expect(foreseen.purged == ["/team/old.md"] && foreseen.left == ["/team/plan.md"])
        #expect(report.purged == foreseen.purged && report.left == foreseen.left)
        #expect(try desk.paths() == ["/team", "/team/stays.md"])
        // That the share as a whole ended is told as that alone.
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        let last = try await desk.sync()
        #expect(last.purged.isEmpty && last.left.isEmpty && last.notes.map(\.kind) == [.takenBack])
    }
}
