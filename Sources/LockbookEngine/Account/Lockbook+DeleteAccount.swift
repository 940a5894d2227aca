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
                let isSynced = try accountStore.read { try $0.setting(.registered) != nil }
                throw LockbookError.deletionUnknown(
                    server: server,
                    reason: reason,
                    isSynced: isSynced
                )
            default: throw error
            }
        }
        if try deletionTime() == nil { try noteDeletion(at: end.created.milliseconds) }
    }

    /// When this account was deleted, in milliseconds since 1970; nil where this device was not shown that
    /// it was.
    public func deletionTime() throws -> Int64? {
        try accountStore.read { try $0.deletionTime() }
    }

    func noteDeletion(at time: Int64?) throws {
        guard try deletionTime() != time else { return }
        try accountStore.write { tree in
            guard let time else { return try tree.set(.deletion, to: nil) }
            try tree.set(.deletion, number: time)
        }
    }

    /// How many others lose something with this account, as far as this device knows.
    public func memberCount() throws -> Int {
        Set(try shares().filter { $0.state != .invited }.map(\.username)).count
    }
}

extension LocalTree {
    func deletionTime() throws -> Int64? {
        try setting(.deletion) == nil ? nil : number(.deletion)
    }
}
