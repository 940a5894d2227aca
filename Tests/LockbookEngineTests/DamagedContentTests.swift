import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A content that a disk spoiled on this device, and that the server still has.
struct DamagedContentTests {
    private let text = noise(700_000, seed: 3)

    private func spoiledLaptop() async throws -> Device {
        let alice = Person("alice", on: try TestServer())
        let laptop = try await alice.firstDevice()
        try laptop.write("/small.md", "small")
        try laptop.write("/large", text)
        try await laptop.sync()
        try laptop.spoilContents()
        #expect(try laptop.lockbook.validate().count == 2)
        return laptop
    }

    @Test func `a content damaged here is fetched again when it is read`() async throws {
        let laptop = try await spoiledLaptop()
        #expect(try await laptop.text("/large") == text)
        #expect(try await laptop.text("/small.md") == "small")
        #expect(try laptop.lockbook.validate() == [])
    }

    @Test func `without the server it is told that it is damaged, and stays`() async throws {
        let laptop = try await spoiledLaptop()
        laptop.faults.next("/v1/blobs", .lost)
        await #expect(throws: LockbookError.damaged(file: "/small.md", author: "")) {
            try await laptop.text("/small.md")
        }
        #expect(try await laptop.text("/small.md") == "small")
    }

    @Test func `what is changed while it is fetched again is not the end of what was begun`()
        async throws
    {
        let laptop = try await spoiledLaptop()
        let newer = noise(700_000, seed: 4)
        laptop.faults.before("/v1/blobs") { try laptop.write("/large", newer) }
        await #expect(throws: LockbookError.changedMeanwhile(path: "/large")) {
            try await laptop.text("/large")
        }
        #expect(try await laptop.text("/large") == newer)

        laptop.faults.before("/v1/blobs") { try laptop.write("/small.md", "newer") }
        #expect(try await laptop.text("/small.md") == "newer")
    }

    @Test func `a repair fetches all that is damaged or missing`() async throws {
        let laptop = try await spoiledLaptop()
        #expect(try await laptop.lockbook.repairContents().sorted() == ["/large", "/small.md"])
        #expect(try laptop.lockbook.validate() == [])
        let blobs = laptop.directory + "/blobs"
        for name in try FileManager.default.contentsOfDirectory(atPath: blobs) {
            try FileManager.default.removeItem(atPath: blobs + "/" + name)
        }
        #expect(try laptop.lockbook.validate().count == 1)
        #expect(try await laptop.lockbook.repairContents() == ["/large"])
        #expect(try laptop.lockbook.validate() == [])
        #expect(try await laptop.text("/large") == text)
    }

    @Test func `what no server has stays damaged, and nothing is lost of the rest`() async throws {
        let laptop = try await spoiledLaptop()
        try laptop.write("/small.md", "changed here")
        try laptop.spoilContents()
        #expect(try await laptop.lockbook.repairContents() == [])
        await #expect(throws: LockbookError.damaged(file: "/small.md", author: "")) {
            try await laptop.text("/small.md")
        }
    }
}
