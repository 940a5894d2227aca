import Foundation
import GRDB
import LockbookEngine
import LockbookTestSupport
import Testing

/// A content that a disk spoiled on this device, and that the server still has.
struct DamagedContentTests {
    private let text = noise(700_000, seed: 3)

    private func spoil(_ bytes: inout Data) {
        bytes[bytes.count * 3 / 4] ^= 1
    }

    /// Every content on the device, in rows and in files, with one bit of it the other way.
    private func spoilContents(of device: Device) throws {
        let queue = try DatabaseQueue(path: device.directory + "/lockbook.db")
        try queue.write { db in
            for row in try Row.fetchAll(db, sql: "SELECT name, bytes FROM blob") {
                guard var bytes = row["bytes"] as Data? else { continue }
                spoil(&bytes)
                try db.execute(
                    sql: "UPDATE blob SET bytes = ? WHERE name = ?",
                    arguments: [bytes, row["name"] as Data]
                )
            }
        }
        try queue.close()
        let folder = device.directory + "/blobs"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let file = URL(fileURLWithPath: folder + "/" + name)
            var bytes = try Data(contentsOf: file)
            spoil(&bytes)
            try bytes.write(to: file)
        }
    }

    private func spoiledLaptop() async throws -> Device {
        let alice = Person("alice", on: try TestServer())
        let laptop = try await alice.firstDevice()
        try laptop.write("/small.md", "small")
        try laptop.write("/large", text)
        try await laptop.sync()
        try spoilContents(of: laptop)
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
        try spoilContents(of: laptop)
        #expect(try await laptop.lockbook.repairContents() == [])
        await #expect(throws: LockbookError.damaged(file: "/small.md", author: "")) {
            try await laptop.text("/small.md")
        }
    }
}
