import Foundation
import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Testing

extension Device {
    /// Of each log the server tells something else in a pull, until it tells the truth.
    func lieAboutLogs(_ lie: @escaping @Sendable (inout Lockbook_V1_LogUpdate) throws -> Void) {
        faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for index in response.logs.indices { try lie(&response.logs[index]) }
            return Array(try response.serializedData() as Data)
        }
    }
}

/// The device finds out that the server lies.
func isFoundOut(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ action: @Sendable () async throws -> Void
) async {
    await #expect(sourceLocation: sourceLocation) {
        try await action()
    } throws: { error in
        saysLie(error)
    }
}

/// Whether a failure is that somebody lies, or that beside others.
func saysLie(_ error: any Error) -> Bool {
    switch error {
    case LockbookError.integrity: true
    case LockbookError.several(let errors): errors.contains { saysLie($0) }
    default: false
    }
}
