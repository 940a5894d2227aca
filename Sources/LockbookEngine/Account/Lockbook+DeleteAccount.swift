import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Lockbook {
    /// Deletes this account on the server, for good: with all that is kept there of it, and what it shares.
    ///
    /// Nothing on this device is changed. Once more it changes nothing.
    /// - Throws: `.deletionUnknown` when no answer came; `.unknownAccount` when the server never had it.
    public func deleteAccount() async throws {
        let end = try AccountEnd(created: environment.now(), by: keys)
        do {
            _ = try await withServer { sync in
                let _: Lockbook_V1_EndResponse = try await sync.server.ask(
                    .end,
                    Lockbook_V1_EndRequest.with { $0.end = Data(end.bytes) }
                )
            }
        } catch let error as LockbookError {
            // The request may have come there all the same, and may have been done.
            switch error {
            case .offline(let server, let reason), .unavailable(let server, let reason),
                .notALockbookServer(let server, let reason):
                throw LockbookError.deletionUnknown(server: server, reason: reason)
            default: throw error
            }
        }
    }

    /// How many others lose something with this account, as far as this device knows.
    public func memberCount() throws -> Int {
        Set(try shares().filter { $0.state != .invited }.map(\.username)).count
    }
}
