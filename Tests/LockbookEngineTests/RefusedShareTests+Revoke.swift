import LockbookAPI
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a revoke that the server refuses holds back.
extension RefusedShareTests {
    @Test func `status and a dry run tell what a refused revoke holds back`() async throws {
        let (laptop, desk) = try await shared(.write)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try refuse(Answer(status: 403, code: .notPermitted), laptop, ["bob": desk])
        #expect(try await laptop.sync().notes.map(\.kind) == [.notChanged])
        try laptop.write("/own.md", "own")
        try laptop.write("/team/new/deep.md", "secret")
        try laptop.write("/team/plan.md", "secret")
        let changes = try laptop.lockbook.status().changes
        #expect(
            changes.map(\.path) == ["/own.md", "/team/new", "/team/new/deep.md", "/team/plan.md"]
        )
        let held = "the share is not taken back from bob yet, as the server refused it"
        #expect(changes.map(\.heldBack) == [nil, held, held, held])
        var options = SyncOptions()
        options.isDryRun = true
        let foreseen = try await laptop.sync(options)
        #expect(
            foreseen.notes.filter { $0.kind == .notChanged }.map(\.detail) == [
                "bob has write as before, and it is not taken back: "
                    + "the server refused it the last time; the next sync tries again"
            ]
        )
        let report = try await laptop.sync()
        func kept(_ report: SyncReport) -> [SyncReport.Note] {
            report.notes.filter { $0.kind == .notPushed }.sorted { $0.path < $1.path }
        }
        #expect(report.pushed == ["/own.md"])
        #expect(foreseen.pushed == report.pushed)
        #expect(kept(foreseen) == kept(report))
        #expect(kept(report).count == 3)
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.status().changes.isEmpty)
    }

    @Test func `what a refused revoke waits for goes, whatever else was made of it`() async throws {
        let notes = ["plan.md", "x.md", "y.md", "inner/k.md", "inner/z.md"]
        let (laptop, desk) = try await shared(.write, holding: notes)
        let eve = try await carol.firstDevice(named: "eve's")
        try await share("/team/inner", .write, laptop, eve)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try refuse(Answer(status: 403, code: .notPermitted), laptop, [:])
        #expect(try await laptop.sync().notes.map(\.kind) == [.notChanged])
        // Into another share and written; to the name of what has another one now; into a new folder.
        try laptop.move("/team/x.md", to: "/team/inner/x.md")
        try laptop.write("/team/inner/x.md", "new")
        try laptop.move("/team/inner/k.md", to: "/team/inner/old.md")
        try laptop.move("/team/y.md", to: "/team/inner/k.md")
        _ = try laptop.lockbook.create(path: "/team/new/")
        try laptop.move("/team/inner/z.md", to: "/team/new/z.md")
        try laptop.write("/team/plan.md", "secret")
        let refused = try await laptop.sync()
        #expect(Set(refused.notes.map(\.kind)) == [.notChanged, .notPushed])
        #expect(refused.notes.filter { $0.kind == .notPushed }.map(\.path) == ["/team/plan.md"])
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.status().shares == nil)
        #expect(try await desk.sync().notes.map(\.kind) == [.takenBack])
        try await eve.sync()
        #expect(try await eve.text("/inner/x.md") == "new")
    }

    @Test func `what leaves a share that is not taken back yet takes no other words along`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "b.md"])
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try refuse(Answer(status: 422, code: .violation, namesFile: true), laptop, [:])
        #expect(try await laptop.sync().notes.map(\.kind) == [.notChanged])
        try laptop.write("/team/plan.md", "secret")
        try laptop.move("/team/b.md", to: "/b.md")
        let report = try await laptop.sync()
        #expect(report.pushed == ["/b.md"])
        #expect(Set(report.notes.map(\.kind)) == [.notChanged, .notPushed])
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        #expect(try !desk.paths().contains("/team/b.md"))
        // Who is to stay after all is shown it.
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .write)
        #expect(try await laptop.sync().pushed == ["/team/plan.md"])
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "secret")
    }
}
