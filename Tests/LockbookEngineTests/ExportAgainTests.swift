import Foundation
import Glibc
import LockbookEngine
import LockbookTestSupport
import Testing

struct ExportAgainTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `an export after ten edits touches ten files and no other`() async throws {
        let laptop = try await alice.firstDevice()
        for number in 0..<60 { try laptop.write("/f\(number % 4)/\(number).md", "note \(number)") }
        let place = try Place()
        try await place.export(laptop)
        let before = try place.facts()

        let second = try await place.export(laptop)
        #expect(second.unchanged == 60)
        #expect(second.created + second.updated == 0)
        #expect(second.folders == 4)
        #expect(try place.facts() == before)

        for number in 0..<10 { try laptop.write("/f\(number % 4)/\(number).md", "edit \(number)") }
        let third = try await place.export(laptop)
        #expect(third.updated == 10)
        #expect(third.unchanged == 50)
        let after = try place.facts()
        let touched = before.filter { after[$0.key] != $0.value }.map(\.key)
        #expect(Set(touched) == Set((0..<10).map { "f\($0 % 4)/\($0).md" }))
    }

    @Test func `a file that was removed behind its back is put back`() async throws {
        let laptop = try await alice.firstDevice()
        for number in 0..<20 { try laptop.write("/f\(number % 2)/\(number).md", "note \(number)") }
        let place = try Place()
        try await place.export(laptop)
        try FileManager.default.removeItem(at: place.url.appending(path: "f0/4.md"))
        try FileManager.default.removeItem(at: place.url.appending(path: "f1"))

        let report = try await place.export(laptop)

        #expect(report.created == 11)
        #expect(report.unchanged == 9)
        #expect(report.problems.isEmpty)
        #expect(try place.text("f1/7.md") == "note 7")
        #expect(try await place.export(laptop).unchanged == 20)
    }

    @Test(arguments: [("", ".md", ""), ("d/", "", "/s/a.md")])
    func `a copy whose name has other characters of the same letters is still the copy`(
        above: String,
        ending: String,
        note: String
    ) async throws {
        let laptop = try await alice.firstDevice()
        let name = "r\u{e9}p\(ending)"
        try laptop.write("/\(above)\(name)\(note)", "one")
        let place = try Place()
        try await place.export(laptop)
        let folder = "\(place.url.path)/\(above)"
        #expect(rename(folder + name, "\(folder)re\u{301}p\(ending)") == 0)

        let report = try await place.export(laptop)

        #expect((report.created, report.unchanged) == (0, 1))
        #expect(report.problems.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.map { Array($0.utf8) } == [Array(name.utf8)])
    }

    @Test func `a file that was changed behind its back is reported every time and kept`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for number in 0..<20 { try laptop.write("/f/\(number).md", "note \(number)") }
        let place = try Place()
        try await place.export(laptop)
        try Data("nota 4".utf8).write(to: place.url.appending(path: "f/4.md"))

        for _ in 0..<2 {
            let report = try await place.export(laptop)
            #expect(
                report.problems.map(\.reason) == [
                    "it was changed on disk since the last export; `lockbook import` takes that "
                        + "in, --force overwrites it"
                ]
            )
            #expect(report.unchanged == 19)
            #expect(try place.text("f/4.md") == "nota 4")
        }
        var options = ExportOptions()
        options.force = true
        #expect(try await place.export(laptop, options).updated == 1)
        #expect(try place.text("f/4.md") == "note 4")
        #expect(try await place.export(laptop).unchanged == 20)
    }

    @Test func `a mirror removes what is gone and nothing else`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a")
        try laptop.write("/b.md", "b")
        let place = try Place()
        try await place.export(laptop)
        try laptop.delete("/b.md")
        let options = ExportOptions.mirroring

        let report = try await place.export(laptop, options)

        #expect(report.removed == 1)
        #expect(try place.facts().keys.sorted() == ["a.md"])
    }

    @Test func `a mirror names what it leaves in the same order each time`() async throws {
        let laptop = try await alice.firstDevice()
        let names = (0..<16).map { String(UnicodeScalar(UInt8(97 + $0))) }
        for name in names { try laptop.write("/\(name)/note.md", "note") }
        let place = try Place()
        try await place.export(laptop, .mirroring)
        for name in names {
            try laptop.delete("/\(name)/note.md")
            try Data("edited".utf8).write(to: place.url.appending(path: "\(name)/note.md"))
        }

        let report = try await place.export(laptop, .mirroring)

        let paths = report.problems.map { $0.path.split(separator: "/").suffix(2) }
        let expected = names.reversed().map { "\($0)/note.md" }
        #expect(paths.map { $0.joined(separator: "/") } == expected)
    }

    @Test(arguments: [true, false], ["", "copies/"])
    func `a folder that was made anew in its place is mirrored where the one before was`(
        isDeleted: Bool,
        folder: String
    ) async throws {
        let laptop = try await alice.firstDevice()
        for name in ["stays.md", "goes.md", "deep/goes.md"] {
            try laptop.write("/notes/\(name)", "one")
        }
        let place = try Place()
        if !folder.isEmpty { try place.make(folder) }
        let options = ExportOptions.mirroring
        let out = folder.isEmpty ? "copy/" : "copies/notes/"
        let destination = folder.isEmpty ? "copy" : "copies"
        try await place.export(laptop, options, of: "/notes", to: destination)
        try place.write("\(out)mine.md", "mine")
        if isDeleted {
            try laptop.delete("/notes")
        } else {
            try laptop.move("/notes", to: "/old")
        }
        for name in ["stays.md", "new.md", "fresh/new.md"] {
            try laptop.write("/notes/\(name)", "two")
        }

        let report = try await place.export(laptop, options, of: "/notes", to: destination)
        #expect(report.removed == 2)
        #expect(report.problems.isEmpty)
        #expect(
            try place.facts().keys.sorted()
                == ["fresh/new.md", "mine.md", "new.md", "stays.md"].map { out + $0 }
        )
        #expect(try place.text("\(out)stays.md") == "two")
        #expect(try await place.export(laptop, options, of: "/notes", to: destination).created == 0)
        // Something else goes beside it.
        try laptop.write("/other/x.md", "x")
        try await place.export(laptop, options, of: "/other", to: destination)
        let beside = folder.isEmpty ? "copy/other/x.md" : "copies/other/x.md"
        #expect(try place.facts().keys.contains(beside))
        #expect(try place.facts().keys.contains("\(out)new.md"))
    }

    @Test func `a file that came back after it was removed is written again`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/f/a.md", "a")
        try laptop.write("/f/b.md", "b")
        let place = try Place()
        try await place.export(laptop)
        let options = ExportOptions.mirroring
        try laptop.delete("/f/b.md")
        #expect(try await place.export(laptop, options).removed == 1)
        try laptop.write("/f/b.md", "b")

        #expect(try await place.export(laptop, options).created == 1)
        #expect(try place.text("f/b.md") == "b")
    }

    @Test func `an export waits for another one to the same place, and goes on from there`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "first")
        let place = try Place()
        let copy = "\(place.url.path)/copy"
        let lockbook = laptop.lockbook
        var second: Task<TransferReport, any Error>?

        // Its file is written, and waits for its place.
        let first = try await lockbook.export(.path("/"), to: copy, options: ExportOptions()) { _ in
            guard second == nil else { return }
            try? laptop.write("/a.md", "second")
            second = Task.detached {
                try await lockbook.export(.path("/"), to: copy, options: ExportOptions()) { _ in }
            }
        }
        let other = try #require(try await second?.value)

        #expect(first.problems.isEmpty)
        #expect(other.problems.isEmpty)
        #expect(try place.text("copy/a.md") == "second")
        try laptop.write("/a.md", "third")
        #expect(try await place.export(laptop, to: "copy").updated == 1)
        #expect(try place.text("copy/a.md") == "third")
    }
}

extension ExportOptions {
    static var mirroring: ExportOptions {
        var options = ExportOptions()
        options.mirror = true
        return options
    }
}

/// A folder on disk that exports are written to.
final class Place {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// - Parameter destination: below this folder.
    @discardableResult
    func export(
        _ device: Device,
        _ options: ExportOptions = ExportOptions(),
        of path: String = "/",
        to destination: String = ""
    ) async throws -> TransferReport {
        let disk = destination.isEmpty ? url.path : "\(url.path)/\(destination)"
        return try await device.lockbook.export(.path(path), to: disk, options: options) { _ in }
    }

    func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            at: url.appending(path: folder),
            withIntermediateDirectories: true
        )
    }

    func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: url.appending(path: path))
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: url.appending(path: path), encoding: .utf8)
    }

    /// By its path, the number of each file: one that is written anew takes its place as another.
    func facts() throws -> [String: Int] {
        var facts: [String: Int] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: url.appending(path: path).path
            )
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            facts[path] = (attributes[.systemFileNumber] as? NSNumber)?.intValue
        }
        return facts
    }
}
