import Foundation
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Names that mean something to other programs, where others may have given them.
struct ExportNamesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private let reason =
        "programs such as git run what is in it, and others may have written that; "
        + "export it by itself"

    private func archive(_ path: String, as format: ArchiveFormat, _ device: Device)
        async throws -> (report: TransferReport, bytes: Data)
    {
        var bytes = Data()
        let report = try await device.lockbook.archive(
            .path(path),
            as: format,
            progress: { _ in },
            into: { bytes.append(contentsOf: $0) }
        )
        return (report, bytes)
    }

    @Test(
        arguments: [
            ".git", ".GIT", ".Git. .", "git~1", "GIT~1 ", ".g\u{200C}it", "\u{FEFF}.git", ".hg",
            ".git::$INDEX_ALLOCATION", ".git\\config", ".git. ::$DATA",
            ".GIT:$I30:$INDEX_ALLOCATION", ".git\\\u{301}x", ".\u{17F}vn", ".\u{17F}VN",
        ]
    )
    func `a name that a program takes for its repository's is one`(name: String) throws {
        #expect(KeptHistory.isName(try FileName(name)))
    }

    @Test(
        arguments: [
            ".gitignore", "git", ".github", "git~2", "a.git", "..git", " .git", ".git: notes",
            ".git:notes", ".git. - b", ".git\u{301}",
        ]
    )
    func `another name is none`(name: String) throws {
        #expect(!KeptHistory.isName(try FileName(name)))
    }

    @Test func `a repository that a member may have made is left out, and said each time`()
        async throws
    {
        let kept = [".gitignore", "bare/HEAD", "plan.md"]
        let made = [".git/config", "git~1", "sub/.GIT/hooks/x"]
        let (laptop, desk) = try await shared(.write, holding: kept + made)
        for device in [laptop, desk] {
            let place = try Place()
            for round in 0..<2 {
                let report = try await place.export(device)
                #expect(
                    report.problems.map(\.path) == ["/team/.git", "/team/git~1", "/team/sub/.GIT"]
                )
                #expect(Set(report.problems.map(\.reason)) == [reason])
                #expect((report.created, report.unchanged) == (round == 0 ? 3 : 0, round * 3))
            }
            #expect(try place.facts().keys.sorted() == kept.map { "team/\($0)" })
            for format in [ArchiveFormat.tar, .zip] {
                let (report, bytes) = try await archive("/team", as: format, device)
                #expect(report.problems.count == 3 && report.created == 3)
                #expect(bytes.range(of: Data("plan.md".utf8)) != nil)
                #expect(bytes.range(of: Data(".git/".utf8)) == nil)
            }
            // Whoever names it means it.
            let alone = try await place.export(device, of: "/team/.git")
            #expect(alone.problems == [] && alone.created == 1)
        }
    }

    @Test func `a repository of one's own is written, until others may write in it`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        for name in [".git/config", ".git/refs/main", "plan.md"] {
            try laptop.write("/proj/\(name)", "own")
        }
        try await laptop.sync()
        let place = try Place()
        let written = try await place.export(laptop, .mirroring)
        #expect(written.problems == [] && written.created == 3)

        let desk = try await bob.firstDevice(named: "desk")
        try await share("/proj", .write, laptop, desk)
        try desk.write("/proj/.git/config", "bob's")
        try desk.write("/proj/.git/hooks/x", "bob's")
        try desk.delete("/proj/.git/refs")
        for device in [desk, laptop] { try await device.sync() }
        for _ in 0..<2 {
            let report = try await place.export(laptop, .mirroring)
            #expect(report.problems.map(\.path) == ["/proj/.git"])
            #expect(report.created + report.updated + report.removed == 0)
        }
        let names = [".git/config", ".git/refs/main", "plan.md"]
        #expect(try place.facts().keys.sorted() == names.map { "proj/\($0)" })
        #expect(try place.text("proj/.git/config") == "own")
    }

    @Test func `what another account calls so is left out where a link bears the name`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/.git/config", "ada's")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/.git", .read, laptop, desk)
        #expect(try desk.paths().contains { $0.hasPrefix("/.git") })
        let place = try Place()
        let report = try await place.export(desk)
        #expect(report.problems == [TransferReport.Problem(path: "/.git", reason: reason)])
        #expect(try place.facts().isEmpty)
    }

    @Test func `no name of a zip leads elsewhere on Windows`() async throws {
        let laptop = try await ada.firstDevice()
        for name in ["t/..\\..\\evil.bat", "t/a\\b/c.md", "t/x: y.md", "C:/d.md", "12:30.md"] {
            try laptop.write("/\(name)", "text")
        }
        let (report, bytes) = try await archive("/", as: .zip, laptop)
        let reason = "in a zip it would lead elsewhere on Windows; `--format tar` takes it"
        let left = ["/C:", "/t/..\\..\\evil.bat", "/t/a\\b"]
        #expect(report.problems.map(\.path) == left)
        #expect(Set(report.problems.map(\.reason)) == [reason])
        #expect(report.created == 2)
        for name in ["evil.bat", "a\\b/", "C:/d.md"] {
            #expect(bytes.range(of: Data(name.utf8)) == nil)
        }
        for path in ["/C:", "/t/a\\b"] {
            await #expect(throws: LockbookError.badPath(path: path, reason: reason)) {
                _ = try await archive(path, as: .zip, laptop)
            }
        }
        #expect(try await archive("/", as: .tar, laptop).report.created == 5)
    }
}
