import LockbookCrypto
import LockbookModel
import SecondImplementation
import Synchronization
import Testing

/// Records and bodies between the two implementations.
struct RecordFormatTests {
    private let ann: Person
    private let ben: Person

    init() throws {
        ann = try Person(1)
        ben = try Person(2)
    }

    private func samples() throws -> [File] {
        var executable = try ann.document("run.sh", 13)
        executable.isExecutable = true
        executable.created = Timestamp(milliseconds: -1)
        var deleted = try ann.document("gone.md", 14)
        deleted.isDeleted = true
        var empty = try ann.document("empty.md", 15)
        empty.content = nil
        var extended = try ann.document("later.md", 16)
        extended.bodyExtension = noise(300)
        return [
            try ann.folder("notes", 10), try ann.document("todo.md", 11),
            try ann.document("Ça va — 日本.md", 12), executable, deleted, empty, extended,
            try ann.link("from ben", 17, to: ben),
            try ann.document(String(repeating: "n", count: 255), 18),
        ]
    }

    @Test func `epochs and sizes that cannot be counted on from are none`() throws {
        func read(_ file: File) throws {
            let record = try FileRecord(
                sealing: file,
                owner: ann.id,
                key: FileKey(random: .seeded(1)),
                in: FolderKeys(root: ann.keys),
                random: .seeded(3)
            )
            _ = try FileRecord(record.bytes)
        }
        var file = try ann.document("todo.md", 11)
        file.parentEpoch = FileFacts.maximumEpoch
        file.content?.blobSize = FileFacts.maximumBlobSize
        try read(file)
        file.parentEpoch += 1
        #expect(throws: DecodingFailure.invalid(field: "epoch")) { try read(file) }
        file.parentEpoch = 1
        file.content?.blobSize += 1
        #expect(throws: DecodingFailure.invalid(field: "blob")) { try read(file) }
    }

    @Test func `OpenSSL opens the records that we seal`() throws {
        for (index, file) in try samples().enumerated() {
            let key = FileKey(random: .seeded(100 + UInt64(index)))
            let record = try FileRecord(
                sealing: file,
                owner: ann.id,
                key: key,
                in: FolderKeys(root: ann.keys),
                random: .seeded(3)
            )
            let (facts, body, fileKey) = try secondOpen(
                record.bytes,
                wrapKey: ann.second.rootKey,
                tagKey: ann.second.rootTag
            )
            #expect(fileKey.bytes == key.bytes)
            #expect(facts.owner == ann.second.id && facts.author == ann.second.id)
            #expect(facts.id == file.id.bytes && facts.parent == ann.second.root)
            #expect(facts.type == file.type.rawValue && facts.isDeleted == file.isDeleted)
            #expect(facts.blob?.name == file.content?.blob.hash.bytes)
            #expect(facts.blob?.size == file.content?.blobSize)
            #expect(body.name == file.name.bytes)
            #expect(body.created == file.created.milliseconds)
            #expect(body.modified == file.modified.milliseconds)
            #expect(body.isExecutable == file.isExecutable)
            #expect(body.deviceName == Bytes("laptop".utf8))
            #expect(body.content?.key == file.content?.key.bytes)
            #expect(body.content?.version == file.content?.version.bytes)
            #expect(body.content?.digest == file.content?.digest.bytes)
            #expect(body.content?.size == file.content?.size)
            #expect(body.target == file.target.map { $0.owner.hash.bytes + $0.file.bytes })
            #expect(body.extra == file.bodyExtension)
            #expect(record.hash.bytes == (try SecondRecord(record.bytes)).hash)
        }
    }

    /// With the same nonces the two write the same bytes.
    @Test func `records are the second implementation's, byte for byte`() throws {
        for (index, file) in try samples().enumerated() {
            let key = FileKey(random: .seeded(100 + UInt64(index)))
            let body = noise(12, seed: 7)
            let wrap = noise(12, seed: 8)
            let nonces = Nonces([body, wrap])
            let record = try FileRecord(
                sealing: file,
                owner: ann.id,
                key: key,
                in: FolderKeys(root: ann.keys),
                random: nonces.source
            )
            let (facts, opened, _) = try secondOpen(
                record.bytes,
                wrapKey: ann.second.rootKey,
                tagKey: ann.second.rootTag
            )
            let built = SecondRecord.seal(
                facts,
                opened,
                key: SecondFileKey(key.bytes),
                under: ann.second.rootKey,
                nonces: [wrap, [], body]
            )
            #expect(built == record.bytes)
        }
    }

    @Test func `we open the records that OpenSSL seals, down three folders`() throws {
        var wrapKey = ann.second.rootKey
        var tagKey = ann.second.rootTag
        var folder = FolderKeys(root: ann.keys)
        var parent = ann.second.root
        for (depth, name) in ["ann", "b", "ç"].enumerated() {
            let key = SecondFileKey(noise(32, seed: UInt64(depth) + 20))
            var facts = SecondFacts(
                owner: ann.second.id,
                id: depth == 0 ? ann.second.root : noise(16, seed: UInt64(depth) + 30),
                parent: parent,
                type: 0,
                scope: ann.second.root,
                nameTag: OpenSSL.hmac(tagKey, Bytes(name.utf8)),
                author: ann.second.id,
                device: ann.device.bytes
            )
            facts.parentEpoch = 1
            var body = SecondBody(name: Bytes(name.utf8))
            body.modified = 1_234
            let bytes = SecondRecord.seal(
                facts,
                body,
                key: key,
                under: wrapKey,
                nonces: [noise(12), [], noise(12)]
            )
            let record = try FileRecord(bytes)
            let opened = try record.key(in: folder)
            #expect(opened.bytes == key.bytes)
            let file = try record.file(key: opened, in: folder)
            #expect(file.name.text == name && file.modified.milliseconds == 1_234)
            #expect(file.type == .folder && file.content == nil)
            folder = FolderKeys(of: opened)
            (wrapKey, tagKey, parent) = (key.wrapKey, key.tagKey, facts.id)
        }
    }

    @Test func `a later epoch carries the key before, and both implementations find it`() throws {
        var file = try ann.document("todo.md", 11)
        file.epoch = 2
        let (old, new) = (FileKey(random: .seeded(1)), FileKey(random: .seeded(2)))
        let root = FolderKeys(root: ann.keys)
        let record = try FileRecord(
            sealing: file,
            owner: ann.id,
            key: new,
            previous: old,
            in: root,
            random: .seeded(3)
        )
        #expect(try record.previousKey(record.key(in: root)) == old)
        let second = try SecondRecord(record.bytes)
        #expect(second.previousKey(SecondFileKey(new.bytes))?.bytes == old.bytes)
        let built = SecondRecord.seal(
            second.facts,
            SecondBody(name: file.name.bytes),
            key: SecondFileKey(new.bytes),
            previous: SecondFileKey(old.bytes),
            under: ann.second.rootKey,
            nonces: [noise(12), noise(12, seed: 2), noise(12, seed: 3)]
        )
        #expect(try FileRecord(built).previousKey(new) == old)
        // Without the key before, there is no epoch 2.
        #expect(throws: DecodingFailure.invalid(field: "previous key")) {
            try FileRecord(sealing: file, owner: ann.id, key: new, in: root, random: .seeded(3))
        }
        // The key before of another epoch or file does not open here.
        var third = second.facts
        third.epoch = 3
        let wrong = try FileRecord(
            Bytes(third.bytes + built.dropFirst(third.bytes.count))
        )
        #expect(throws: DamagedRecord.keyDoesNotOpen) { try wrong.previousKey(new) }
    }

    @Test func `the length of a name does not show`() throws {
        let sizes = try Set(
            (1...60).map { count in
                try FileRecord(
                    sealing: try ann.document(String(repeating: "x", count: count), 11),
                    owner: ann.id,
                    key: FileKey(random: .seeded(1)),
                    in: FolderKeys(root: ann.keys),
                    random: .seeded(2)
                ).bytes.count
            }
        )
        #expect(sizes.count <= 2)
    }
}

/// Hands out nonces in the order in which sealing asks for them.
private struct Nonces {
    let source: RandomSource

    init(_ nonces: [Bytes]) {
        let left = Left(nonces)
        source = RandomSource { _ in left.next() }
    }

    private final class Left: Sendable {
        private let nonces: Mutex<[Bytes]>
        init(_ nonces: [Bytes]) { self.nonces = Mutex(nonces) }
        func next() -> Bytes { nonces.withLock { $0.removeFirst() } }
    }
}
