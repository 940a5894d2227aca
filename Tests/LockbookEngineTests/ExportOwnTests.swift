import CDispatch
import Foundation
import Glibc
import LockbookEngine
import LockbookTestSupport
import Testing

/// A file that an export wrote stays its own, whatever happens around it.
struct ExportOwnTests {
    let alice: Person
    private let mirror = ExportOptions.mirroring

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test
    func `what was copied to another disk is brought up to date, and removed when it is gone`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for name in ["stays.md", "changes.md", "goes.md", "f/goes.md", "f/deep/goes.md"] {
            try laptop.write("/\(name)", "one")
        }
        let place = try Place()
        try await place.export(laptop, mirror)
        try place.write("mine.md", "mine")
        try place.copyAnew()

        let copied = try await place.export(laptop, mirror)
        #expect(copied.unchanged == 5)
        #expect(copied.problems.isEmpty)
        try laptop.write("/changes.md", "two")
        for name in ["goes.md", "f"] { try laptop.delete("/\(name)") }

        let report = try await place.export(laptop, mirror)
        #expect(report.problems.isEmpty)
        #expect(report.updated == 1)
        #expect(report.removed == 3)
        let left = try FileManager.default.subpathsOfDirectory(atPath: place.url.path)
        #expect(left.sorted() == ["changes.md", "mine.md", "stays.md"])
        #expect(try place.text("changes.md") == "two")
    }

    @Test func `what somebody put there stays also when it is touched`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        let place = try Place()
        try place.write("a.md", "one")
        #expect(try await place.export(laptop, mirror).unchanged == 1)
        try place.copyAnew()
        #expect(try await place.export(laptop, mirror).unchanged == 1)
        try laptop.delete("/a.md")

        #expect(try await place.export(laptop, mirror).removed == 0)
        #expect(try place.text("a.md") == "one")
    }

    @Test(arguments: [true, false])
    func
        `an export that could not say what it wrote leaves nothing that the next one does not know`(
            isFirst: Bool
        ) async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        try laptop.write("/f/kept.md", "one")
        let place = try Place()
        if !isFirst { try await place.export(laptop, mirror) }
        try laptop.write("/a.md", "two")
        try laptop.write("/large.bin", noise(2_500_000, seed: 1))
        for name in ["new.md", "f/new.md", "g/new.md"] { try laptop.write("/\(name)", "two") }
        try laptop.refuseToForgetExports(true)
        await #expect(throws: LockbookError.self) { try await place.export(laptop, mirror) }
        try laptop.refuseToForgetExports(false)
        #expect(try place.text("a.md") == "two")
        #expect(try place.text("g/new.md") == "two")

        try laptop.write("/a.md", "three")
        for name in ["new.md", "f/new.md", "g", "large.bin"] { try laptop.delete("/\(name)") }
        let report = try await place.export(laptop, mirror)

        #expect(report.problems.isEmpty)
        #expect(report.updated == 1)
        #expect(report.removed == 4)
        let left = try FileManager.default.subpathsOfDirectory(atPath: place.url.path)
        #expect(left.sorted() == ["a.md", "f", "f/kept.md"])
        #expect(try place.text("a.md") == "three")
    }

    /// As VeraCrypt does with its containers.
    @Test func `what was changed in place, and has its old time, is neither replaced nor removed`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for name in ["edited", "gone", "same"] { try laptop.write("/\(name)", "one") }
        let place = try Place()
        try await place.export(laptop, mirror)
        for name in ["edited", "gone"] {
            let path = place.url.appending(path: name).path
            var facts = stat()
            try #require(stat(path, &facts) == 0)
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: Data("own".utf8))
            try file.close()
            try #require(utimensat(AT_FDCWD, path, [facts.st_atim, facts.st_mtim], 0) == 0)
        }
        for name in ["edited", "same"] { try laptop.write("/\(name)", "two") }
        try laptop.delete("/gone")

        let report = try await place.export(laptop, mirror)
        let left = ["edited", "gone"].map { "\(place.url.path)/\($0)" }
        #expect(report.problems.map(\.path) == left)
        #expect(report.updated == 1 && report.removed == 0)
        for name in ["edited", "gone"] { #expect(try place.text(name) == "own") }
        #expect(try place.text("same") == "two")
    }

    /// Who shares a folder may have made such files in it.
    @Test func `nothing is written into the folder of the lockbook itself, also when forced`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        for name in ["account.json", "new.md", "deep/new.md"] {
            try laptop.write("/data/\(name)", "no key")
        }
        let place = try Place()
        let data = place.url.appending(path: "data").path
        try FileManager.default.copyItem(atPath: laptop.directory, toPath: data)
        let lockbook = try Lockbook.open(directory: data)
        let key = try place.text("data/account.json")
        var forced = mirror
        forced.force = true

        for options in [ExportOptions(), forced] {
            let report = try await lockbook.export(
                .path("/"),
                to: place.url.path,
                options: options
            ) { _ in }
            #expect(report.problems.map(\.path) == [data])
        }

        #expect(try place.text("a.md") == "one")
        #expect(try place.text("data/account.json") == key)
        let names = try FileManager.default.contentsOfDirectory(atPath: data)
        #expect(!names.contains("new.md") && !names.contains("deep"))
    }
}
