package import LockbookCrypto

/// The state of a scope as a reader gets it: whole, or, where he may not see it any more, with his own
/// grants alone and hashes in the place of all else.
package struct SeenScopeState: Equatable, Sendable {
    package static let format: UInt8 = 1
    package static let maximumGrantCount = 100_000

    package let scope: FileID
    /// The body and each grant, by the same rule as the groups of an entry.
    package let body: SeenPart
    package let grants: [SeenPart]

    package enum SeenPart: Equatable, Sendable {
        case whole([UInt8])
        case hidden(Hash256)
    }

    init(scope: FileID, body: SeenPart, grants: [SeenPart]) {
        self.scope = scope
        self.body = body
        self.grants = grants
    }

    package static func hash(ofBody bytes: [UInt8]) -> Hash256 {
        Hash256(label: "lockbook/v1/scope-body", bytes)
    }

    package static func hash(ofGrant bytes: [UInt8]) -> Hash256 {
        Hash256(label: "lockbook/v1/scope-grant", bytes)
    }

    /// The same whatever is shown.
    package var reference: ScopeStateReference {
        var encoder = CanonicalEncoder(reserving: 64 + grants.count * 32)
        encoder.append(fixed: scope.bytes)
        switch body {
        case .whole(let bytes): encoder.append(Self.hash(ofBody: bytes))
        case .hidden(let hash): encoder.append(hash)
        }
        encoder.append(UInt32(grants.count))
        for grant in grants {
            switch grant {
            case .whole(let bytes): encoder.append(Self.hash(ofGrant: bytes))
            case .hidden(let hash): encoder.append(hash)
            }
        }
        let hash = Hash256(label: "lockbook/v1/scope-state", encoder.bytes)
        return ScopeStateReference(scope: scope, hash: hash)
    }

    package var isWhole: Bool {
        if case .whole = body { true } else { false }
    }

    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder(reserving: 256)
        encoder.append(Self.format)
        encoder.append(fixed: scope.bytes)
        encoder.append(part: body)
        encoder.append(UInt32(grants.count))
        for grant in grants { encoder.append(part: grant) }
        return encoder.bytes
    }

    package init(_ bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        scope = FileID(exactly: try decoder.fixed(16))
        body = try decoder.part("body")
        let count = try decoder.count(itemsOfAtLeast: 33)
        guard count <= Self.maximumGrantCount else { throw .invalid(field: "grants") }
        var grants: [SeenPart] = []
        for _ in 0..<count { grants.append(try decoder.part("grant")) }
        self.grants = grants
        try decoder.finish()
    }

    /// The grants that are shown, which costs a multiplication of points for each.
    package func wholeGrants() throws -> [Grant] {
        try grants.compactMap { grant in
            guard case .whole(let bytes) = grant else { return nil }
            return try Grant(bytes)
        }
    }
}

extension CanonicalEncoder {
    fileprivate mutating func append(part: SeenScopeState.SeenPart) {
        switch part {
        case .whole(let bytes):
            append(true)
            append(counted: bytes)
        case .hidden(let hash):
            append(false)
            append(hash)
        }
    }
}

extension CanonicalDecoder {
    fileprivate mutating func part(_ field: StaticString) throws(DecodingFailure)
        -> SeenScopeState.SeenPart
    {
        try bool(field) ? .whole(Array(try counted())) : .hidden(try hash())
    }
}
