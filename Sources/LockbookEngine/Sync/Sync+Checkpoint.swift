import FoundationEssentials
import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Signs the state for devices to start from, when much lies behind the last time.
    func makeCheckpoint() async throws {
        guard !options.isDryRun else { return }
        let checkpoint = try store.read { tree -> Checkpoint? in
            guard try tree.isCheckpointDue(), let head = try tree.head() else { return nil }
            return try Checkpoint(
                log: owner,
                head: head,
                scopes: try tree.scopeDigests(),
                author: owner,
                device: account.device,
                created: environment.now(),
                signedBy: keys.signing
            )
        }
        guard let checkpoint else { return }
        let _: Lockbook_V1_CheckpointResponse = try await server.ask(
            .checkpoint,
            .with { $0.checkpoint = Data(checkpoint.bytes) } as Lockbook_V1_CheckpointRequest
        )
        try store.write { try $0.set(.recordsSinceCheckpoint, number: 0) }
    }
}

extension LocalTree {
    /// 10,000 records, or a quarter of a state that is not tiny.
    func isCheckpointDue() throws -> Bool {
        let behind = try number(.recordsSinceCheckpoint)
        guard behind >= environment.checkpointRecordCount, try !isShared() else { return false }
        if behind >= 10_000 { return true }
        let files = try Int64.fetchOne(db, sql: "SELECT count(*) FROM file") ?? 0
        return behind * 4 >= files
    }

    /// A digest of every scope's records as they were agreed with the server.
    func scopeDigests() throws -> [ScopeDigest] {
        var scopes: [FileID: [RecordReference]] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT id, base FROM file WHERE base IS NOT NULL ORDER BY id"
        )
        while let row = try rows.next() {
            let record = try FileRecord(row.bytes(1))
            scopes[record.facts.scope, default: []].append(
                RecordReference(file: record.facts.id, hash: record.hash)
            )
        }
        return scopes.sorted { $0.key < $1.key }
            .map { ScopeDigest(scope: $0.key, sortedRecords: $0.value) }
    }
}
