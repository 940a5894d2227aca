import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Links to a share and to what is inside of it.
struct InwardLinkTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Bob's desk has all of ada's `/all` as `/f/out`, and what is shared inside of it as `/f/in`.
    private func desk() async throws -> Device {
        let laptop = try await ada.firstDevice()
        try laptop.write("/all/part/one.md", "one")
        try laptop.write("/all/two.md", "two")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await desk.sync()
        _ = try desk.lockbook.create(path: "/f/")
        for (path, name, place) in [("/all/part", "part", "/f/in"), ("/all", "all", "/f/out")] {
            _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .write)
            try await laptop.sync()
            try await desk.sync()
            let offer = try #require(try desk.lockbook.offers().first { $0.name == name })
            _ = try desk.lockbook.acceptShare(id: offer.id, to: place)
        }
        try await desk.sync()
        return desk
    }

    @Test func `what two links lead to is exported once`() async throws {
        let desk = try await desk()
        let disk = desk.directory + "-disk"
        _ = try await desk.lockbook.export(
            .path("/f"),
            to: disk,
            options: ExportOptions()
        ) { _ in }
        let files = try FileManager.default.subpathsOfDirectory(atPath: disk).sorted()
        #expect(files.filter { $0.hasSuffix(".md") } == ["out/part/one.md", "out/two.md"])
    }

    @Test func `what two links lead to is copied once`() async throws {
        let desk = try await desk()
        _ = try desk.lockbook.copy([.path("/f")], to: "/g")
        let copies = try desk.lockbook.list(.path("/g"), recursive: true).map(\.path)
        #expect(
            copies.filter { $0.hasSuffix(".md") }.sorted() == [
                "/g/out/part/one.md", "/g/out/two.md",
            ]
        )
        // Named by itself it is copied.
        _ = try desk.lockbook.copy([.path("/f/in")], to: "/h")
        #expect(try await desk.text("/h/one.md") == "one")
    }

    @Test func `what two links lead to is one file of an import`() async throws {
        let desk = try await desk()
        let place = try Place()
        for folder in ["in", "out/part"] {
            try place.make(folder)
            try place.write("\(folder)/new.md", folder)
        }
        let report = try desk.lockbook.importFromDisk(["\(place.url.path)/."], to: "/f") { _ in }
        #expect(report.created == 1)
        #expect(report.updated == 0)
        #expect(
            report.problems == [
                TransferReport.Problem(
                    path: "\(place.url.path)/./out/part/new.md",
                    reason: "another file of this import has its name"
                )
            ]
        )
        #expect(try await desk.text("/f/in/new.md") == "in")
    }
}
