import Foundation
import Glibc
import LockbookModel
import Testing

@testable import LockbookEngine

/// New folders of an export get their names when all in them is durable.
struct ExportStagedTests {
    private static let tag = "0123456789abcdef"
    let top = FileManager.default.temporaryDirectory.path + "/staged-\(UUID().uuidString)"
    let target: ExportTarget
    private let style = ExportPlace.Style(mode: 0o600, modified: Timestamp(milliseconds: 1_000))

    init() throws {
        target = try ExportTarget(top, of: .folder, named: nil, tag: Self.tag)
    }

    private var tree: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: top).sorted() }
    }

    private func write(_ text: String, to path: String) throws -> ExportPlace.Written {
        try target.place(path).write(style, number: 1) { try $0.write(Array(text.utf8)) }
    }

    @Test func `a new folder has another name until it is placed`() throws {
        defer { try? FileManager.default.removeItem(atPath: top) }
        #expect(try target.makeFolder("a").isMade)
        #expect(try target.makeFolder("a/b").isMade)
        let note = "a/b/note.md"
        let written = try write("text", to: note)
        let staged = ".lockbook-export.\(Self.tag)-d1"
        #expect(try tree == [staged, "\(staged)/b", "\(staged)/b/note.md"])

        #expect(try target.placeStaged().taken.isEmpty)
        #expect(try target.place(note).keep(written, over: nil))
        #expect(try tree == ["a", "a/b", "a/b/note.md"])
        // What comes after stands beside its place first.
        let later = "a/b/later.md"
        let second = try write("later", to: later)
        #expect(try tree.contains("a/b/.lockbook-export.\(Self.tag)-1"))
        #expect(try target.place(later).keep(second, over: nil))
        #expect(try tree == ["a", "a/b", "a/b/later.md", "a/b/note.md"])
        #expect(try !target.makeFolder("a").isMade)
    }

    @Test func `where somebody took the name, everything goes into what stands there`() throws {
        defer { try? FileManager.default.removeItem(atPath: top) }
        _ = try target.makeFolder("a")
        _ = try target.makeFolder("a/b")
        let (one, two) = ("a/one.md", "a/b/two.md")
        let written = (try write("one", to: one), try write("two", to: two))
        try FileManager.default.createDirectory(
            atPath: top + "/a",
            withIntermediateDirectories: false
        )
        try Data("mine".utf8).write(to: URL(filePath: top + "/a/one.md"))

        #expect(try target.placeStaged().taken == ["a", "a/b"])
        #expect(try !target.place(one).keep(written.0, over: nil))
        #expect(try target.place(two).keep(written.1, over: nil))
        target.discardStaged()

        #expect(try tree == ["a", "a/b", "a/b/two.md", "a/one.md"])
        #expect(try String(contentsOfFile: top + "/a/one.md", encoding: .utf8) == "mine")
    }

    @Test func `two names that differ only in how an accent is written are two folders`() throws {
        defer { try? FileManager.default.removeItem(atPath: top) }
        let names = ["caf\u{e9}", "cafe\u{301}"]
        for name in names { #expect(try target.makeFolder(name).isMade) }
        for name in names { _ = try write(name, to: "\(name)/note.md") }
        #expect(try target.placeStaged().taken.isEmpty)
        for name in names {
            #expect(try Disk.contents(of: "\(top)/\(name)/note.md") == Array(name.utf8))
        }
    }

    @Test func `a name that the disk does not give keeps no other folder from its own`() throws {
        defer { try? FileManager.default.removeItem(atPath: top) }
        var staged = StagedFolders()
        let long = String(repeating: "x", count: 256)
        try staged.make(long, at: "long", in: target.top, tag: Self.tag)
        staged.add("long/below", in: "long")
        try staged.make("a", at: "a", in: target.top, tag: Self.tag)

        let unplaced = try staged.place()
        staged.discard()

        #expect(unplaced.taken.isEmpty)
        #expect(unplaced.refused.map { $0.paths } == [["long", "long/below"]])
        #expect(unplaced.refused.map { $0.failure.code } == [ENAMETOOLONG])
        #expect(try tree == ["a"])
    }

    @Test func `what is discarded leaves nothing behind`() throws {
        defer { try? FileManager.default.removeItem(atPath: top) }
        _ = try target.makeFolder("a")
        _ = try target.makeFolder("a/b")
        _ = try write("text", to: "a/b/note.md")
        target.discardStaged()
        #expect(try tree.isEmpty)
    }

    @Test func `the next export removes what a killed one left, and nothing of somebody's`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: top) }
        let left = "\(top)/.lockbook-export.fedcba9876543210-d2"
        try FileManager.default.createDirectory(
            atPath: left + "/deep/er/est",
            withIntermediateDirectories: true
        )
        let outside = top + "/outside.md"
        try Data("mine".utf8).write(to: URL(filePath: outside))
        for folder in ["", "/deep", "/deep/er", "/deep/er/est"] {
            try Data("plain".utf8).write(to: URL(filePath: left + folder + "/note.md"))
            #expect(symlink(top, left + folder + "/link") == 0)
        }
        let own = [".lockbook-export.mine", ".lockbook-export.0123456789abcdef-x1"]
        for name in own {
            try FileManager.default.createDirectory(
                atPath: "\(top)/\(name)",
                withIntermediateDirectories: false
            )
        }
        let (file, archive) = (".lockbook-export.\(Self.tag)-3", ".lockbook-export.\(Self.tag)")
        let ownFiles = [".lockbook-export.md", file + ".md"]
        for name in ownFiles + [file, archive] {
            try Data("text".utf8).write(to: URL(filePath: "\(top)/\(name)"))
        }
        // One that is still at work holds its lock.
        let busy = "\(top)/.lockbook-export.fedcba9876543210-d3"
        try FileManager.default.createDirectory(
            atPath: busy,
            withIntermediateDirectories: false
        )
        let lock = try DiskFile(busy, flags: O_RDONLY | O_DIRECTORY)
        #expect(flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0)

        let folder = try DiskFile(top, flags: O_RDONLY | O_DIRECTORY)
        ExportPlace.removeLeftovers(in: folder, for: Self.tag, isShared: false)

        let kept = own + ownFiles + [".lockbook-export.fedcba9876543210-d3", "outside.md"]
        #expect(try tree == kept.sorted())
        withExtendedLifetime(lock) {}
    }
}
