import FoundationEssentials
import LockbookCrypto
import LockbookModel

/// What a checkpoint of a log with shares says of its scopes, as far as this account may know it.
struct CheckpointScopes {
    /// Those that may be seen, by rising id.
    let seen: [ScopeState]
    /// Grants of this account on scopes of which it sees nothing any more.
    let ended: [FileID: Grant]
    /// Of every scope, seen or not.
    let all: Set<FileID>

    var digests: [ScopeDigest] { seen.map(\.files) }
    var fileCount: UInt64 { seen.reduce(0) { $0 &+ $1.files.fileCount } }
    /// In the order of the scopes; what holds around one stands in that, too.
    var grants: [Grant] { seen.flatMap(\.grants) + ended.values }

    /// - Parameter key: the owner's.
    /// - Returns: nil for a checkpoint of a log in which nothing was shared.
    init?(
        _ checkpoint: Checkpoint,
        _ sent: [Data],
        for context: StoreContext,
        by key: VerifyingKey
    ) throws {
        guard let references = checkpoint.states else {
            guard sent.isEmpty, !context.isForeign else { throw VerificationFailure.misplaced }
            return nil
        }
        all = Set(references.map(\.scope))
        let listed = Set(references)
        var shown: Set<FileID> = []
        var seen: [ScopeState] = []
        var ended: [FileID: Grant] = [:]
        for bytes in sent {
            let state = try SeenScopeState(Array(bytes))
            // Each once, and as it was signed.
            guard listed.contains(state.reference), shown.insert(state.scope).inserted else {
                throw VerificationFailure.hash
            }
            if state.isWhole {
                seen.append(try ScopeState(state))
            } else {
                ended[state.scope] = try Self.end(of: state, in: context.owner, context.author, key)
            }
        }
        for state in seen { try state.verify(in: context.owner, by: key) }
        self.seen = seen.sorted { $0.scope < $1.scope }
        self.ended = ended
        try requireAll(for: context)
    }

    /// The grant that takes back what this account might do in a scope.
    private static func end(
        of state: SeenScopeState,
        in owner: AccountID,
        _ account: AccountID,
        _ key: VerifyingKey
    ) throws -> Grant {
        let grants = try state.wholeGrants().filter {
            AccountID($0.grantee) == account && $0.file == state.scope && $0.owner == owner
        }
        guard grants.count == 1, grants[0].mode == .none else { throw VerificationFailure.author }
        if grants[0].grantor == owner { try grants[0].verify(by: key) }
        return grants[0]
    }

    /// The owner sees all scopes, and who sees one sees those inside of it; a member sees those alone
    /// on which, or around which, he holds a grant.
    private func requireAll(for context: StoreContext) throws {
        let scopes = Set(seen.map(\.scope))
        guard context.isForeign else {
            guard scopes == all else { throw VerificationFailure.hash }
            return
        }
        for state in seen {
            let isHeld = state.grants.contains {
                AccountID($0.grantee) == context.author && $0.mode > .none
            }
            guard isHeld, scopes.isSuperset(of: state.inner) else {
                throw VerificationFailure.hash
            }
        }
    }

    /// Each scope begins with its own file, whose key was wrapped.
    func verify(_ records: [FileID: FileRecord]) throws {
        for state in seen {
            guard let facts = records[state.scope]?.facts, facts.scope == state.scope,
                state.wraps.allSatisfy({ $0.epoch == facts.epoch })
            else { throw VerificationFailure.hash }
        }
    }

    /// What this device held before, and what became of it: a server that keeps back that a right ended,
    /// or what it still is about, is found out.
    /// - Parameter held: shared files that are here, with the grants of this account on them.
    func verify(against held: [Grant]) throws {
        let scopes = Set(seen.map(\.scope))
        for grant in held where all.contains(grant.file) && !scopes.contains(grant.file) {
            guard let end = ended[grant.file], end.serial > grant.serial else {
                throw VerificationFailure.hash
            }
        }
    }
}
