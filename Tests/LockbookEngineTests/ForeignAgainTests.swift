import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What another program exported, taken in once more.
struct ForeignAgainTests {
    let alice: Person
    let place: Place

    init() throws {
        alice = Person("alice", on: try TestServer())
        place = try Place()
        try place.make("export")
    }

    private func take(
        _ program: NoteProgram,
        on device: Device,
        _ progress: (TransferProgress) -> Void = { _ in }
    ) throws -> TransferReport {
        let path = "\(place.url.path)/export"
        return try device.lockbook.importNotes(
            of: program,
            from: [path],
            to: "/in",
            progress: progress
        )
    }

    /// The device as it is when the first file is counted.
    private func killed(on laptop: Device) throws -> Device {
        var killed: Result<Device, any Error>?
        _ = try take(.bear, on: laptop) { _ in
            if killed == nil { killed = Result { try laptop.twin() } }
        }
        return try #require(killed).get()
    }

    /// A notebook of Joplin.
    private func book(_ id: String, _ title: String, in parent: String = "") throws {
        let item = "\(title)\n\nid: \(id)\nparent_id: \(parent)\ntype_: 2"
        try place.write("export/\(id).md", item)
    }

    /// A note of Joplin.
    private func note(_ id: String, _ title: String, _ text: String, in parent: String) throws {
        let item = "\(title)\n\n\(text)\n\nid: \(id)\nparent_id: \(parent)\ntype_: 1"
        try place.write("export/\(id).md", item)
    }

    /// A TextBundle that does not say when it was made.
    private func bundle(
        _ name: String,
        _ text: String,
        asset: String? = nil,
        info: String = "{\"version\": 2}"
    ) throws {
        try place.make("export/\(name).textbundle/assets")
        try place.write("export/\(name).textbundle/info.json", info)
        try place.write("export/\(name).textbundle/text.md", text)
        if let asset { try place.write("export/\(name).textbundle/assets/a.bin", asset) }
    }

    @Test func `a notebook that was moved here stays where it is, and takes what is new`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try book("b1", "Work")
        try book("b2", "Empty", in: "b1")
        try note("n1", "Plan", "one", in: "b1")
        #expect(try take(.joplin, on: laptop).created == 1)
        _ = try laptop.lockbook.create(path: "/archive/")
        try laptop.move("/in/Work", to: "/archive")
        let work = "/archive/Work/"
        let moved = ["/archive/", work, work + "Empty/", work + "Plan.md"]
        let again = try take(.joplin, on: laptop)
        #expect((again.created, again.updated, again.unchanged) == (0, 0, 1))
        #expect(try laptop.paths().sorted() == moved + ["/in/"])

        try book("b3", "Later", in: "b1")
        try note("n2", "Plan", "two", in: "b1")
        try note("n3", "Deep", "three", in: "b3")
        #expect(try take(.joplin, on: laptop).created == 2)
        let more = [work + "Later/", work + "Later/Deep.md", work + "Plan-1.md"]
        let all = (moved + more + ["/in/"]).sorted()
        #expect(try laptop.paths().sorted() == all)

        // What was deleted here comes back where it was first.
        try laptop.delete("/archive")
        #expect(try take(.joplin, on: laptop).created == 3)
        let back = all.filter { $0.hasPrefix(work) }.map { "/in" + $0.dropFirst(8) }
        #expect(try laptop.paths().sorted() == ["/in/"] + back)
    }

    @Test func `what a batch took in is known when the import is killed after it`() async throws {
        let laptop = try await alice.firstDevice()
        // The largest that a batch takes, and more of them than one does.
        let text = String(repeating: "x", count: 262_144)
        for number in 0..<36 { try bundle("\(number)", text) }
        let device = try killed(on: laptop)
        let first = try device.paths().filter { $0.hasSuffix(".md") }
        #expect(first.count < 36)
        let changed = try #require(first.first)
        try device.write(changed, "changed here")
        let again = try take(.bear, on: device)
        #expect(again.problems == [])
        #expect(again.created == 36 - first.count)
        #expect(try device.paths().count == 37)
        #expect(try await device.text(changed) == "changed here")
        // It is one memory again.
        #expect(try take(.bear, on: device).unchanged == 36)
    }

    @Test func `a large attachment is known when the import is killed after it`() async throws {
        let laptop = try await alice.firstDevice()
        let asset = String(repeating: "x", count: 262_145)
        for name in ["a", "b"] { try bundle(name, "![](assets/a.bin)", asset: asset) }
        let device = try killed(on: laptop)
        let attachment = "/in/attachments/a/a.bin"
        #expect(try device.paths().contains(attachment))
        try device.write(attachment, "changed here")
        let again = try take(.bear, on: device)
        #expect(again.problems == [])
        #expect(try device.paths().sorted() == laptop.paths().sorted())
        #expect(try await device.text(attachment) == "changed here")
    }

    @Test func `bundles of one id keep their notes, whichever of them are there`() async throws {
        let laptop = try await alice.firstDevice()
        let info = "{\"version\": 2, \"net.shinyfrog.bear\": {\"uniqueIdentifier\": \"x\"}}"
        try bundle("b", "b", info: info)
        #expect(try take(.bear, on: laptop).created == 1)
        try bundle("a", "a", info: info)
        let second = try take(.bear, on: laptop)
        #expect((second.created, second.updated) == (1, 0))
        try FileManager.default.removeItem(at: place.url.appending(path: "export/b.textbundle"))
        try bundle("a", "a again", info: info)
        let third = try take(.bear, on: laptop)
        #expect((third.created, third.updated) == (0, 1))
        #expect(try await laptop.text("/in/a.md") == "a again")
        #expect(try await laptop.text("/in/b.md") == "b")
    }
}
