import Foundation
import LockbookAPI
import LockbookEngine
import LockbookModel
import LockbookServer
import LockbookTestSupport
import SwiftProtobuf
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
        await #expect {
            try await laptop.lockbook.history(FileReference("/a.md"))
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        #expect(laptop.faults.takeRequests().filter { $0 == "/v1/history" }.count == 1)
    }
}
