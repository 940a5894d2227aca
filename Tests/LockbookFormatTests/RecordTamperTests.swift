import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Records that somebody put together from others, or changed.
struct RecordTamperTests {
    private let ann: Person
    private let root: FolderKeys

    init() throws {
        ann = try Person(1)
        root = FolderKeys(root: ann.keys)
    }

    private func record(_ file: File, key: UInt64) throws -> FileRecord {
        try FileRecord(
            sealing: file,
            owner: ann.id,
            key: FileKey(random: .seeded(key)),
            in: root,
            random: .seeded(key + 1)
        )
    }

    private func open(_ bytes: Bytes) throws -> File {
        let record = try FileRecord(bytes)
        return try record.file(key: record.key(in: root), in: root)
    }

    @Test func `a record with any byte changed is refused, damaged, or has another hash`() throws {
        let original = try record(try ann.document("todo.md", 11), key: 100)
        let file = try open(original.bytes)
        var refused = 0
        var damaged = 0
        byteFlips(original.bytes) { changed, index in
            // Entries sign the hash, so a changed record is never a listed one.
            #expect(Hash256(label: "lockbook/v1/record", changed) != original.hash)
            do {
                let opened = try open(changed)
                Issue.record("byte \(index) opens: \(opened.isSame(as: file))")
            } catch is DecodingFailure {
                refused += 1
            } catch {
                damaged += 1
            }
        }
        #expect(refused > 0 && damaged > 0)
        #expect(refused + damaged == original.bytes.count * 2)
    }

    @Test func `parts of two records do not make a third`() throws {
        let names = ["one.md", "two.md"]
        let records = try names.enumerated().map { index, name in
            try record(try ann.document(name, 11 + UInt64(index)), key: 100 + UInt64(index)).bytes
        }
        // Facts with a blob, wrapped key, has-previous, commitment, body and extension.
        let limits = [0, 212, 272, 273, 305, records[0].count]
        #expect(records[0].count == records[1].count)
        for choice in 1..<30 {
            let parts = (0..<5).map { part in
                records[choice >> part & 1][limits[part]..<limits[part + 1]]
            }
            let mixed = Bytes(parts.joined())
            guard mixed != records[0], mixed != records[1] else { continue }
            #expect(throws: DamagedRecord.self, "choice \(choice)") { try open(mixed) }
        }
    }

    @Test func `a tag, parent, author, device or state of another file does not go with a body`()
        throws
    {
        let bytes = try record(try ann.document("one.md", 11), key: 100).bytes
        let second = try SecondRecord(bytes)
        let changes: [(inout SecondFacts) -> Void] = [
            { $0.nameTag = noise(32) }, { $0.parent = noise(16) }, { $0.author = noise(32) },
            { $0.device = noise(16) }, { $0.isDeleted = true }, { $0.scope = noise(16) },
            { $0.id = noise(16) }, { $0.owner = noise(32) }, { $0.parentEpoch = 2 },
            { $0.blob?.size += 1 }, { $0.blob?.name = noise(32) },
        ]
        for change in changes {
            var facts = second.facts
            change(&facts)
            #expect(throws: DamagedRecord.self) {
                try open(facts.bytes + bytes.dropFirst(second.facts.bytes.count))
            }
        }
    }

    /// An author who has the key can seal anything; readers must notice what does not fit.
    @Test func `a name tag that is not the name's is damage, not a name`() throws {
        let key = SecondFileKey(noise(32))
        var facts = SecondFacts(
            owner: ann.second.id,
            id: noise(16),
            parent: ann.second.root,
            type: 0,
            scope: ann.second.root,
            nameTag: OpenSSL.hmac(ann.second.rootTag, Bytes("one".utf8)),
            author: ann.second.id,
            device: ann.device.bytes
        )
        func seal(_ name: String) -> Bytes {
            SecondRecord.seal(
                facts,
                SecondBody(name: Bytes(name.utf8)),
                key: key,
                under: ann.second.rootKey,
                nonces: [noise(12), [], noise(12)]
            )
        }
        #expect(try open(seal("one")).name.text == "one")
        #expect(throws: DamagedRecord.nameTagWrong) { try open(seal("two")) }
        // The tag is over the normal form, the name keeps its bytes.
        facts.nameTag = OpenSSL.hmac(ann.second.rootTag, Bytes("\u{e9}".utf8))
        #expect(try open(seal("e\u{301}")).name.bytes == Bytes("e\u{301}".utf8))
        // The tag of the name's own bytes is not its tag.
        facts.nameTag = OpenSSL.hmac(ann.second.rootTag, Bytes("e\u{301}".utf8))
        #expect(throws: DamagedRecord.nameTagWrong) { try open(seal("e\u{301}")) }
    }

    @Test func `names that would be dangerous on a disk or terminal are damage`() throws {
        let key = SecondFileKey(noise(32))
        let names: [Bytes] = [
            [], Bytes(".".utf8), Bytes("..".utf8), Bytes("a/b".utf8), [0x61, 0], [0x1b, 0x5b],
            [0x0a], [0x7f], [0xc2, 0x80], [0xc2, 0x9b], [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80],
            Bytes(repeating: 0x61, count: 256),
        ]
        for name in names {
            let facts = SecondFacts(
                owner: ann.second.id,
                id: noise(16),
                parent: ann.second.root,
                type: 0,
                scope: ann.second.root,
                nameTag: OpenSSL.hmac(ann.second.rootTag, name),
                author: ann.second.id,
                device: ann.device.bytes
            )
            let bytes = SecondRecord.seal(
                facts,
                SecondBody(name: name),
                key: key,
                under: ann.second.rootKey,
                nonces: [noise(12), [], noise(12)]
            )
            #expect(throws: DamagedRecord.bodyInvalid, "\(name)") { try open(bytes) }
        }
    }

    @Test func `a record sealed under another folder's or account's key is damage`() throws {
        let bytes = try record(try ann.document("one.md", 11), key: 100).bytes
        let record = try FileRecord(bytes)
        #expect(throws: DamagedRecord.keyDoesNotOpen) {
            try record.key(in: FolderKeys(root: try Person(2).keys))
        }
        #expect(throws: DamagedRecord.keyDoesNotOpen) {
            try record.key(in: FolderKeys(of: FileKey(random: .seeded(5))))
        }
        // The commitment names one file key, so a wrap of another opens nothing.
        #expect(throws: DamagedRecord.bodyDoesNotOpen) {
            try record.file(key: FileKey(random: .seeded(5)), in: root)
        }
    }
}
