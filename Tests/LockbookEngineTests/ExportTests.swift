import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

struct ExportTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `a content that went missing on this device is named, and the rest is written`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a")
        try laptop.write("/lost.bin", noise(200_000, seed: 1))
        try laptop.write("/lost/large.bin", noise(400_000, seed: 2))
        try laptop.write("/z.md", "z")
        let blobs = laptop.directory + "/blobs"
        for name in try FileManager.default.contentsOfDirectory(atPath: blobs) {
            try FileManager.default.removeItem(atPath: "\(blobs)/\(name)")
        }
        let place = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)

        let report = try await laptop.lockbook.export(
            .path("/"),
            to: place.path,
            options: ExportOptions()
        ) { _ in }

        #expect(report.problems.map(\.path) == ["/lost.bin", "/lost/large.bin"])
        #expect(report.created == 2)
        let written = try FileManager.default.subpathsOfDirectory(atPath: place.path)
        #expect(written.sorted() == ["a.md", "lost", "z.md"])
    }

    /// A member of a share can make such folders.
    @Test func `what stands in thousands of folders of long names is left out, and said`()
        async throws
    {
        let made = try await alice.firstDevice()
        let laptop = try made.again(deepPaths: 1 << 20)
        let name = String(repeating: "n", count: 255)
        try laptop.write("/a.md", "a")
        _ = try laptop.lockbook.create(path: String(repeating: "/" + name, count: 100) + "/")
        let place = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)

        let options = ExportOptions.mirroring
        for unremoved in [nil, ["/"]] as [[String]?] {
            let report = try await laptop.lockbook.export(
                .path("/"),
                to: place.path,
                options: options
            ) { _ in }

            let said = report.problems.first { $0.path.hasPrefix("id:") }
            #expect(said?.reason.contains("stands in too many folders") == true)
            #expect(report.problems.count == 1)
            #expect(report.unremoved == unremoved)
            #expect((50..<100).contains(report.folders))
            let rest = try #require(said).path
            let alone = place.path + "-rest"
            defer { try? FileManager.default.removeItem(atPath: alone) }
            let more = try await laptop.lockbook.export(
                FileReference(rest),
                to: alone,
                options: ExportOptions()
            ) { _ in }
            #expect(more.problems.isEmpty)
            #expect(more.folders + report.folders == 99)
            if unremoved == nil { try laptop.delete("/a.md") }
        }
        #expect(FileManager.default.fileExists(atPath: place.path + "/a.md"))
    }

    /// A member of a share can make such folders.
    @Test func `what has too long a path for a zip is left out, and said`() async throws {
        let laptop = try await alice.firstDevice(registered: false)
        let name = String(repeating: "n", count: 255)
        try laptop.write("/a.md", "a")
        try laptop.write(String(repeating: "/" + name, count: 256) + "/b.md", "b")
        func archive(_ format: ArchiveFormat) async throws -> TransferReport {
            try await laptop.lockbook.archive(
                .path("/"),
                as: format,
                progress: { _ in },
                into: { _ in }
            )
        }

        let zip = try await archive(.zip)
        #expect(zip.folders == 254)
        #expect(zip.created == 1)
        #expect(zip.problems.count == 1)
        let said = try #require(zip.problems.first)
        #expect(said.reason.contains("stands in too many folders"))
        let tar = try await archive(.tar)
        #expect(tar.folders == 256)
        #expect(tar.created == 2)
        #expect(tar.problems.isEmpty)
    }

    /// As two jobs of cron that overlap.
    @Test func `two exports to one place at once write every note under its own name`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for number in 0..<200 { try laptop.write("/f\(number % 3)/\(number).md", "note \(number)") }
        let large = noise(2_500_000, seed: 3)
        for number in 0..<3 { try laptop.write("/f\(number)/large.bin", large) }
        let place = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)

        let problems = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { @concurrent in
                    try await laptop.lockbook.export(
                        .path("/"),
                        to: place.path,
                        options: ExportOptions()
                    ) { _ in }.problems.count
                }
            }
            return try await group.reduce(0, +)
        }

        #expect(problems == 0)
        for number in 0..<200 {
            let file = place.appending(path: "f\(number % 3)/\(number).md")
            #expect(try String(contentsOf: file, encoding: .utf8) == "note \(number)")
        }
        for number in 0..<3 {
            let file = place.appending(path: "f\(number)/large.bin")
            #expect(try String(contentsOf: file, encoding: .utf8) == large)
        }
        let left = try FileManager.default.subpathsOfDirectory(atPath: place.path)
        #expect(left.count == 206)
    }
}
