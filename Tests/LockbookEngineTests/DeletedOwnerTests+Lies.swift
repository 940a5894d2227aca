import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// What a server is not believed of an account's end.
extension DeletedOwnerTests {
    private func isNotBelieved(
        _ desk: Device,
        _ end: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await desk.snapshot()
        desk.faults.lie("/v1/pull") { body in
            var answer = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for index in answer.logs.indices.dropFirst() { answer.logs[index].end = Data(end) }
            return Array(try answer.serializedData() as Data)
        }
        await #expect(sourceLocation: sourceLocation) {
            try await desk.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        desk.faults.tellTruth()
        #expect(try await desk.snapshot() == before, sourceLocation: sourceLocation)
    }

    @Test func `what another one signed, or for something else, ends nothing`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's words")
        let owner = laptop.lockbook.keys
        let eve = try AccountKeys(
            seed: try #require(AccountSeed(Array(repeating: 7, count: 32)))
        )
        let time = Timestamp(milliseconds: 5)
        let real = try AccountEnd(created: time, by: owner).bytes
        var altered = real
        altered[104] ^= 1
        let message = Array(real.dropLast(64))
        let forOther = try owner.signing.sign(message, for: .account)
        for forged in [
            altered, try AccountEnd(created: time, by: eve).bytes,
            try AccountEnd(created: time, by: desk.lockbook.keys).bytes, message + forOther, [1],
        ] {
            try await isNotBelieved(desk, forged)
        }
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "bob's words")
    }

    @Test func `a server that only says so ends nothing`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's words")
        let before = try await desk.snapshot()
        desk.faults.refuse("/v1/pull") { _ in
            let answer = Lockbook_V1_ErrorResponse.with {
                $0.code = .ended
                $0.message = "she is gone"
            }
            return (410, Array(try answer.serializedData() as Data))
        }
        await #expect(throws: LockbookError.refused(reason: "she is gone")) {
            try await desk.sync()
        }
        desk.faults.tellTruth()
        #expect(try await desk.snapshot() == before)
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "bob's words")
    }
}
