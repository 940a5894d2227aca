import Foundation
import LockbookAPI
import LockbookEngine
import LockbookModel
import LockbookServer
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

/// What a server that lies about versions is believed.
struct HistoryLiesTests {
    @Test func `a version that is sent twice is shown once`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        for text in ["one", "two", "three"] {
            try laptop.write("/a.md", text)
            try await laptop.sync()
        }
        let honest = try await laptop.lockbook.history(FileReference("/a.md"))
        laptop.faults.lie("/v1/history") { body in
            var response = try Lockbook_V1_HistoryResponse(serializedBytes: Data(body))
            response.versions += response.versions
            return Array(try response.serializedData() as Data)
        }
        let told = try await laptop.lockbook.history(FileReference("/a.md"))
        #expect(honest.versions.count == 3)
        #expect(told.versions.map(\.version) == honest.versions.map(\.version))
    }

    @Test func `a server that has versions from before the first entry is asked no more`()
        async throws
    {
        let server = try TestServer()
        let laptop = try await Person("alice", on: server).firstDevice()
        try laptop.write("/a.md", "one")
        try await laptop.sync()
        let username = try #require(Username("alice"))
        let header = try await server.folder.store.read { store in
            let account = try #require(try store.account(named: username))
            return try #require(try store.entry(0, of: account.key)).header
        }
        laptop.faults.lie("/v1/history") { body in
            var response = try Lockbook_V1_HistoryResponse(serializedBytes: Data(body))
            // Signed by the same device, and nothing of it proves that it lists something else.
            response.entries = [.with { $0.header = Data(header) }]
            for index in response.versions.indices { response.versions[index].position = 0 }
            response.more = true
            return Array(try response.serializedData() as Data)
        }
        _ = laptop.faults.takeRequests()
        await isFoundOut { _ = try await laptop.lockbook.history(.path("/a.md")) }
        #expect(laptop.faults.takeRequests().filter { $0 == "/v1/history" }.count == 1)
    }

    enum Lie: CaseIterable {
        /// An entry has a signature that is none.
        case unsigned
        case anotherLog
        /// Each of two entries has what the other one says.
        case otherGroups
        /// Each of two versions stands under the entry of the other one.
        case otherEntry
        case noEntry

        func change(_ response: inout Lockbook_V1_HistoryResponse) throws {
            try #require(response.entries.count == 3 && response.versions.count == 3)
            let first = response.entries[0]
            switch self {
            case .unsigned: response.entries[0].header[first.header.count - 1] ^= 1
            // Its name stands behind the format.
            case .anotherLog: response.entries[0].header[1] ^= 1
            case .otherGroups:
                try #require(!first.groups.isEmpty)
                response.entries[0].groups = response.entries[1].groups
                response.entries[1].groups = first.groups
            case .otherEntry:
                let record = response.versions[0].record
                response.versions[0].record = response.versions[1].record
                response.versions[1].record = record
            case .noEntry: response.entries.removeLast()
            }
        }
    }

    @Test(arguments: Lie.allCases)
    func `a version is of the entry that lists it, and of nobody who did not sign that`(lie: Lie)
        async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        for text in ["one", "two", "three"] {
            try laptop.write("/a.md", text)
            try await laptop.sync()
        }
        laptop.faults.lie("/v1/history") { body in
            var response = try Lockbook_V1_HistoryResponse(serializedBytes: Data(body))
            try lie.change(&response)
            return Array(try response.serializedData() as Data)
        }
        await isFoundOut { _ = try await laptop.lockbook.history(.path("/a.md")) }
        laptop.faults.tellTruth()
        #expect(try await laptop.lockbook.history(.path("/a.md")).versions.count == 3)
    }

    @Test func `versions of another file are none of this one`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice(holding: [
            "/a.md": "a", "/b.md": "b",
        ])
        let other = Mutex<[UInt8]>([])
        laptop.faults.lie("/v1/history") { body in
            // The first answer is given again to the second question.
            other.withLock { kept in
                if kept.isEmpty { kept = body }
                return kept
            }
        }
        #expect(try await laptop.lockbook.history(.path("/b.md")).versions.count == 1)
        await isFoundOut { _ = try await laptop.lockbook.history(.path("/a.md")) }
    }
}
