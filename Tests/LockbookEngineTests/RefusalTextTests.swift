import Foundation
import LockbookAPI
import SwiftProtobuf
import Testing

@testable import LockbookEngine

struct RefusalTextTests {
    private func said(_ message: String) throws -> String? {
        let refusal = Lockbook_V1_ErrorResponse.with {
            $0.code = .notPermitted
            $0.message = message
        }
        let bytes: Data = try refusal.serializedData()
        return ServerClient.refusal(from: Array(bytes))?.message
    }

    @Test func `a server that says too much is cut short`() throws {
        #expect(try said("no") == "no")
        #expect(try said(String(repeating: "ä", count: 200))?.count == 200)
        #expect(try said(String(repeating: "A", count: 60_000))?.count == 201)
        #expect(try said("") == "it gives no reason")
        #expect(ServerClient.refusal(from: [0xff, 0xff]) == nil)
    }

    @Test func `what is longer than any refusal is none, and neither is nothing`() {
        // A code, and the server's time again and again.
        let code: [UInt8] = [0x08, 0x02]
        let time: [UInt8] = [0x18, 0x01]
        let most = Wire.maximumRefusalByteCount / 2 - 1
        let fits = code + repeatElement(time, count: most).joined()
        #expect(ServerClient.refusal(from: fits)?.serverTime == 1)
        #expect(ServerClient.refusal(from: fits + time) == nil)
        #expect(ServerClient.refusal(from: []) == nil)
        #expect(ServerClient.refusal(from: time) == nil)
    }

    @Test func `what a server says is one line, which does nothing to a terminal`() throws {
        let message = "\u{1b}[2J\u{1b}]0;pwn\u{07} line\nlockbook: fake\u{202e}\u{9b}\u{2028}"
        #expect(
            try said(message)
                == "\\u001b[2J\\u001b]0;pwn\\u0007 line\\u000alockbook: fake\\u202e\\u009b\\u2028"
        )
        // Cut as it is shown, and not within what stands for one character.
        let cut = try #require(try said(String(repeating: "\u{1b}", count: 1_000)))
        #expect(cut == String(repeating: "\\u001b", count: 33) + "…")
        #expect(try said("für \u{65e5} \u{1f642}") == "für \u{65e5} \u{1f642}")
    }
}
