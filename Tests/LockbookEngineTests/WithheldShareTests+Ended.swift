import Foundation
import LockbookAPI
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// Shares that were kept from a device until they had ended.
extension WithheldShareTests {
    @Test func `of a log of which nothing is to be seen any more a link is asked about once`()
        async throws
    {
        let (laptop, _, phone, _) = try await withholding()
        try await phone.sync()
        for path in ["/team", "/kept"] {
            try laptop.lockbook.setShare(.path(path), of: "bob", to: nil)
            try await laptop.sync()
        }
        for _ in 0..<2 { try await phone.sync() }
        phone.faults.tellTruth()
        try await phone.sync()
        #expect(try phone.paths() == ["/kept"])
        #expect(try await phone.sync().traffic.requests == 1)
    }

    @Test func `a log that is refused for something else is asked about again`() async throws {
        let (laptop, _, phone, _) = try await withholding()
        try await phone.sync()
        try laptop.write("/team/late.md", "late")
        try await laptop.sync()
        try await phone.sync()
        phone.faults.refuse("/v1/pull") { body in
            let request = try Lockbook_V1_PullRequest(serializedBytes: Data(body))
            guard request.logs.first?.known == false else { return nil }
            let answer = Lockbook_V1_ErrorResponse.with { $0.code = .malformed }
            return (400, Array(try answer.serializedData() as Data))
        }
        try await phone.sync()
        phone.faults.tellTruth()
        try await phone.sync()
        #expect(try phone.paths().contains("/kept/b.md"))
    }
}
