import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What leaves a share gets new keys in an entry of its own, before what else was changed.
struct DepartureTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test(arguments: [false, true])
    func `a folder leaves its share for the name of what leaves with it`(isTaken: Bool) async throws
    {
        let laptop = try await ada.firstDevice()
        let names = isTaken ? ["w.md", "w-1.md", "w-2.md"] : ["w.md"]
        for name in names { try laptop.write("/one/\(name)", name) }
        try laptop.write("/two/w.md/deep.md", "deep")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/one", "/two"], .write, laptop, desk)
        // One name goes in the same entries, another stays.
        if isTaken { try laptop.move("/one/w-1.md", to: "/two/") }
        try laptop.move("/one/w.md", to: "/two/w.md/")
        try laptop.move("/two/w.md", to: "/one/")

        let report = try await laptop.sync()
        #expect(!report.notes.contains { $0.kind == .notPushed })
        try await converge(ada, laptop)
        try await converge(bob, desk)
        let expected =
            ["/one", "/one/w.md/", "/one/w.md/deep.md", "/one/w.md/w.md", "/two"]
            + (isTaken ? ["/one/w-2.md", "/two/w-1.md"] : [])
        for device in [laptop, desk] {
            #expect(
                try Set(device.paths().map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
                    == Set(expected.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
            )
            #expect(try await device.text("/one/w.md/w.md") == "w.md")
            #expect(try await device.text("/one/w.md/deep.md") == "deep")
        }
    }

    @Test func `what goes into a folder that another one takes along waits for its keys`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        for path in ["/z/d.bin", "/x/e.md", "/x/x/f.md"] { try laptop.write(path, path) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/z", "/x/e.md", "/x/x"], .read, laptop, desk)
        try laptop.move("/z/d.bin", to: "/x/x/")
        try laptop.move("/x", to: "/z/")
        // Its name is held at the server until the folder that it stood in has gone.
        try laptop.move("/z/x/x", to: "/")

        let report = try await laptop.sync()
        #expect(report.notes.isEmpty)
        #expect(try laptop.lockbook.status().changes.isEmpty)
        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try await laptop.text("/x/d.bin") == "/z/d.bin")
        #expect(try desk.paths().contains { $0.hasSuffix("x/d.bin") })
    }

    @Test func `a share takes the name of the folder that goes below it, out of which it comes`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        for path in ["/f/g.md", "/f/s/t.md", "/z/d.md"] { try laptop.write(path, path) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/f/s", "/z"], .read, laptop, desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.move("/z", to: "/f/s/")
        try await phone.sync()
        // As they stand at the server, the folder would go below itself.
        try laptop.move("/f", to: "/z/")
        try laptop.move("/z/f/s", to: "/f")

        let report = try await laptop.sync()
        #expect(report.notes.allSatisfy { $0.kind != .notPushed })
        #expect(try laptop.lockbook.status().changes.isEmpty)
        try await converge(ada, laptop, phone)
        try await desk.sync()
        for device in [laptop, phone] {
            #expect(try await device.text("/f/t.md") == "/f/s/t.md")
            #expect(try await device.text("/f/z/d.md") == "/z/d.md")
            #expect(try await device.text("/f/z/f/g.md") == "/f/g.md")
        }
        #expect(try desk.paths().contains { $0.hasSuffix("z/f/g.md") })
    }

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

    @Test func `a chain of names that what leaves a share sets free`() async throws {
        let laptop = try await ada.firstDevice()
        for path in ["/z/t/r/r.md", "/z/q/q.md", "/z/t/t.md"] { try laptop.write(path, path) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/z"], .write, laptop, desk)
        try laptop.move("/z/t/r", to: "/z/tmp")
        try laptop.move("/z/t", to: "/")
        try laptop.move("/z/q", to: "/z/t")
        try laptop.move("/z/tmp", to: "/z/q")

        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.status().changes.isEmpty)
        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try await desk.text("/z/q/r.md") == "/z/t/r/r.md")
        #expect(try await desk.text("/z/t/q.md") == "/z/q/q.md")
        #expect(try await laptop.text("/t/t.md") == "/z/t/t.md")
    }

    @Test func `what goes out of a folder, to above it, into one that takes its name`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        for path in ["/t/f/f.md", "/t/k/k.md", "/p/p.md"] { try laptop.write(path, path) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/t/f", "/t/k"], .read, laptop, desk)
        try laptop.move("/t/f", to: "/p/")
        try laptop.move("/t", to: "/p/f/")
        try laptop.move("/p", to: "/t")

        // A server would not have it in one entry, and the rest is synced all the same.
        try laptop.write("/other.md", "other")
        _ = try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try await phone.text("/other.md") == "other")
    }

    @Test func `a share that leaves another one changes places with a folder of its name`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        for path in ["/z/w/inner.md", "/w/outer.md"] { try laptop.write(path, path) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/z/w", "/z"], .read, laptop, desk)
        try laptop.move("/z/w", to: "/other")
        try laptop.move("/w", to: "/z/")
        try laptop.move("/other", to: "/w")

        let report = try await laptop.sync()
        #expect(report.notes.isEmpty, "\(report.notes)")
        #expect(try laptop.lockbook.status().changes.isEmpty)
        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try await laptop.text("/w/inner.md") == "/z/w/inner.md")
        #expect(try await laptop.text("/z/w/outer.md") == "/w/outer.md")
        #expect(try await desk.text("/z/w/outer.md") == "/w/outer.md")
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

    @Test(arguments: ["put back", "purged", "deleted there and purged"])
    func `what became of a file while it is not known whether its departure arrived`(
        how: String
    ) async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "stays.md"])
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.move("/team/plan.md", to: "/")
        if how == "deleted there and purged" {
            try laptop.delete("/team/plan.md")
            try await laptop.sync()
        }
        phone.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await phone.sync() }
        switch how {
        case "put back": try phone.move("/plan.md", to: "/team/")
        case "purged": _ = try phone.lockbook.purge([.path("/plan.md")])
        default: _ = try phone.lockbook.emptyTrash()
        }

        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
        let isThere = how == "put back"
        #expect(try laptop.paths().contains("/team/plan.md") == isThere)
        #expect(try desk.paths().contains("/team/plan.md") == isThere)
        #expect(try laptop.lockbook.trash().isEmpty)
        if isThere { #expect(try await desk.text("/team/plan.md") == "plan.md") }
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
        #expect(foreseen.purged == ["/team/old.md", "/team/plan.md"])
        #expect(report.purged == foreseen.purged)
        #expect(try desk.paths() == ["/team", "/team/stays.md"])
        // That the share as a whole ended is told as that alone.
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        let last = try await desk.sync()
        #expect(last.purged.isEmpty && last.notes.map(\.kind) == [.takenBack])
    }

    /// Its name is wanted by a new file, which goes after it.
    @Test func `a file moves into what leaves its share`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/x/plan.md", "plan")
        try laptop.write("/team/z/x/deep.md", "deep")
        try laptop.write("/d.md", "first")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/team"], .write, laptop, desk)
        try laptop.move("/team/x", to: "/")
        try laptop.move("/d.md", to: "/team/")
        try laptop.write("/d.md", "second")
        try laptop.move("/team/d.md", to: "/x/")
        let report = try await laptop.sync()
        #expect(report.notes.isEmpty, "\(report.notes)")
        try await converge(ada, laptop)
        try await converge(bob, desk)
        #expect(try await laptop.text("/d.md") == "second")
        #expect(try await laptop.text("/x/d.md") == "first")
    }

    /// The new folder waits for the old one, that for its share, and the share for the new folder.
    @Test func `a share moves into a new folder of the name of what moves into the share`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/y/w/plan.md", "plan")
        try laptop.write("/team/w/deep.md", "deep")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(["/team/w", "/team", "/team/y"], .write, laptop, desk)
        try laptop.move("/team/y/w", to: "/team/w/w")
        _ = try laptop.lockbook.create(path: "/team/y/w/")
        try laptop.move("/team/w", to: "/team/y/w/w")
        let report = try await laptop.sync()
        #expect(report.notes.isEmpty, "\(report.notes)")
        try await converge(ada, laptop)
        try await converge(bob, desk)
        #expect(try await laptop.text("/team/y/w/w/w/plan.md") == "plan")
    }
}
