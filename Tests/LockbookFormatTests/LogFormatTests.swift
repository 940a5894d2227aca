import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Entries and checkpoints between the two implementations, and their verification.
struct LogFormatTests {
    private let ann: Person
    private let ben: Person
    private let time = Timestamp(milliseconds: 1_700_000_000_000)

    init() throws {
        ann = try Person(1)
        ben = try Person(2)
    }

    private func references(_ count: Int) -> [RecordReference] {
        (0..<count).map { index in
            RecordReference(
                file: FileID(random: .seeded(UInt64(index))),
                hash: Hash256(sha256: u64(UInt64(index)))
            )
        }
    }

    private func sorted(_ references: [RecordReference]) -> [(file: Bytes, hash: Bytes)] {
        references.map { ($0.file.bytes, $0.hash.bytes) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    private func header(position: UInt64 = 0, previous: Hash256 = .zero) throws -> EntryHeader {
        try EntryHeader(
            log: ann.id,
            position: position,
            previous: previous,
            author: ann.id,
            device: ann.device,
            bodyHash: Hash256(sha256: [1]),
            created: time,
            signedBy: ann.keys.signing
        )
    }

    @Test func `a position that cannot be counted on from is none`() throws {
        for position in [EntryHeader.maximumPosition + 1, .max] {
            let header = try header(position: position, previous: Hash256(sha256: [1]))
            #expect(throws: DecodingFailure.invalid(field: "position")) {
                try EntryHeader(header.bytes)
            }
        }
    }

    @Test func `headers are the second implementation's, byte for byte`() throws {
        for position in [0, 1, 255, 1 << 40, EntryHeader.maximumPosition] as [UInt64] {
            let previous = position == 0 ? Hash256.zero : Hash256(sha256: u64(position))
            let ours = try header(position: position, previous: previous)
            let theirs = ann.second.header(
                log: ann.second.id,
                position: position,
                previous: previous.bytes,
                device: ann.device.bytes,
                bodyHash: OpenSSL.sha256([1]),
                created: time.milliseconds
            )
            #expect(ours.bytes == theirs)
            #expect(ours.bytes.count == EntryHeader.byteCount)
            let read = try EntryHeader(theirs)
            #expect(read == ours)
            #expect(read.hash.bytes == SecondLog.headerHash(theirs))
            try read.verify(by: ann.keys.signing.publicKey)
            #expect(throws: VerificationFailure.signature) {
                try read.verify(by: ben.keys.signing.publicKey)
            }
            #expect(throws: VerificationFailure.signature) {
                try read.verify(by: ann.keys.request.publicKey)
            }
        }
    }

    @Test func `a header with any byte changed is refused or does not verify`() throws {
        let bytes = try header().bytes
        byteFlips(bytes) { changed, index in
            #expect(throws: (any Error).self, "byte \(index)") {
                try EntryHeader(changed).verify(by: ann.keys.signing.publicKey)
            }
        }
    }

    @Test func `a header stands in one place of one log`() throws {
        let first = try header()
        try first.verify(after: nil, in: ann.id)
        let second = try header(position: 1, previous: first.hash)
        try second.verify(after: LogHead(first), in: ann.id)
        let failures: [(EntryHeader, LogHead?, AccountID)] = [
            (first, nil, ben.id), (second, nil, ann.id), (second, LogHead(second), ann.id),
            (first, LogHead(first), ann.id),
            (second, LogHead(position: 0, hash: .zero), ann.id),
            (second, LogHead(position: 1, hash: first.hash), ann.id),
            (try header(position: 0, previous: first.hash), nil, ann.id),
            (try header(position: 2, previous: first.hash), LogHead(first), ann.id),
        ]
        for (header, known, log) in failures {
            #expect(throws: VerificationFailure.misplaced) {
                try header.verify(after: known, in: log)
            }
        }
    }

    /// A position can come from a key that somebody typed, or a checkpoint: it must not trap.
    @Test func `nothing stands after the last position there is`() throws {
        let head = LogHead(position: .max, hash: Hash256(sha256: [1]))
        for position in [0, 1, .max] as [UInt64] {
            let header = try header(position: position, previous: head.hash)
            #expect(throws: VerificationFailure.misplaced) {
                try header.verify(after: head, in: ann.id)
            }
        }
    }

    @Test func `bodies of a shared log name the scope of each group`() throws {
        let one = EntryGroup(scope: ann.root, records: references(2))
        let other = EntryGroup(scope: FileID(random: .seeded(9)), records: references(1))
        let groups = [one, other].sorted { $0.scope < $1.scope }
        var body = EntryBody(groups: groups.map { .whole($0.bytes) }, scopes: groups.map(\.scope))
        let expected = SecondLog.sharedBodyHash(
            groups: groups.map { (scope: $0.scope.bytes, bytes: $0.bytes) }
        )
        #expect(body.hash.bytes == expected)
        body.groups[0] = .hidden(EntryGroup.hash(of: groups[0].bytes))
        #expect(body.hash.bytes == expected)
        // Under another scope a group's hash is another body.
        body.scopes?[0] = FileID(random: .seeded(10))
        #expect(body.hash.bytes != expected)
        body.scopes = nil
        #expect(body.hash.bytes != expected)
        #expect(try EntryGroup.list(groups.flatMap(\.bytes)) == groups)
        #expect(throws: DecodingFailure.self) {
            try EntryGroup.list(groups.flatMap(\.bytes).dropLast())
        }
    }

    @Test func `groups and bodies have the hashes of the second implementation`() throws {
        let certificate = ann.second.certificate(username: "ann", created: 5)
        for count in [0, 1, 2, 300] {
            let references = references(count)
            let group = EntryGroup(scope: ann.root, records: references)
            let theirs = SecondLog.group(scope: ann.second.root, records: sorted(references))
            #expect(group.bytes == theirs)
            let read = try EntryGroup(theirs)
            #expect(read == group && read.bytes == theirs)
            #expect(EntryGroup.hash(of: theirs).bytes == labelled("group", theirs))
            let other = SecondLog.group(scope: noise(16), records: [])
            for certificate in [nil, certificate] {
                let body = EntryBody(
                    certificate: certificate,
                    groups: [.whole(theirs), .whole(other)]
                )
                let expected = SecondLog.bodyHash(
                    certificate: certificate,
                    groups: [theirs, other]
                )
                #expect(body.hash.bytes == expected)
                // Hidden groups count as much as whole ones.
                let hidden = EntryBody(
                    certificate: certificate,
                    groups: [.whole(theirs), .hidden(EntryGroup.hash(of: other))]
                )
                #expect(hidden.hash == body.hash)
                #expect(
                    EntryBody(
                        certificate: certificate,
                        groups: [.whole(other), .whole(theirs)]
                    ).hash != body.hash
                )
                #expect(
                    EntryBody(certificate: certificate, groups: [.whole(theirs)]).hash != body.hash
                )
            }
        }
    }

    @Test func `checkpoints are the second implementation's, byte for byte`() throws {
        let scopes = [FileID(random: .seeded(1)), ann.root, FileID(random: .seeded(2))]
        let digests = scopes.enumerated().map { index, scope in
            ScopeDigest(scope: scope, sortedRecords: references(index * 3).sorted())
        }
        let head = LogHead(position: 77, hash: Hash256(sha256: [7]))
        let ours = try Checkpoint(
            log: ann.id,
            head: head,
            scopes: digests,
            author: ann.id,
            device: ann.device,
            created: time,
            signedBy: ann.keys.signing
        )
        let theirs = ann.second.checkpoint(
            log: ann.second.id,
            position: 77,
            head: OpenSSL.sha256([7]),
            scopes: scopes.enumerated().map { index, scope in
                let records = sorted(references(index * 3))
                return (scope.bytes, UInt64(index * 3), SecondLog.scopeDigest(records))
            }.sorted { $0.0.lexicographicallyPrecedes($1.0) },
            device: ann.device.bytes,
            created: time.milliseconds
        )
        #expect(ours.bytes == theirs)
        let read = try Checkpoint(theirs)
        #expect(read == ours)
        try read.verify(by: ann.keys.signing.publicKey)
        #expect(throws: VerificationFailure.signature) {
            try read.verify(by: ben.keys.signing.publicKey)
        }
        byteFlips(theirs) { changed, index in
            #expect(throws: (any Error).self, "byte \(index)") {
                try Checkpoint(changed).verify(by: ann.keys.signing.publicKey)
            }
        }
    }

    @Test func `a state differs when a file, a record or their number does`() {
        let records = references(20).sorted()
        let digest = ScopeDigest(scope: ann.root, sortedRecords: records)
        for index in records.indices {
            var changed = records
            changed[index].hash = Hash256(sha256: [9])
            #expect(ScopeDigest(scope: ann.root, sortedRecords: changed) != digest)
            var dropped = records
            dropped.remove(at: index)
            #expect(ScopeDigest(scope: ann.root, sortedRecords: dropped) != digest)
        }
    }

    /// Labels keep signatures apart even where one key and the same bytes meet.
    @Test func `what is signed for one purpose verifies for no other`() throws {
        let head = LogHead(position: 1, hash: .zero)
        let checkpoint = try Checkpoint(
            log: ann.id,
            head: head,
            scopes: [],
            author: ann.id,
            device: ann.device,
            created: time,
            signedBy: ann.keys.signing
        ).bytes
        let grant = ann.second.grant(
            owner: ann.second.id,
            file: noise(16),
            to: ben.second,
            named: "ben",
            mode: 2,
            serial: 1,
            created: 5
        )
        let certificate = ann.second.certificate(username: "ann", created: 5)
        let file = try #require(FileID(Array(repeating: 1, count: 16)))
        let offer = try TransferOffer(
            of: file,
            to: AccountID(ann.keys.publicKeys),
            number: 1,
            created: Timestamp(milliseconds: 5),
            by: ann.keys
        )
        let succession = try Succession(
            to: offer,
            with: file,
            created: Timestamp(milliseconds: 5),
            by: ann.keys
        )
        let signed: [(SignaturePurpose, Bytes)] = [
            (.transferOffer, offer.bytes), (.succession, succession.bytes),
            (.entry, try header().bytes), (.checkpoint, checkpoint), (.grant, grant),
            (.account, certificate), (.accountEnd, ann.second.end(created: 5)),
        ]
        var pairs = 0
        for (purpose, bytes) in signed {
            for other in SignaturePurpose.allCases {
                let verifies = ann.keys.signing.publicKey.verifies(
                    bytes.suffix(64),
                    of: bytes.dropLast(64),
                    for: other
                )
                #expect(verifies == (other == purpose))
                pairs += 1
            }
            #expect(
                !ann.keys.signing.publicKey.verifies(
                    Bytes(bytes.suffix(64)),
                    ofSignatureBase: Bytes(bytes.dropLast(64))
                )
            )
        }
        #expect(pairs == 49)
    }
}
