import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What is deleted for good, here and everywhere.
struct PurgeTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `what is purged is in no list and no trash, and gone from the other device too`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["keep.md": "kept", "trip/": "", "trip/plan.md": "by train", "a.md": "a"]
        )
        try laptop.delete("/a.md")
        try await laptop.sync()
        #expect(try laptop.lockbook.purge([FileReference("/trip")]) == 2)
        #expect(try laptop.lockbook.trash().map(\.path) == ["/a.md"])
        #expect(throws: LockbookError.notInTrash(path: "/trip")) {
            try laptop.lockbook.restore([FileReference("/trip")])
        }
        #expect(
            try laptop.lockbook.status().changes.map { "\($0.kind) \($0.path)" } == ["purged /trip"]
        )
        let report = try await laptop.sync()
        #expect(report.purged == ["/trip"] && report.pushed.isEmpty)
        #expect(try laptop.lockbook.emptyTrash() == 1)
        try await laptop.sync()
        #expect(try laptop.lockbook.trash() == [])

        let learned = try await phone.sync()
        #expect(learned.purged == ["/a.md", "/trip"] && learned.pulled.isEmpty)
        #expect(try phone.lockbook.trash() == [])
        #expect(try phone.paths() == ["/keep.md"])
        try await converge(alice, laptop, phone)
    }

    @Test func `a document that was purged itself is gone wherever it went`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["trip/plan.md": "by train"])
        _ = try laptop.lockbook.purge([FileReference("/trip/plan.md")])
        try await laptop.sync()
        try phone.move("/trip/plan.md", to: "/plan.md")
        #expect(try await phone.sync().purged == ["/plan.md"])
        #expect(try phone.paths() == ["/trip/"])
        try await converge(alice, laptop, phone)
    }

    /// A purge while an entry waits whose fate is not known: it was lost, or its answer was.
    @Test(arguments: [WireFaults.Fault.lost, .answerLost], [1, 2, .max])
    func `a new folder is purged with what moved into it, while its entry waits`(
        fault: WireFaults.Fault,
        count: Int
    ) async throws {
        let (first, phone) = try await alice.twoDevices(
            holding: ["b.md": "b", "e.json": "e", "keep.md": "kept"]
        )
        let laptop = try first.again(pushing: count)
        #expect(try laptop.lockbook.purge([FileReference("/e.json")]) == 1)
        _ = try laptop.lockbook.create(path: "/z/")
        try laptop.move("/b.md", to: "/z")
        laptop.faults.next("/v1/push", fault)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        #expect(try laptop.lockbook.purge([FileReference("/z")]) == 2)

        try await laptop.sync()
        try await phone.sync()

        #expect(try phone.paths() == ["/keep.md"])
        #expect(try laptop.lockbook.trash().isEmpty && phone.lockbook.trash().isEmpty)
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [40_000, 3_000_000])
    func `what the server refused stands in nobody's way once it is purged`(count: Int)
        async throws
    {
        let alice = Person("alice", on: try TestServer(quota: 30_000))
        let laptop = try await alice.firstDevice()
        try laptop.write("/small.md", "small")
        try laptop.write("/large", noise(count, seed: 1))
        let first = try await laptop.sync()
        #expect(first.pushed == ["/small.md"])
        #expect(first.notes.map(\.kind) == [.notPushed])
        #expect(try laptop.lockbook.status().changes.map(\.path) == ["/large"])
        #expect(try laptop.lockbook.purge([FileReference("/large")]) == 1)
        let report = try await laptop.sync()
        #expect(report.pushed.isEmpty && report.purged.isEmpty && report.notes.isEmpty)
        #expect(try laptop.lockbook.status().changes.isEmpty)
    }

    @Test(arguments: [false, true])
    func `nothing is sent of what is purged before any sync`(isTrashed: Bool) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/secret.md", "never sent")
        try laptop.write("/f/deep/large", noise(2_000_000, seed: 9))
        let all = [FileReference("/secret.md"), FileReference("/f")]
        if isTrashed {
            for file in all { _ = try laptop.lockbook.delete([file]) }
            #expect(try laptop.lockbook.emptyTrash() == 4)
        } else {
            #expect(try laptop.lockbook.purge(all) == 4)
        }
        let usage = try await alice.server.usage(of: "alice")
        _ = laptop.faults.takeRequests()
        let report = try await laptop.sync()
        #expect(report.pushed.isEmpty && report.purged.isEmpty)
        #expect(laptop.faults.takeRequests() == ["/v1/pull"])
        #expect(try await alice.server.usage(of: "alice") == usage)
        try await converge(alice, laptop)
    }

    @Test func `what is purged after its push failed is gone from the server too`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/secret.md", "sent once")
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        #expect(try laptop.lockbook.purge([FileReference("/secret.md")]) == 1)
        try await laptop.sync()
        try await laptop.sync()
        try await converge(alice, laptop)
        #expect(try laptop.paths() == [] && laptop.lockbook.trash() == [])
    }

    @Test func `more than somebody was asked about is not purged`() async throws {
        let laptop = try await alice.firstDevice()
        for name in ["f/a.md", "f/b.md", "c.md"] { try laptop.write("/\(name)", "text") }
        try laptop.delete("/c.md")
        try laptop.delete("/f/b.md")
        #expect(try laptop.lockbook.emptyTrash(atMost: 1) == nil)
        #expect(try laptop.lockbook.purge([.path("/f")], atMost: 1) == nil)
        #expect(try laptop.lockbook.trash().map(\.path) == ["/c.md", "/f/b.md"])
        #expect(try laptop.paths() == ["/f/", "/f/a.md"])
        #expect(try laptop.lockbook.emptyTrash(atMost: 2) == 2)
        #expect(try laptop.lockbook.purge([.path("/f")], atMost: 2) == 2)
        #expect(try laptop.paths() == [] && laptop.lockbook.trash() == [])
    }

    @Test func `what no server knows is gone at once`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/f/a.md", "a")
        try laptop.write("/b.md", "b")
        try await laptop.sync()
        try laptop.write("/f/new.md", "new")
        try laptop.write("/g/new.md", "new")
        try laptop.move("/b.md", to: "/g/b.md")
        #expect(try laptop.lockbook.purge([FileReference("/g")]) == 3)
        #expect(try laptop.lockbook.purge([FileReference("/f/new.md")]) == 1)
        #expect(try laptop.lockbook.validate() == [])
        // Its name can be had again, and what goes is what the server knew.
        try laptop.write("/b.md", "another")
        #expect(try await laptop.sync().purged == ["/b.md"])
        try await converge(alice, laptop)
        #expect(try laptop.paths() == ["/b.md", "/f/", "/f/a.md"])
        #expect(try await laptop.text("/b.md") == "another")
    }

    @Test func `one file of a deleted folder is purged alone`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["f/a.md": "a", "f/in/b.md": "b"])
        try laptop.delete("/f")
        #expect(try laptop.lockbook.emptyTrash([FileReference("/f/in/b.md")]) == 1)
        try await laptop.sync()
        try await phone.sync()
        _ = try phone.lockbook.restore([FileReference("/f")])
        #expect(try phone.paths() == ["/f/", "/f/a.md", "/f/in/"])
        try await converge(alice, laptop, phone)
        // What had died with its folder stays away, also before that is synced.
        try phone.write("/f/c.md", "c")
        try await phone.sync()
        try await laptop.sync()
        try phone.write("/f/c.md", "words")
        try laptop.delete("/f")
        try await laptop.sync()
        try await phone.sync()
        #expect(try phone.lockbook.emptyTrash([FileReference("/f/c.md")]) == 1)
        #expect(try phone.lockbook.trash(isRecursive: true).map(\.path).contains("/f/a.md"))
        #expect(try !phone.lockbook.trash(isRecursive: true).map(\.path).contains("/f/c.md"))
        _ = try phone.lockbook.restore([FileReference("/f")])
        #expect(try phone.paths() == ["/f/", "/f/a.md", "/f/in/"])
        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/f/", "/f/a.md", "/f/in/"])
        // Also where the deletion was synced before.
        try laptop.delete("/f")
        try await laptop.sync()
        #expect(try laptop.lockbook.emptyTrash([FileReference("/f/a.md")]) == 1)
        try await laptop.sync()
        try await phone.sync()
        _ = try phone.lockbook.restore([FileReference("/f")])
        #expect(try phone.paths() == ["/f/", "/f/in/"])
        try await converge(alice, laptop, phone)
    }

    @Test func `what was deleted in a folder that is there is purged by the folder's path`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: [
                "f/a.md": "a", "f/in/b.md": "b", "f/in/c.md": "c", "f/keep.md": "kept", "g.md": "g",
            ]
        )
        for path in ["/f/a.md", "/f/in/b.md", "/f/in", "/g.md"] { try laptop.delete(path) }
        #expect(try laptop.lockbook.countTrash([.path("/f"), .path("/f/a.md")]) == 4)
        #expect(try laptop.lockbook.emptyTrash([.path("/f")]) == 4)
        #expect(try laptop.lockbook.countTrash([.path("/f")]) == 0)
        #expect(try laptop.lockbook.trash().map(\.path) == ["/g.md"])
        #expect(throws: LockbookError.notInTrash(path: "/f/keep.md")) {
            try laptop.lockbook.countTrash([.path("/f/keep.md")])
        }
        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/f/", "/f/keep.md"])
        // What was deleted at the path itself is meant, unless it may be what was deleted in there.
        try phone.delete("/f")
        try phone.write("/f/new.md", "new")
        #expect(try phone.lockbook.countTrash([.path("/f")]) == 2)
        try phone.delete("/f/new.md")
        let deleted = try #require(try phone.lockbook.trash().first { $0.path == "/f" }).id
        let present = try phone.lockbook.info(.path("/f")).id
        let matches = [deleted, present].map { "id:\($0.prefix(12))" }
        #expect(throws: LockbookError.ambiguous(prefix: "/f", matches: matches)) {
            try phone.lockbook.emptyTrash([.path("/f")])
        }
        #expect(try phone.lockbook.countTrash([FileReference(matches[1])]) == 1)
        #expect(try phone.lockbook.emptyTrash([FileReference(matches[0])]) == 2)
        #expect(try phone.lockbook.trash().map(\.path) == ["/f/new.md", "/g.md"])
        // A word that a script left empty is not all of the trash.
        for path in ["", "/"] {
            #expect(throws: LockbookError.notInTrash(path: path)) {
                try phone.lockbook.emptyTrash([.path(path)])
            }
        }
        #expect(try phone.lockbook.emptyTrash() == 2)
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/f/"])
    }

    @Test func `a device that was away for long learns of it from a checkpoint`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["keep.md": "kept"])
        for number in 0..<140 { try laptop.write("/f/\(number).md", "\(number)") }
        try await laptop.sync()
        try await phone.sync()
        try laptop.write("/keep.md", "changed")
        _ = try laptop.lockbook.purge([FileReference("/f")])
        try await laptop.sync()
        try await alice.server.collect(afterDays: 91)

        var options = SyncOptions()
        await #expect(throws: LockbookError.self) { try await phone.sync() }
        options.acceptDeletions = true
        let report = try await phone.sync(options)
        #expect(report.purged == ["/f"] && report.pulled == ["/keep.md"])
        try await converge(alice, laptop, phone)
    }

    @Test
    func
        `files that were made, deleted and purged leave no trace in the store and are fetched by nobody`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for number in 0..<40 {
            try laptop.write("/keep/\(number).md", noise(2_000, seed: UInt64(number) + 1))
        }
        try await laptop.sync()
        let before = try laptop.storeByteCount()
        for number in 0..<300 {
            try laptop.write("/gone/\(number).md", noise(2_000, seed: UInt64(number) + 1))
        }
        try await laptop.sync()
        #expect(try laptop.storeByteCount() > 2 * before)
        try laptop.delete("/gone")
        try await laptop.sync()
        #expect(try laptop.lockbook.emptyTrash() == 301)
        try await laptop.sync()
        let after = try laptop.storeByteCount()
        #expect(after * 10 <= before * 11, "\(before) before, \(after) after")

        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        let report = try await phone.sync()
        #expect(report.pulled.count == 41 && report.purged.isEmpty)
        #expect(try phone.storeByteCount() * 10 <= before * 11)
        try await converge(alice, laptop, phone)
    }
}

extension Device {
    /// What the database takes on the disk, its log with it.
    fileprivate func storeByteCount() throws -> Int {
        try ["lockbook.db", "lockbook.db-wal"].reduce(0) { sum, name in
            let path = directory + "/" + name
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            return sum
                + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
        }
    }
}
