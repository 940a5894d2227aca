import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Grants and the wraps that go with them.
struct GrantFormatTests {
    private let ann: Person
    private let ben: Person
    private let eve: Person
    private let file = FileID(random: .seeded(40))

    init() throws {
        ann = try Person(1)
        ben = try Person(2)
        eve = try Person(3)
    }

    private func grant(_ mode: ShareMode = .write, serial: UInt64 = 3) throws -> Grant {
        try Grant(
            owner: ann.id,
            file: file,
            grantee: ben.keys.publicKeys,
            named: try #require(Username("ben")),
            mode: mode,
            grantor: ann.id,
            serial: serial,
            created: Timestamp(milliseconds: 9),
            signedBy: ann.keys.signing
        )
    }

    @Test func `grants are the second implementation's, byte for byte`() throws {
        for (mode, number) in [(ShareMode.none, 0), (.read, 1), (.write, 2), (.admin, 3)] {
            let theirs = ann.second.grant(
                owner: ann.second.id,
                file: file.bytes,
                to: ben.second,
                named: "ben",
                mode: UInt8(number),
                serial: .max,
                created: 9
            )
            let ours = try grant(mode, serial: .max)
            #expect(ours.bytes == theirs)
            let read = try Grant(theirs)
            #expect(read == ours)
            try read.verify(by: ann.keys.signing.publicKey)
            #expect(throws: VerificationFailure.signature) {
                try read.verify(by: ben.keys.signing.publicKey)
            }
        }
    }

    @Test func `a grant with any byte changed is refused or does not verify`() throws {
        byteFlips(try grant().bytes) { changed, index in
            #expect(throws: (any Error).self, "byte \(index)") {
                try Grant(changed).verify(by: ann.keys.signing.publicKey)
            }
        }
    }

    @Test func `a grant to an unsafe key is refused before anybody wraps for it`() throws {
        let bytes = try grant().bytes
        for key in 0..<3 {
            let start = 1 + 32 + 16 + key * 32
            var changed = Bytes(bytes.dropLast(64))
            changed.replaceSubrange(start..<start + 32, with: Bytes(repeating: 0, count: 32))
            let signed = ann.second.sign(changed, "grant")
            #expect(throws: PublicKeyFailure.unsafe) { try Grant(signed) }
        }
    }

    @Test func `modes that there are not are refused`() throws {
        var message = Bytes(try grant().bytes.dropLast(64))
        let place = 1 + 32 + 16 + 96 + 4 + 3
        #expect(message[place] == 2)
        for mode in 4...255 as ClosedRange<UInt8> {
            message[place] = mode
            let signed = ann.second.sign(message, "grant")
            #expect(throws: DecodingFailure.invalid(field: "mode")) { try Grant(signed) }
        }
    }

    @Test func `OpenSSL opens what we wrap for a grantee, and the reverse`() throws {
        let key = FileKey(random: .seeded(8))
        let ours = try GranteeWrap(
            key,
            owner: ann.id,
            file: file,
            epoch: 4,
            grantee: ben.keys.publicKeys
        )
        #expect(try SecondLog.openGranteeWrap(ours.bytes, by: ben.second) == key.bytes)
        #expect(try ours.open(with: ben.keys.agreement) == key)
        let built = try #require(
            SecondLog.granteeWrap(
                key.bytes,
                owner: ann.second.id,
                file: file.bytes,
                epoch: 4,
                to: ben.second,
                ephemeral: noise(32)
            )
        )
        let theirs = try GranteeWrap(built)
        #expect(theirs.bytes == built)
        #expect(try theirs.open(with: ben.keys.agreement) == key)
        #expect(throws: OpeningFailure.doesNotOpen) {
            try theirs.open(with: eve.keys.agreement)
        }
    }

    @Test func `a wrap with any byte changed, or readdressed, does not open`() throws {
        let key = FileKey(random: .seeded(8))
        let wrap = try GranteeWrap(
            key,
            owner: ann.id,
            file: file,
            epoch: 4,
            grantee: ben.keys.publicKeys
        )
        byteFlips(wrap.bytes) { changed, index in
            #expect(throws: (any Error).self, "byte \(index)") {
                try GranteeWrap(changed).open(with: ben.keys.agreement)
            }
        }
        var unsafe = wrap.bytes
        unsafe.replaceSubrange(
            unsafe.count - 80..<unsafe.count - 48,
            with: Bytes(repeating: 0, count: 32)
        )
        #expect(try wrap.isSafe && !GranteeWrap(unsafe).isSafe)
        var readdressed = wrap.bytes
        readdressed.replaceSubrange(53..<85, with: eve.second.id)
        #expect(throws: OpeningFailure.doesNotOpen) {
            try GranteeWrap(readdressed).open(with: eve.keys.agreement)
        }
        #expect(throws: OpeningFailure.doesNotOpen) {
            try GranteeWrap(readdressed).open(with: ben.keys.agreement)
        }
    }

    @Test func `grants and wraps in a group stand in order, once`() throws {
        let grants = try (1...3).map { try grant(serial: UInt64($0)).bytes }
            .sorted { $0.lexicographicallyPrecedes($1) }
        let wraps = try (1...3).map { seed in
            try #require(
                SecondLog.granteeWrap(
                    noise(32),
                    owner: ann.second.id,
                    file: file.bytes,
                    epoch: 1,
                    to: ben.second,
                    ephemeral: noise(32, seed: UInt64(seed))
                )
            )
        }.sorted { $0.lexicographicallyPrecedes($1) }
        let scope = file.bytes
        let bytes = SecondLog.group(scope: scope, records: [], grants: grants, wraps: wraps)
        let group = try EntryGroup(bytes)
        #expect(group.bytes == bytes && group.grants.count == 3 && group.wraps.count == 3)
        let reversed = EntryGroup(
            scope: group.scope,
            records: [],
            grants: group.grants.reversed(),
            wraps: group.wraps.reversed()
        )
        #expect(reversed.bytes == bytes)
        let wrong = [
            SecondLog.group(scope: scope, records: [], grants: grants.reversed()),
            SecondLog.group(scope: scope, records: [], wraps: wraps.reversed()),
            SecondLog.group(scope: scope, records: [], grants: [grants[0], grants[0]]),
            SecondLog.group(scope: scope, records: [], wraps: [wraps[0], wraps[0]]),
        ]
        for bytes in wrong {
            #expect(throws: DecodingFailure.invalid(field: "grants")) { try EntryGroup(bytes) }
        }
    }

    /// A hundred thousand grants fit into the largest request, and cost ten seconds to check.
    @Test func `too many grants or records are refused before they are read`() throws {
        // What stands there is no grant: a reader that looked at it would say so.
        let nothing = Array(repeating: Bytes(repeating: 0, count: 64), count: 1_001)
        #expect(nothing.count == EntryGroup.maximumGrantCount + 1)
        let bytes = SecondLog.group(scope: file.bytes, records: [], grants: nothing)
        #expect(throws: DecodingFailure.invalid(field: "grants")) { try EntryGroup(bytes) }
        let fewer = SecondLog.group(scope: file.bytes, records: [], grants: nothing.dropLast())
        let looked = #expect(throws: DecodingFailure.self) { try EntryGroup(fewer) }
        #expect(looked != .invalid(field: "grants"))
        let records = (0...EntryGroup.maximumRecordCount).map {
            (file: Bytes(repeating: 0, count: 8) + u64(UInt64($0)), hash: noise(32))
        }
        #expect(throws: DecodingFailure.invalid(field: "records")) {
            try EntryGroup(SecondLog.group(scope: file.bytes, records: records))
        }
        #expect(throws: Never.self) {
            try EntryGroup(SecondLog.group(scope: file.bytes, records: records.dropLast()))
        }
    }
}
