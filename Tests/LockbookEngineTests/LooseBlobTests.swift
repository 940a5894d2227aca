import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Contents that are let go while an entry waits, of which it is not known whether it arrived.
struct LooseBlobTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// How many contents are of no earlier version, and of nothing that a command replaced.
    private func presentCount(on device: Device) throws -> Int {
        try device.lockbook.store.read { tree in
            try Int.fetchOne(
                tree.db,
                sql: """
                    SELECT count(*) FROM blob WHERE name NOT IN (
                        SELECT blob FROM version
                        UNION SELECT blob FROM replaced WHERE blob IS NOT NULL
                    )
                    """
            ) ?? 0
        }
    }

    @Test(arguments: [true, false])
    func `go when it is known what became of it`(hasArrived: Bool) async throws {
        let laptop = try await ada.firstDevice(holding: ["/b.md": "b"])
        for number in 0..<25 { try laptop.write("/a.md", "\(number)") }
        try crowdOut(on: laptop)
        try #require(try presentCount(on: laptop) == 3)
        laptop.faults.next("/v1/push", hasArrived ? .answerLost : .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try spread(on: laptop)
        try laptop.write("/a.md", "last")
        #expect(try presentCount(on: laptop) == 8)

        try await laptop.sync()
        #expect(try presentCount(on: laptop) == 3)
        #expect(try await laptop.text("/a.md") == "last")
        #expect(try laptop.lockbook.validate() == [])
    }

    /// So many that no command of before can be taken back.
    private func crowdOut(on device: Device) throws {
        for number in 0..<110 { try device.write("/c.md", "\(number)") }
    }

    /// From here on each save was made a month after the one before.
    private func spread(on device: Device) throws {
        try device.lockbook.store.write { tree in
            try tree.db.execute(
                sql: """
                    UPDATE version SET at = at - 30 * 86400000 * ((SELECT max(id) FROM version) - id)
                    """
            )
        }
    }

    /// To bring it back keeps one more, and of the old ones it is the last.
    @Test func `an old save that is brought back stays`() async throws {
        let laptop = try await ada.firstDevice()
        for number in 0..<25 { try laptop.write("/a.md", "\(number)") }
        try crowdOut(on: laptop)
        let versions = try await laptop.lockbook.history(FileReference("/a.md")).versions
        let oldest = try #require(versions.last)
        try spread(on: laptop)
        _ = try await laptop.lockbook.restore(FileReference("/a.md"), version: oldest.version)
        #expect(try await laptop.text("/a.md") == "0")
        try await converge(ada, laptop)
    }

    /// It was let go of before that, and is what waits to be pushed when the entry is known to be there.
    @Test(arguments: [true, false])
    func `so does one that is brought back while a share is on its way`(hasArrived: Bool)
        async throws
    {
        let (laptop, desk) = try await shared()
        let path = "/more/a.md"
        _ = try laptop.lockbook.create(path: "/more/")
        for number in 0..<2 { try laptop.write(path, "\(number)") }
        let reference = FileReference(path)
        let first = try await laptop.lockbook.history(reference).versions[1]
        _ = try await laptop.lockbook.restore(reference, version: first.version)
        for number in 2...20 { try laptop.write(path, "\(number)") }
        let versions = try await laptop.lockbook.history(reference).versions
        // The newer one of the two that say it: both are of one content.
        let again = versions[19]
        try #require(try await laptop.text(path, version: again) == "0")
        try crowdOut(on: laptop)
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/more"), with: "bob", mode: .write)
        laptop.faults.next("/v1/push", hasArrived ? .answerLost : .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try #require(try laptop.lockbook.store.read { try $0.pending()?.isOfShares == true })

        try spread(on: laptop)
        for text in ["a", "b"] { try laptop.write(path, text) }
        try #require(try laptop.lockbook.store.read { try $0.setting(.looseBlobs) != nil })
        _ = try await laptop.lockbook.restore(reference, version: again.version)
        try await laptop.sync()
        #expect(try await laptop.text(path) == "0")
        try await desk.sync()
        try await converge(ada, laptop)
    }

    /// Two conflicts, of which one is joined when something comes in between.
    @Test(arguments: [true, false])
    func `what a merge made and did not take goes`(isBrokenOff: Bool) async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["/a.md": "old", "/b.md": "old"])
        for path in ["/a.md", "/b.md"] {
            try laptop.write(path, "here \(path)")
            try phone.write(path, "there \(path)")
        }
        try await phone.sync()
        laptop.faults.before("/v1/blobs") {
            if isBrokenOff { laptop.faults.next("/v1/blobs", .lost) }
        }
        laptop.faults.before("/v1/blobs") {
            guard !isBrokenOff else { return }
            for path in ["/a.md", "/b.md"] { try laptop.write(path, "newest \(path)") }
        }
        if isBrokenOff {
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
        }
        try await laptop.sync()
        try await converge(ada, laptop, phone)
        #expect(try presentCount(on: laptop) == 2)
    }

    @Test func `commands are let go of meanwhile, and what they replaced may be sent again`()
        async throws
    {
        let laptop = try await ada.firstDevice(holding: ["/b.md": "b"])
        try laptop.write("/c.md", "sent")
        laptop.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        for number in 0..<110 { try laptop.write("/c.md", "\(number)") }
        #expect(try laptop.lockbook.commands().count == 100)

        try await laptop.sync()
        #expect(try laptop.lockbook.commands().count == 100)
        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try await phone.text("/c.md") == "109")
        #expect(try laptop.lockbook.validate() == [])
    }
}
