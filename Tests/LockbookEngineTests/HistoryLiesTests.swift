import Foundation
import LockbookAPI
import LockbookEngine
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
}
