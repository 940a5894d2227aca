import FoundationEssentials
import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Signs the state for devices to start from, when much lies behind the last time.
    func makeCheckpoint() async throws {
        guard !options.isDryRun, !leavesCheckpoint, try store.read({ try $0.isCheckpointDue() })
        else { return }
        if let (checkpoint, states) = try signedCheckpoint() { try await send(checkpoint, states) }
        // One that cannot be made is tried again when as much has changed: each time it takes all of the
        // tree to find that out.
        try store.write { try $0.set(.recordsSinceCheckpoint, number: 0) }
    }

    /// The state as it is, signed; nil where that cannot be done.
    private func signedCheckpoint() throws -> (Checkpoint, [ScopeState])? {
        try store.read { tree in
            guard let head = try tree.head() else { return nil }
            let gathered = try tree.gatheredState()
            let states = try tree.isShared() ? tree.scopeStates(of: gathered) : nil
            // A shared file that does not open here may open for its members.
            if try states == nil && tree.isShared() { return nil }
            let byteCount = (states ?? []).reduce(0) { $0 + $1.seen.bytes.count }
            guard byteCount <= Wire.maximumStateByteCount else { return nil }
            let checkpoint = try Checkpoint(
                log: owner,
                head: head,
                scopes: states == nil ? gathered.digests : [],
                states: states?.map(\.reference),
                author: owner,
                device: account.device,
                created: environment.now(),
                signedBy: keys.signing
            )
            return (checkpoint, states ?? [])
        }
    }

    private func send(_ checkpoint: Checkpoint, _ states: [ScopeState]) async throws {
        do {
            let _: Lockbook_V1_CheckpointResponse = try await server.ask(
                .checkpoint,
                .with {
                    $0.checkpoint = Data(checkpoint.bytes)
                    $0.states = states.map { Data($0.seen.bytes) }
                } as Lockbook_V1_CheckpointRequest
            )
        } catch LockbookError.serverUpdateNeeded where checkpoint.states != nil {
            // An older server keeps all entries of such a log.
        }
    }
}

extension LocalTree {
    /// 10,000 records, or a quarter of a state that is not tiny.
    func isCheckpointDue() throws -> Bool {
        let behind = try number(.recordsSinceCheckpoint)
        guard behind >= environment.checkpointRecordCount else { return false }
        if behind >= 10_000 { return true }
        let files = try Int64.fetchOne(db, sql: "SELECT count(*) FROM file") ?? 0
        return behind * 4 >= files
    }

    /// The tree as it was agreed with the server.
    func gatheredState() throws -> GatheredState {
        var gathered = GatheredState(rootOf: owner)
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT id, base FROM file WHERE base IS NOT NULL ORDER BY id"
        )
        while let row = try rows.next() {
            let record = try FileRecord(row.bytes(1))
            let facts = record.facts
            gathered.add(
                RecordReference(file: facts.id, hash: record.hash),
                in: facts.scope,
                top: facts.scope == facts.id ? facts : nil
            )
        }
        return gathered
    }

    /// What each scope is, with its key wrapped anew for everybody who holds a grant there.
    /// - Returns: nil while the key of a shared file is not known here.
    func scopeStates(of gathered: GatheredState) throws -> [ScopeState]? {
        var states: [ScopeState] = []
        for var state in gathered.states(try allGrants()) {
            var recipients: [AccountID: AccountPublicKeys] = [:]
            for grant in state.grants where grant.mode > .none {
                recipients[AccountID(grant.grantee)] = grant.grantee
            }
            if !recipients.isEmpty {
                recipients[owner] = keys.publicKeys
                guard let facts = gathered.top(of: state.scope),
                    let key = try agreedKey(of: state.scope)
                else { return nil }
                state.wraps = try recipients.sorted { $0.key < $1.key }.map { _, keys in
                    try GranteeWrap(
                        key,
                        owner: owner,
                        file: state.scope,
                        epoch: facts.epoch,
                        grantee: keys
                    )
                }
            }
            // What nobody would believe is not signed.
            do { try state.verify(in: owner, by: keys.signing.publicKey) } catch { return nil }
            states.append(state)
        }
        return states
    }

    /// The key of a shared file as the server has it; nil while it does not open.
    private func agreedKey(of file: FileID) throws -> FileKey? {
        guard let row = try row(file), !row.isDamaged, let base = row.base else { return nil }
        do {
            let key = try key(of: row)
            return key.bodyKey().commitment == (try FileRecord(base)).keyCommitment ? key : nil
        } catch is DamagedRecord {
            return nil
        }
    }
}
