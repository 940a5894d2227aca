import Foundation
import LockbookAPI
import SwiftProtobuf
import Testing

@testable import LockbookEngine

struct RefusalTextTests {
    @Test func `a server that says too much is cut short`() throws {
        func said(_ message: String) throws -> String? {
            let refusal = Lockbook_V1_ErrorResponse.with {
                $0.code = .notPermitted
                $0.message = message
            }
            let bytes: Data = try refusal.serializedData()
            return ServerClient.refusal(from: Array(bytes))?.message
        }
        #expect(try said("no") == "no")
        #expect(try said(String(repeating: "ä", count: 400))?.count == 400)
        #expect(try said(String(repeating: "A", count: 3_000_000))?.count == 401)
        #expect(ServerClient.refusal(from: [0xff, 0xff]) == nil)
    }
}
