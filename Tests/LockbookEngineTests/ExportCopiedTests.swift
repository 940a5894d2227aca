import Foundation
import Glibc
import LockbookEngine
import LockbookTestSupport
import Testing

/// What an export wrote is its own as long as it has the bytes that were written.
struct ExportCopiedTests {
    let alice: Person
    private let mirror = ExportOptions.mirroring

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test(arguments: [false, true])
    func `a file that was touched or copied is brought up to date`(isCopied: Bool) async throws {
        let laptop = try await alice.firstDevice()
        let large = String(repeating: "long ", count: 300_000)
        for (name, text) in [("a", "one"), ("b", ""), ("c", large)] {
            try laptop.write("/f/\(name).md", text)
        }
        let place = try Place()
        try await place.export(laptop, mirror, to: "copy")
        if isCopied {
            try place.copyAnew("copy")
        } else {
            try place.touch(["copy/f/a.md", "copy/f/b.md", "copy/f/c.md"])
        }
        for name in ["a", "b", "c"] { try laptop.write("/f/\(name).md", "two") }

        let report = try await place.export(laptop, mirror, to: "copy")
        #expect(report.problems.isEmpty)
        #expect(report.updated == 3)
        for name in ["a", "b", "c"] { #expect(try place.text("copy/f/\(name).md") == "two") }
        // Known by their stamps again.
        #expect(try await place.export(laptop, mirror, to: "copy").unchanged == 3)
    }

    /// A program that keeps equal files once made one of two notes' files.
    @Test func `equal files that became one are made two for an executable bit`() async throws {
        let laptop = try await alice.firstDevice()
        let (source, place) = (try Place(), try Place())
        for name in ["read", "run"] { try source.write(name, "same") }
        try #require(chmod(source.url.path + "/run", 0o700) == 0)
        _ = try laptop.lockbook.importFromDisk(["\(source.url.path)/."], to: "/") { _ in }
        try await place.export(laptop, mirror)
        let (read, run) = (place.url.path + "/read", place.url.path + "/run")
        try #require(unlink(read) == 0 && link(run, read) == 0)

        let report = try await place.export(laptop, mirror)
        #expect(report.problems.isEmpty)
        #expect(report.updated == 1)
        #expect(access(read, X_OK) != 0)
        #expect(access(run, X_OK) == 0)
        #expect(try await place.export(laptop, mirror).unchanged == 2)
    }

    @Test(arguments: [false, true])
    func `a file that is gone is removed also where it was touched or copied`(
        isCopied: Bool
    ) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/deep/f/a.md", "one")
        try laptop.write("/b.md", "one")
        let place = try Place()
        try await place.export(laptop, mirror, to: "copy")
        if isCopied {
            try place.copyAnew("copy")
        } else {
            try place.touch(["copy/deep/f/a.md", "copy/b.md"])
        }
        try laptop.delete("/deep")
        try laptop.delete("/b.md")

        let report = try await place.export(laptop, mirror, to: "copy")
        #expect(report.problems.isEmpty)
        #expect(report.removed == 2)
        #expect(!FileManager.default.fileExists(atPath: place.url.path + "/copy/deep"))
        #expect(try place.facts().isEmpty)
    }

    @Test func `a file of other bytes stays, whatever its size and time`() async throws {
        let laptop = try await alice.firstDevice()
        for name in ["stays", "goes"] { try laptop.write("/\(name).md", "one") }
        let place = try Place()
        try await place.export(laptop, mirror, to: "copy")
        for name in ["stays", "goes"] { try place.write("copy/\(name).md", "eno") }
        try laptop.write("/stays.md", "two")
        try laptop.delete("/goes.md")

        for _ in 0..<2 {
            let report = try await place.export(laptop, mirror, to: "copy")
            #expect(report.problems.count == 2)
            #expect(report.updated + report.removed == 0)
            for name in ["stays", "goes"] { #expect(try place.text("copy/\(name).md") == "eno") }
        }
    }

    @Test func `a copy of a copy is still what an export wrote`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        let place = try Place()
        try await place.export(laptop, mirror, to: "copy")
        for text in ["two", "three"] {
            // Nothing to do but to remember how the copies look.
            try place.copyAnew("copy")
            #expect(try await place.export(laptop, mirror, to: "copy").unchanged == 1)
            try place.copyAnew("copy")
            try laptop.write("/a.md", text)
            #expect(try await place.export(laptop, mirror, to: "copy").updated == 1)
            #expect(try place.text("copy/a.md") == text)
        }
    }

    @Test func `a copy whose name came back in another form goes when its note is gone`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for path in ["\(composed).md", "a\(composed).md", "\(composed).d/f.md"] {
            try laptop.write("/\(path)", "one")
        }
        let place = try Place()
        try await place.export(laptop, mirror, to: "copy")
        try place.decompose(["", "a"], ".md")
        try place.decompose([""], ".d")
        try laptop.delete("/\(composed).md")
        try laptop.delete("/\(composed).d")
        try laptop.move("/a\(composed).md", to: "/b.md")

        let report = try await place.export(laptop, mirror, to: "copy")
        #expect(report.problems.isEmpty)
        #expect(report.removed == 3)
        #expect(try place.names(in: "copy") == [Array("b.md".utf8)])
    }

    @Test(arguments: [false, true])
    func `a copy stays its note's where a file of another form of its name comes beside it`(
        isComposed: Bool
    ) async throws {
        let (own, other) = isComposed ? (composed, decomposed) : (decomposed, composed)
        let laptop = try await alice.firstDevice()
        try laptop.write("/\(own).md", "one")
        let place = try Place()
        try await place.export(laptop, to: "copy")
        let folder = "\(place.url.path)/copy"
        for (name, text) in [(own, "two"), (other, "other")] {
            let file = "\(folder)/\(name).md"
            #expect(FileManager.default.createFile(atPath: file, contents: Data(text.utf8)))
        }

        let report = try laptop.lockbook.importFromDisk(["\(folder)/."], to: "/") { _ in }
        #expect(try place.names(in: "copy").count == 2)
        #expect(try await laptop.text("/\(own).md") == "two")
        #expect(report.updated == 1)
        let left = report.problems.compactMap { $0.path.split(separator: "/").last }
        #expect(left.map { Array($0.utf8) } == [Array("\(other).md".utf8)])
    }

    @Test func `a copy has the form of its name that another note has in the lockbook now`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/\(composed).md", "one")
        let place = try Place()
        try await place.export(laptop, to: "copy")
        try place.decompose([""], ".md")
        try laptop.delete("/\(composed).md")
        try laptop.write("/\(decomposed).md", "one")

        let report = try await place.export(laptop, to: "copy")
        #expect((report.created, report.unchanged) == (0, 1))
        #expect(try place.names(in: "copy") == [Array("\(decomposed).md".utf8)])
    }
}

/// One name in two forms.
private let composed = "r\u{e9}p"
private let decomposed = "re\u{301}p"

extension Place {
    /// Gives copies the other form of their names, between these beginnings and an ending.
    fileprivate func decompose(_ beginnings: [String], _ ending: String) throws {
        for beginning in beginnings {
            let start = "\(url.path)/copy/\(beginning)"
            try #require(rename(start + composed + ending, start + decomposed + ending) == 0)
        }
    }

    fileprivate func names(in folder: String) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path)
            .map { Array($0.utf8) }
    }

    /// Gives files another time.
    fileprivate func touch(_ paths: [String]) throws {
        for path in paths {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: url.appending(path: path).path
            )
        }
    }

    /// Puts a copy in the place of a folder, or of all, as `cp -r` from another disk does: the same bytes,
    /// in other files.
    func copyAnew(_ folder: String = "") throws {
        let old = folder.isEmpty ? url.path : url.appending(path: folder).path
        try FileManager.default.copyItem(atPath: old, toPath: old + ".new")
        try FileManager.default.removeItem(atPath: old)
        try FileManager.default.moveItem(atPath: old + ".new", toPath: old)
    }
}
