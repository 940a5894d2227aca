import LockbookCrypto

/// What one scope was at the position of a checkpoint: its files, the scopes inside of it, who may be
/// there, and its key for each of them.
package struct ScopeState: Equatable, Sendable {
    package static let format: UInt8 = 1
    package static let maximumWrapCount = 100_000

    package var files: ScopeDigest
    /// All scopes inside of this one: who may see it is to get them as well.
    package var inner: [FileID]
    /// The shared file's key of the epoch that it has, for the owner and for everybody who holds one of
    /// the grants; none where nobody does.
    package var wraps: [GranteeWrap]
    /// Those on this scope, and those on the scopes around it, by file and grantee.
    package var grants: [Grant]

    package var scope: FileID { files.scope }

    package init(
        files: ScopeDigest,
        inner: [FileID] = [],
        grants: [Grant] = [],
        wraps: [GranteeWrap] = []
    ) {
        self.files = files
        self.inner = inner.sorted()
        self.wraps = wraps.sorted { $0.grantee < $1.grantee }
        self.grants = grants.sorted { $0.place < $1.place }
    }

    /// All but scope and grants.
    package var body: [UInt8] {
        var encoder = CanonicalEncoder(reserving: 128 + wraps.count * 180)
        encoder.append(Self.format)
        encoder.append(files.fileCount)
        encoder.append(files.digest)
        encoder.append(UInt32(inner.count))
        for scope in inner { encoder.append(fixed: scope.bytes) }
        encoder.append(UInt32(wraps.count))
        for wrap in wraps { encoder.append(counted: wrap.bytes) }
        encoder.append(counted: [])
        return encoder.bytes
    }

    /// As it is shown to who may see the scope.
    package var seen: SeenScopeState {
        SeenScopeState(scope: scope, body: .whole(body), grants: grants.map { .whole($0.bytes) })
    }

    /// As it is shown to who may not see the scope any more: the grants of this account alone.
    package func seen(by account: AccountID) -> SeenScopeState {
        SeenScopeState(
            scope: scope,
            body: .hidden(SeenScopeState.hash(ofBody: body)),
            grants: grants.map { grant in
                AccountID(grant.grantee) == account
                    ? .whole(grant.bytes) : .hidden(SeenScopeState.hash(ofGrant: grant.bytes))
            }
        )
    }

    package var reference: ScopeStateReference { seen.reference }

    /// Reads a state all of which is shown.
    package init(_ seen: SeenScopeState) throws {
        guard case .whole(let body) = seen.body else {
            throw DecodingFailure.invalid(field: "state")
        }
        var decoder = CanonicalDecoder(body)
        try decoder.format(known: Self.format)
        let count = try decoder.uint64()
        let files = ScopeDigest(
            scope: seen.scope,
            fileCount: count,
            digest: try decoder.hash()
        )
        var inner: [FileID] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 16)) {
            inner.append(FileID(exactly: try decoder.fixed(16)))
        }
        guard zip(inner, inner.dropFirst()).allSatisfy({ $0 < $1 }), !inner.contains(seen.scope)
        else { throw DecodingFailure.invalid(field: "inner") }
        var wraps: [GranteeWrap] = []
        let wrapCount = try decoder.count(itemsOfAtLeast: 64)
        guard wrapCount <= Self.maximumWrapCount else {
            throw DecodingFailure.invalid(field: "wraps")
        }
        for _ in 0..<wrapCount { wraps.append(try GranteeWrap(Array(try decoder.counted()))) }
        guard zip(wraps, wraps.dropFirst()).allSatisfy({ $0.grantee < $1.grantee }) else {
            throw DecodingFailure.invalid(field: "wraps")
        }
        // Fields of a later format.
        _ = try decoder.counted()
        try decoder.finish()
        let grants = try seen.wholeGrants()
        guard grants.count == seen.grants.count,
            zip(grants, grants.dropFirst()).allSatisfy({ $0.place < $1.place })
        else { throw DecodingFailure.invalid(field: "grants") }
        self.files = files
        self.inner = inner
        self.wraps = wraps
        self.grants = grants
    }
}

extension Grant {
    /// Of the grants of one file to one account the newest stands in a state.
    fileprivate var place: GrantPlace { GrantPlace(file: file, grantee: AccountID(grantee)) }
}

private struct GrantPlace: Comparable {
    let file: FileID
    let grantee: AccountID

    static func < (left: GrantPlace, right: GrantPlace) -> Bool {
        (left.file, left.grantee) < (right.file, right.grantee)
    }
}
