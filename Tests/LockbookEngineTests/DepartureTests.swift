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
