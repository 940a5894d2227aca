import Foundation
import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

/// What came out of the trash on a device that never had its content.
struct RestoredContentTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `what is fetched lives on as new files when it is purged before the next sync`()
        async throws
    {
        let (laptop, phone) = try await ada.twoDevices(
            holding: ["a.md": "a", "f/": "", "f/b.md": "b", "large": noise(2_000_000, seed: 7)]
        )
        let paths = ["/a.md", "/f", "/large"]
        // Each was deleted itself: of what died with its folder the content comes with a sync.
        try laptop.delete("/f/b.md")
        for path in paths { try laptop.delete(path) }
        for device in [laptop, phone] { try await device.sync() }
        let desk = try await ada.device(named: "desk", like: laptop)
        let files = try desk.lockbook.restore((paths + ["/f/b.md"]).map { .path($0) })
        _ = desk.faults.takeRequests()
        try await desk.lockbook.fetchRestored(files.map(\.id))
        #expect(desk.faults.takeRequests().filter { $0 == "/v1/blobs" }.count == 1)
        #expect(try desk.lockbook.status().notHere == 0)

        _ = try laptop.lockbook.emptyTrash()
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.paths() == ["/a.md", "/f/", "/f/b.md", "/large"])
        #expect(try await desk.text("/a.md") == "a")
        #expect(try await desk.text("/f/b.md") == "b")
        try await converge(ada, desk, laptop, phone)
    }

    @Test func `what others share is fetched from them`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md"])
        try laptop.delete("/team/plan.md")
        try await laptop.sync()
        try await desk.sync()
        let tablet = try await bob.device(named: "tablet", like: desk)
        let files = try tablet.lockbook.restore([.path("/team/plan.md")])
        #expect(try tablet.lockbook.info(.path("/team/plan.md")).isHere == false)
        try await tablet.lockbook.fetchRestored(files.map(\.id))
        #expect(try tablet.lockbook.info(.path("/team/plan.md")).isHere)
    }

    @Test func `without the server it is said what is not here`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/a.md", "a")
        try await laptop.sync()
        try laptop.delete("/a.md")
        try await laptop.sync()
        let desk = try await ada.device(named: "desk", like: laptop)
        let files = try desk.lockbook.restore([.path("/a.md")])
        desk.faults.next("/v1/blobs", .lost)
        await #expect(throws: LockbookError.contentNotHere(path: "/a.md")) {
            try await desk.lockbook.fetchRestored(files.map(\.id))
        }
        try await desk.lockbook.fetchRestored(files.map(\.id))
        #expect(try await desk.text("/a.md") == "a")
    }

    @Test func `what cannot be had keeps nothing else from being fetched`() async throws {
        let laptop = try await ada.firstDevice()
        let paths = ["/a.md", "/b.md", "/c.md"]
        for path in paths { try laptop.write(path, path) }
        try await laptop.sync()
        for path in paths { try laptop.delete(path) }
        try await laptop.sync()
        let desk = try await ada.device(named: "desk", like: laptop)
        let files = try desk.lockbook.restore(paths.map { .path($0) })
        let absent = try desk.lockbook.status().notHere
        // The first content of each answer is another one: of all at once, and of the first by itself.
        let spoilt = Mutex(2)
        desk.faults.lie("/v1/blobs") { body in
            guard
                spoilt.withLock({
                    $0 -= 1
                    return $0 >= 0
                })
            else { return body }
            var answer = try Lockbook_V1_BlobsResponse(serializedBytes: Data(body))
            answer.blobs[0].content[0] ^= 1
            return Array(try answer.serializedData() as Data)
        }
        await #expect(throws: LockbookError.self) {
            try await desk.lockbook.fetchRestored(files.map(\.id))
        }
        #expect(try absent == 3 && desk.lockbook.status().notHere == 1)
    }
}
