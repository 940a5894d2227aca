import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// What every decoder must do with bytes that are not the canonical form of anything.
struct DecoderTests {
    /// A value's bytes, and how it is read and written again.
    struct Format: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: Bytes
        /// The newest format of this value that the program knows.
        var newest: UInt8 = 1
        let again: @Sendable (Bytes) throws -> Bytes
    }

    static let formats: [Format] = {
        do { return try makeFormats() } catch { return [] }
    }()

    private static func makeFormats() throws -> [Format] {
        let (ann, ben) = (try Person(1), try Person(2))
        let time = Timestamp(milliseconds: 1_700_000_000_000)
        let root = FolderKeys(root: ann.keys)
        func record(_ file: File) throws -> Bytes {
            try FileRecord(
                sealing: file,
                owner: ann.id,
                key: FileKey(random: .seeded(1)),
                previous: FileKey(random: .seeded(2)),
                in: root,
                random: .seeded(3)
            ).bytes
        }
        var second = try ann.document("todo.md", 11)
        second.epoch = 2
        let reference = RecordReference(file: ann.root, hash: .zero)
        let header = try EntryHeader(
            log: ann.id,
            position: 3,
            previous: Hash256(sha256: [1]),
            author: ann.id,
            device: ann.device,
            bodyHash: Hash256(sha256: [2]),
            created: time,
            signedBy: ann.keys.signing
        )
        let checkpoint = try Checkpoint(
            log: ann.id,
            head: LogHead(header),
            scopes: [ScopeDigest(scope: ann.root, sortedRecords: [reference])],
            author: ann.id,
            device: ann.device,
            created: time,
            signedBy: ann.keys.signing
        )
        let grant = ann.second.grant(
            owner: ann.second.id,
            file: noise(16),
            to: ben.second,
            named: "ben",
            mode: 2,
            serial: 1,
            created: 5
        )
        let wrap = try GranteeWrap(
            FileKey(random: .seeded(4)),
            owner: ann.id,
            file: ann.root,
            epoch: 1,
            grantee: ben.keys.publicKeys
        ).bytes
        let group = SecondLog.group(
            scope: ann.second.root,
            records: [(noise(16), noise(32))],
            grants: [grant],
            wraps: [wrap]
        )
        let purging = SecondLog.group(
            scope: ann.second.root,
            records: [(noise(16), noise(32))],
            purged: [Bytes(repeating: 3, count: 16), Bytes(repeating: 4, count: 16)]
        )
        let shared = ann.second.sharedCheckpoint(
            log: ann.second.id,
            position: 3,
            head: noise(32),
            states: [(noise(16), noise(32))],
            device: ann.device.bytes,
            created: 1
        )
        let body = SecondLog.stateBody(
            fileCount: 1,
            digest: noise(32),
            inner: [Bytes(repeating: 3, count: 16)],
            wraps: [wrap]
        )
        let state = SecondLog.seenState(scope: noise(16), body: body, grants: [grant])
        let veiled = SecondLog.seenState(
            scope: noise(16),
            body: body,
            grants: [grant, grant],
            shown: (false, { $0 == 1 })
        )
        return [
            Format(testDescription: "folder record", bytes: try record(ann.folder("a", 1))) {
                try FileRecord($0).bytes
            },
            Format(testDescription: "document record", bytes: try record(second)) {
                try FileRecord($0).bytes
            },
            Format(testDescription: "header", bytes: header.bytes) { try EntryHeader($0).bytes },
            Format(testDescription: "group", bytes: group, newest: 4) { try EntryGroup($0).bytes },
            Format(testDescription: "purging group", bytes: purging, newest: 4) {
                try EntryGroup($0).bytes
            },
            Format(testDescription: "checkpoint", bytes: checkpoint.bytes, newest: 2) {
                try Checkpoint($0).bytes
            },
            Format(testDescription: "shared checkpoint", bytes: shared, newest: 2) {
                try Checkpoint($0).bytes
            },
            Format(testDescription: "state", bytes: state) { try SeenScopeState($0).bytes },
            Format(testDescription: "veiled state", bytes: veiled) {
                try SeenScopeState($0).bytes
            },
            Format(testDescription: "grant", bytes: grant) { try Grant($0).bytes },
            Format(testDescription: "grantee wrap", bytes: wrap) { try GranteeWrap($0).bytes },
            Format(
                testDescription: "certificate",
                bytes: ann.second.certificate(username: "ann", created: 5)
            ) { try AccountCertificate(verifying: $0).bytes },
        ]
    }

    @Test func `every format is here`() { #expect(Self.formats.count == 12) }

    @Test(arguments: formats) func `what is read is written the same`(_ format: Format) throws {
        #expect(try format.again(format.bytes) == format.bytes)
    }

    @Test(arguments: formats) func `bytes missing or left over are refused`(_ format: Format) {
        for length in 0..<format.bytes.count {
            #expect(throws: (any Error).self, "\(length)") {
                try format.again(Bytes(format.bytes.prefix(length)))
            }
        }
        for extra in [[0], [1], noise(64), format.bytes] as [Bytes] {
            #expect(throws: DecodingFailure.length) { try format.again(format.bytes + extra) }
        }
    }

    @Test(arguments: formats) func `another format number asks for an update`(_ format: Format) {
        for number in 0...255 as ClosedRange<UInt8> where !(1...format.newest).contains(number) {
            var bytes = format.bytes
            bytes[0] = number
            let failure = DecodingFailure.unknownFormat(found: number, known: format.newest)
            #expect(throws: failure) {
                try format.again(bytes)
            }
        }
    }

    /// Nothing that is read may come from two different encodings.
    @Test(arguments: formats) func `changed bytes are refused or read as they are`(
        _ format: Format
    ) throws {
        var generator = SeededGenerator(UInt64(format.bytes.count))
        for _ in 0..<3_000 {
            var bytes = format.bytes
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                // Extremes find more than values in between.
                bytes[index] =
                    [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            if let again = try? format.again(bytes) { #expect(again == bytes) }
        }
    }

    /// Headers and wraps are of one length, and any bytes of that length are one, unsigned.
    @Test(arguments: formats) func `any bytes are refused or read as they are`(_ format: Format) {
        var generator = SeededGenerator(99)
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...600, using: &generator)
            let bytes: Bytes = [1] + generator.bytes(count)
            if let again = try? format.again(bytes) { #expect(again == bytes) }
        }
    }

    @Test func `files and scopes that are not in rising order are refused`() throws {
        let ann = try Person(1)
        let low = Bytes(repeating: 1, count: 16)
        let high = Bytes(repeating: 2, count: 16)
        let hash = noise(32)
        for files in [[high, low], [low, low]] {
            let group = SecondLog.group(
                scope: ann.second.root,
                records: files.map { ($0, hash) }
            )
            #expect(throws: DecodingFailure.invalid(field: "records")) { try EntryGroup(group) }
            let checkpoint = ann.second.checkpoint(
                log: ann.second.id,
                position: 1,
                head: hash,
                scopes: files.map { ($0, 1, hash) },
                device: ann.device.bytes,
                created: 1
            )
            #expect(throws: DecodingFailure.invalid(field: "scopes")) { try Checkpoint(checkpoint) }
            let shared = ann.second.sharedCheckpoint(
                log: ann.second.id,
                position: 1,
                head: hash,
                states: files.map { ($0, hash) },
                device: ann.device.bytes,
                created: 1
            )
            #expect(throws: DecodingFailure.invalid(field: "scopes")) { try Checkpoint(shared) }
        }
    }

    @Test func `facts that contradict themselves are refused`() throws {
        let ann = try Person(1)
        let bytes = Self.formats[0].bytes
        func changed(_ change: (inout SecondFacts) -> Void) throws -> Bytes {
            let old = try SecondRecord(bytes).facts
            var facts = old
            change(&facts)
            return facts.bytes + bytes.dropFirst(old.bytes.count)
        }
        #expect(throws: DecodingFailure.invalid(field: "epoch")) {
            try FileRecord(changed { $0.epoch = 0 })
        }
        #expect(throws: DecodingFailure.invalid(field: "epoch")) {
            try FileRecord(changed { $0.parentEpoch = 0 })
        }
        #expect(throws: DecodingFailure.invalid(field: "blob")) {
            try FileRecord(changed { $0.blob = (noise(32), 1) })
        }
        #expect(throws: DecodingFailure.invalid(field: "type")) {
            try FileRecord(changed { $0.type = 3 })
        }
        #expect(throws: DecodingFailure.invalid(field: "previous key")) {
            try FileRecord(changed { $0.epoch = 2 })
        }
        _ = ann
    }

    @Test func `a record larger than any is refused by its length`() throws {
        let ann = try Person(1)
        func record(_ extra: Int) -> Bytes {
            var body = SecondBody(name: Bytes("todo.md".utf8))
            body.extra = noise(extra)
            return SecondRecord.seal(
                SecondFacts(
                    owner: ann.second.id,
                    id: noise(16),
                    parent: ann.second.root,
                    type: 0,
                    scope: ann.second.root,
                    nameTag: noise(32),
                    author: ann.second.id,
                    device: ann.device.bytes
                ),
                body,
                key: SecondFileKey(noise(32)),
                under: ann.second.rootKey,
                nonces: [noise(12), [], noise(12)]
            )
        }
        #expect(throws: Never.self) { try FileRecord(record(15_900)) }
        #expect(throws: DecodingFailure.length) { try FileRecord(record(17_000)) }
    }
}
