import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// A server that keeps one share of several from a device that is new.
struct WithheldShareTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `the link to a share that a server keeps from a new device stays`() async throws {
        let (laptop, desk) = try await shared()
        try laptop.write("/kept/b.md", "b")
        try await laptop.sync()
        try await share("/kept", .write, laptop, desk)
        let scope = try #require(FileID(hex: laptop.lockbook.info(.path("/kept")).id))
        let before = try desk.paths()
        let phone = try await bob.device(named: "phone", like: desk, synced: false)
        phone.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for log in response.logs.indices {
                try response.logs[log].withhold(scope)
            }
            return Array(try response.serializedData() as Data)
        }

        for round in 0..<4 {
            let report = try await phone.sync()
            #expect(!report.notes.contains { $0.kind == .takenBack })
            #expect(report.pushed.isEmpty)
            // Asked for once more from the beginning, and not again.
            if round > 1 { #expect(report.traffic.requests == 1) }
        }
        #expect(try phone.paths().contains("/kept"))
        phone.faults.tellTruth()
        try await desk.sync()
        #expect(try desk.paths() == before)

        // What was kept from it comes after the next change there.
        try laptop.write("/kept/c.md", "c")
        try await laptop.sync()
        for device in [phone, phone, desk] { try await device.sync() }
        #expect(try await phone.snapshot() == desk.snapshot())
        #expect(try await phone.sync().traffic.requests == 1)
    }

    @Test func `a link that comes out of the trash after its share ended goes again`() async throws
    {
        let (laptop, desk) = try await shared()
        try desk.delete("/team")
        try await desk.sync()
        _ = try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        let link = try #require(try desk.lockbook.trash().first { $0.type == .link })
        _ = try desk.lockbook.restore([.id(prefix: link.id)])

        try await desk.sync()
        try await desk.sync()

        #expect(try desk.paths() == [])
    }
}

extension Lockbook_V1_LogUpdate {
    /// As the server would show it to somebody who may not see a scope.
    fileprivate mutating func withhold(_ scope: FileID) throws {
        for entry in entries.indices {
            entries[entry].groups = try entries[entry].groups.map { group in
                guard case .whole(let bytes) = group.content,
                    try EntryGroup(Array(bytes)).scope == scope
                else { return group }
                var hidden = Lockbook_V1_Group()
                hidden.hidden =
                    Data(scope.bytes) + Data(EntryGroup.hash(of: Array(bytes)).bytes)
                return hidden
            }
        }
        records = try records.filter { try FileRecord(Array($0)).facts.scope != scope }
    }
}
