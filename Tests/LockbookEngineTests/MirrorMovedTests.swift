import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// The old copies of notes that a mirror cannot write where they are now.
struct MirrorMovedTests {
    let alice: Person
    let place: Place

    init() throws {
        alice = Person("alice", on: try TestServer())
        place = try Place()
    }

    private func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: place.url.appending(path: path))
    }

    @Test func `a note that was moved and edited elsewhere is at no moment missing`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        try phone.write("/old.md", "one")
        try await phone.sync()
        try await laptop.sync()
        try await place.export(laptop, .mirroring)
        try phone.move("/old.md", to: "/new.md")
        try phone.write("/new.md", "two")
        try await phone.sync()
        try await laptop.sync()
        try place.write("new.md", "somebody's own")

        let report = try await place.export(laptop, .mirroring)

        #expect(report.removed == 0)
        #expect(report.problems.map(\.path) == ["\(place.url.path)/new.md"])
        #expect(try place.text("old.md") == "one")
        try remove("new.md")
        #expect(try await place.export(laptop, .mirroring).removed == 1)
        #expect(try place.facts().keys.sorted() == ["new.md"])
        #expect(try place.text("new.md") == "two")
    }

    @Test func `a note that waits for its place keeps its old name until it has the new one`()
        async throws
    {
        let laptop = try await alice.firstDevice(
            holding: ["/old.md": "one", "/new.md/": "", "/new.md/in.md": "two"]
        )
        try await place.export(laptop, .mirroring)
        try laptop.delete("/new.md")
        try laptop.move("/old.md", to: "/new.md")
        try place.write("new.md/own.txt", "somebody's own")

        let report = try await place.export(laptop, .mirroring)

        #expect(report.removed == 1)
        #expect(report.problems.map(\.path) == ["\(place.url.path)/new.md"])
        #expect(try place.facts().keys.sorted() == ["new.md/own.txt", "old.md"])
        try remove("new.md/own.txt")
        #expect(try await place.export(laptop, .mirroring).removed == 1)
        #expect(try place.facts().keys.sorted() == ["new.md"])
        #expect(try place.text("new.md") == "one")
    }

    @Test func `a note keeps its old copy in a folder that stands in its way and cannot go`()
        async throws
    {
        let laptop = try await alice.firstDevice(
            holding: ["/new/": "", "/new/old.md": "one", "/new/in.md": "two"]
        )
        try await place.export(laptop, .mirroring)
        try laptop.move("/new/old.md", to: "/moving")
        try laptop.delete("/new")
        try laptop.move("/moving", to: "/new")
        try place.write("new/own.txt", "somebody's own")

        let report = try await place.export(laptop, .mirroring)

        #expect(report.removed == 1)
        #expect(report.problems.map(\.path) == ["\(place.url.path)/new"])
        #expect(try place.facts().keys.sorted() == ["new/old.md", "new/own.txt"])
        try remove("new/own.txt")
        #expect(try await place.export(laptop, .mirroring).problems == [])
        #expect(try place.facts().keys.sorted() == ["new"])
        #expect(try place.text("new") == "one")
    }

    @Test func `a note waits for a name under which the disk has all that it has of another`()
        async throws
    {
        let laptop = try await alice.firstDevice(holding: ["/old.md": "one"])
        try await place.export(laptop, .mirroring)
        try laptop.move("/old.md", to: "/new.md")
        try laptop.write("/old.md", "two")
        try place.write("new.md", "somebody's own")

        // However often.
        for _ in 0..<2 {
            let report = try await place.export(laptop, .mirroring)
            #expect(
                report.problems.map(\.path)
                    == ["\(place.url.path)/new.md", "\(place.url.path)/old.md"]
            )
            #expect(try place.text("old.md") == "one")
        }
        try remove("new.md")
        #expect(try await place.export(laptop, .mirroring).problems == [])
        #expect(try place.text("new.md") == "one")
        #expect(try place.text("old.md") == "two")
    }

    @Test func `notes that change places all wait for the one that cannot be written`()
        async throws
    {
        let laptop = try await alice.firstDevice(
            holding: ["/a.md": "a", "/b.md": "b", "/c.md": "c"]
        )
        try await place.export(laptop, .mirroring)
        try laptop.move("/c.md", to: "/moving")
        try laptop.move("/b.md", to: "/c.md")
        try laptop.move("/a.md", to: "/b.md")
        try laptop.move("/moving", to: "/a.md")
        try place.write("a.md", "edited")

        let report = try await place.export(laptop, .mirroring)

        #expect(
            report.problems.map(\.path)
                == ["a.md", "c.md", "b.md"].map { "\(place.url.path)/\($0)" }
        )
        #expect(try place.text("b.md") == "b")
        #expect(try place.text("c.md") == "c")
        try place.write("a.md", "a")
        #expect(try await place.export(laptop, .mirroring).problems == [])
        #expect(try place.text("a.md") == "c")
        #expect(try place.text("b.md") == "a")
        #expect(try place.text("c.md") == "b")
    }

    @Test func `a note goes into a folder that has its own old name`() async throws {
        let laptop = try await alice.firstDevice(holding: ["/plan": "one", "/other.md": "two"])
        try await place.export(laptop, .mirroring)
        try laptop.move("/plan", to: "/moving")
        _ = try laptop.lockbook.create(path: "/plan/")
        try laptop.move("/moving", to: "/plan/plan.md")
        let report = try await place.export(laptop, .mirroring)
        #expect(report.problems == [])
        #expect(report.removed == 1)
        #expect(try place.facts().keys.sorted() == ["other.md", "plan/plan.md"])
    }

    @Test func `what no export wrote is named also where it stands in the way`() async throws {
        let laptop = try await alice.firstDevice(holding: ["/a": "one"])
        try place.write("a", "one")
        try await place.export(laptop, .mirroring)
        try laptop.delete("/a")
        try laptop.write("/a/in.md", "two")
        let report = try await place.export(laptop, .mirroring)
        // That nothing can be written there, and that it stays.
        let path = "\(place.url.path)/a"
        #expect(report.problems.map(\.path) == [path, path])
        #expect(try place.facts().keys.sorted() == ["a"])
    }
}
