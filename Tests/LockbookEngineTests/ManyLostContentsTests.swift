import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A server's disk that lost many contents, and has them again.
struct ManyLostContentsTests {
    private let server: TestServer
    private let alice: Person

    init() throws {
        server = try TestServer()
        alice = Person("alice", on: server)
    }

    /// The files of contents at the server.
    private func contents() throws -> [URL: Data] {
        let blobs = server.path + "/blobs"
        let files = try FileManager.default.subpathsOfDirectory(atPath: blobs)
            .filter { ($0 as NSString).lastPathComponent.utf8.count == 64 }
            .map { URL(fileURLWithPath: blobs + "/" + $0) }
        return try Dictionary(uniqueKeysWithValues: files.map { ($0, try Data(contentsOf: $0)) })
    }

    /// Syncs, and expects all of it to fail of lost contents.
    /// - Returns: how many are named, and how often contents were asked for.
    private func syncLosing(_ device: Device) async throws -> (lost: Int, requests: Int) {
        _ = device.faults.takeRequests()
        var lost = 0
        let error = await #expect(throws: LockbookError.self) {
            _ = try await device.lockbook.sync { report in
                lost = Set(report.notes.filter { $0.kind == .contentLost }.map(\.path)).count
            }
        }
        if case .badContent? = error {} else { Issue.record("\(String(describing: error))") }
        return (lost, device.faults.takeRequests().count { $0 == "/v1/blobs" })
    }

    @Test func `each sync asks for a few of them, names all, and has all once one comes`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for number in 1...30 {
            try laptop.write("/\(number).txt", noise(100_000, seed: UInt64(number)))
        }
        try await laptop.sync()
        let files = try contents()
        try #require(files.count == 30)
        for file in files.keys { try FileManager.default.removeItem(at: file) }
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        #expect(try await syncLosing(phone).lost == 30)
        for _ in 0..<3 {
            let (lost, requests) = try await syncLosing(phone)
            #expect(lost == 30 && (1..<20).contains(requests))
            #expect(try phone.lockbook.status().notHere == 30)
        }
        for (file, bytes) in files { try bytes.write(to: file) }
        try await phone.sync()
        #expect(try phone.lockbook.status().notHere == 0)
        #expect(try await phone.text("/7.txt") == noise(100_000, seed: 7))
    }
}
