import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Checkpoints of logs with shares: what they say of each scope, and what is believed of it.
struct SharedCheckpointFormatTests {
    private let ann: Person
    private let ben: Person
    private let eve: Person
    private let file = FileID(random: .seeded(40))
    private let outer = FileID(random: .seeded(41))

    init() throws {
        ann = try Person(1)
        ben = try Person(2)
        eve = try Person(3)
    }

    private func grant(
        _ file: FileID,
        to grantee: Person,
        _ mode: ShareMode,
        by grantor: Person? = nil,
        serial: UInt64 = 1
    ) throws -> Grant {
        let grantor = grantor ?? ann
        return try Grant(
            owner: ann.id,
            file: file,
            grantee: grantee.keys.publicKeys,
            named: try #require(Username("ben")),
            mode: mode,
            grantor: grantor.id,
            serial: serial,
            created: Timestamp(milliseconds: 9),
            signedBy: grantor.keys.signing
        )
    }

    private func wraps(for people: [Person], of file: FileID? = nil, epoch: UInt32 = 2) throws
        -> [GranteeWrap]
    {
        try people.map {
            try GranteeWrap(
                FileKey(random: .seeded(8)),
                owner: ann.id,
                file: file ?? self.file,
                epoch: epoch,
                grantee: $0.keys.publicKeys
            )
        }
    }

    private func state(_ grants: [Grant], wraps: [GranteeWrap], of scope: FileID? = nil)
        -> ScopeState
    {
        let reference = RecordReference(file: file, hash: Hash256(sha256: [1]))
        return ScopeState(
            files: ScopeDigest(scope: scope ?? file, sortedRecords: [reference]),
            inner: [FileID(random: .seeded(5)), FileID(random: .seeded(4))],
            grants: grants,
            wraps: wraps
        )
    }

    /// Ben is an admin around the file, eve was let in by him and taken out by ann.
    private func grants() throws -> [Grant] {
        [
            try grant(file, to: eve, .none, serial: 2),
            try grant(outer, to: ben, .admin),
        ]
    }

    @Test func `states are the second implementation's, byte for byte`() throws {
        let state = try state(grants(), wraps: wraps(for: [ann, ben]))
        let grants = state.grants.map(\.bytes)
        let body = SecondLog.stateBody(
            fileCount: 1,
            digest: SecondLog.scopeDigest([(file.bytes, OpenSSL.sha256([1]))]),
            inner: [FileID(random: .seeded(4)), FileID(random: .seeded(5))].sorted().map(\.bytes),
            wraps: state.wraps.map(\.bytes)
        )
        #expect(state.body == body)
        let whole = SecondLog.seenState(scope: file.bytes, body: body, grants: grants)
        #expect(state.seen.bytes == whole)
        let hash = SecondLog.stateHash(scope: file.bytes, body: body, grants: grants)
        #expect(state.reference.hash.bytes == hash)
        let read = try SeenScopeState(whole)
        #expect(try ScopeState(read) == state)
        // Of the same hash, whatever of it is shown.
        let place = try #require(state.grants.firstIndex { AccountID($0.grantee) == eve.id })
        let veiled = SecondLog.seenState(
            scope: file.bytes,
            body: body,
            grants: grants,
            shown: (false, { $0 == place })
        )
        #expect(state.seen(by: eve.id).bytes == veiled)
        #expect(try SeenScopeState(veiled).reference.hash.bytes == hash)
        #expect(try SeenScopeState(veiled).wholeGrants() == [state.grants[place]])
        #expect(throws: DecodingFailure.self) { try ScopeState(SeenScopeState(veiled)) }
    }

    @Test func `checkpoints of states are the second implementation's, byte for byte`() throws {
        let states = [file, ann.root].map {
            ScopeStateReference(scope: $0, hash: Hash256(sha256: $0.bytes))
        }
        let ours = try Checkpoint(
            log: ann.id,
            head: LogHead(position: 77, hash: Hash256(sha256: [7])),
            states: states,
            author: ann.id,
            device: ann.device,
            created: Timestamp(milliseconds: 5),
            signedBy: ann.keys.signing
        )
        let theirs = ann.second.sharedCheckpoint(
            log: ann.second.id,
            position: 77,
            head: OpenSSL.sha256([7]),
            states: states.map { ($0.scope.bytes, $0.hash.bytes) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) },
            device: ann.device.bytes,
            created: 5
        )
        #expect(ours.bytes == theirs)
        let read = try Checkpoint(theirs)
        #expect(read == ours)
        try read.verify(by: ann.keys.signing.publicKey)
        byteFlips(theirs) { changed, index in
            #expect(throws: (any Error).self, "byte \(index)") {
                try Checkpoint(changed).verify(by: ann.keys.signing.publicKey)
            }
        }
    }

    @Test func `a state with any byte changed is another state, or none`() throws {
        let state = try state(grants(), wraps: wraps(for: [ann, ben]))
        byteFlips(state.seen.bytes) { changed, index in
            let read = try? SeenScopeState(changed)
            #expect(read?.reference != state.reference, "byte \(index)")
        }
    }

    @Test func `grants out of order, or twice, are no state`() throws {
        let (one, other) = (try grants()[0].bytes, try grants()[1].bytes)
        let body = try state(grants(), wraps: wraps(for: [ann, ben])).body
        let sorted = try state(grants(), wraps: []).grants.map(\.bytes)
        for grants in [sorted.reversed(), [one, one], [other, other]] as [[Bytes]] {
            let seen = SecondLog.seenState(scope: file.bytes, body: body, grants: grants)
            #expect(throws: DecodingFailure.invalid(field: "grants")) {
                try ScopeState(SeenScopeState(seen))
            }
        }
    }

    private func refuses(
        _ failure: VerificationFailure,
        _ grants: [Grant],
        _ wraps: [GranteeWrap],
        of scope: FileID? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: failure, sourceLocation: sourceLocation) {
            try state(grants, wraps: wraps, of: scope).verify(
                in: ann.id,
                by: ann.keys.signing.publicKey
            )
        }
    }

    @Test func `a state holds when each grant is signed and everybody has the key`() throws {
        let key = ann.keys.signing.publicKey
        try state([], wraps: []).verify(in: ann.id, by: key)
        try state(grants(), wraps: wraps(for: [ann, ben])).verify(in: ann.id, by: key)
        // By an admin who is still known here, also as one who is none any more.
        for mode in [ShareMode.admin, .read, .none] {
            let grants = [
                try grant(outer, to: ben, mode, serial: 9),
                try grant(file, to: eve, .read, by: ben),
            ]
            let people = mode == .none ? [ann, eve] : [ann, ben, eve]
            try state(grants, wraps: wraps(for: people)).verify(in: ann.id, by: key)
        }
    }

    @Test func `a grant that nobody here signed, or might, is not believed`() throws {
        let write = try grant(file, to: ben, .write)
        let both = try wraps(for: [ann, ben])
        refuses(.signature, [write], try wraps(for: [ann, ben]), by: eve)
        // By somebody who has no grant here, and one of an admin by an admin.
        refuses(.author, [try grant(file, to: ben, .write, by: eve)], both)
        // That one ended by somebody who was around it where it stood before is taken as it is.
        let ended = try grant(file, to: ben, .none, by: eve)
        try state([ended], wraps: []).verify(in: ann.id, by: ann.keys.signing.publicKey)
        let made = [try grant(outer, to: ben, .admin), try grant(file, to: eve, .admin, by: ben)]
        refuses(.author, made, try wraps(for: [ann, ben, eve]))
        // Of another log, or for its owner.
        #expect(throws: VerificationFailure.misplaced) {
            try state([write], wraps: both).verify(in: ben.id, by: ben.keys.signing.publicKey)
        }
        refuses(.misplaced, [try grant(file, to: ann, .write)], try wraps(for: [ann]))
        refuses(.misplaced, [write], both, of: ann.root)
    }

    private func refuses(
        _ failure: VerificationFailure,
        _ grants: [Grant],
        _ wraps: [GranteeWrap],
        by other: Person
    ) {
        #expect(throws: failure) {
            try state(grants, wraps: wraps).verify(in: ann.id, by: other.keys.signing.publicKey)
        }
    }

    @Test func `a state in which somebody lacks the key, or has one too many, is none`() throws {
        let write = try grant(file, to: ben, .write)
        refuses(.hash, [write], [])
        refuses(.hash, [write], try wraps(for: [ben]))
        refuses(.hash, [write], try wraps(for: [ann]))
        refuses(.hash, [write], try wraps(for: [ann, ben, eve]))
        refuses(.hash, [], try wraps(for: [ann]))
        refuses(.hash, [try grant(file, to: ben, .none)], try wraps(for: [ann, ben]))
        refuses(.misplaced, [write], try wraps(for: [ann, ben], of: outer))
        refuses(
            .misplaced,
            [write],
            try wraps(for: [ann]) + wraps(for: [ben], epoch: 3)
        )
    }
}
