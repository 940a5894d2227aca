import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Bodies as an author with the key can write them.
struct BodyTests {
    private let ann: Person
    private let root: FolderKeys

    init() throws {
        ann = try Person(1)
        root = FolderKeys(root: ann.keys)
    }

    private func open(_ body: Bytes, type: UInt8, hasBlob: Bool = false) throws -> File {
        var facts = SecondFacts(
            owner: ann.second.id,
            id: noise(16),
            parent: ann.second.root,
            type: type,
            scope: ann.second.root,
            nameTag: OpenSSL.hmac(ann.second.rootTag, Bytes("name".utf8)),
            author: ann.second.id,
            device: ann.device.bytes
        )
        if hasBlob { facts.blob = (noise(32), 100) }
        let bytes = SecondRecord.seal(
            facts,
            SecondBody(name: []),
            key: SecondFileKey(noise(32)),
            under: ann.second.rootKey,
            nonces: [noise(12), [], noise(12)],
            sealedBody: body
        )
        let record = try FileRecord(bytes)
        return try record.file(key: record.key(in: root), in: root)
    }

    private var content: SecondContent {
        SecondContent(
            version: noise(16),
            key: noise(32),
            digest: noise(32),
            size: 5,
            compression: 1
        )
    }

    private func body(_ change: (inout SecondBody) -> Void = { _ in }) -> SecondBody {
        var body = SecondBody(name: Bytes("name".utf8))
        change(&body)
        return body
    }

    @Test func `content, targets and types go together`() throws {
        let target = noise(48)
        let withContent = body { $0.content = content }.bytes
        let withTarget = body { $0.target = target }.bytes
        let plain = body().bytes
        #expect(try open(plain, type: 0).type == .folder)
        #expect(try open(plain, type: 1).content == nil)
        #expect(try open(withContent, type: 1, hasBlob: true).size == 5)
        #expect(try open(withTarget, type: 2).target?.file.bytes == Bytes(target.suffix(16)))
        let wrong: [(Bytes, UInt8, Bool)] = [
            (withContent, 1, false), (plain, 1, true), (withContent, 0, false),
            (withTarget, 0, false), (withTarget, 1, false), (plain, 2, false),
        ]
        for (bytes, type, hasBlob) in wrong {
            #expect(throws: DamagedRecord.bodyInvalid) {
                try open(bytes, type: type, hasBlob: hasBlob)
            }
        }
        let both = body {
            $0.content = content
            $0.target = target
        }.bytes
        #expect(throws: DamagedRecord.bodyInvalid) { try open(both, type: 1, hasBlob: true) }
    }

    @Test func `a content of more bytes than any disk holds is refused`() throws {
        for (size, isTaken) in [
            (UInt64(Int64.max), true), (UInt64(Int64.max) + 1, false), (UInt64.max, false),
        ] {
            let bytes = body {
                $0.content = content
                $0.content?.size = size
            }.bytes
            if isTaken {
                #expect(try open(bytes, type: 1, hasBlob: true).size == size)
            } else {
                #expect(throws: DamagedRecord.bodyInvalid) {
                    try open(bytes, type: 1, hasBlob: true)
                }
            }
        }
    }

    @Test func `a body cut anywhere, or longer, is refused`() throws {
        for (bytes, type, hasBlob) in [
            (body { $0.content = content }.bytes, 1 as UInt8, true), (body().bytes, 0, false),
            (body { $0.extra = noise(200) }.bytes, 0, false),
        ] {
            for length in 0..<bytes.count {
                #expect(throws: DamagedRecord.self, "\(length)") {
                    try open(Bytes(bytes.prefix(length)), type: type, hasBlob: hasBlob)
                }
            }
            for extra in [1, 63, 64, 128] {
                #expect(throws: DamagedRecord.bodyInvalid) {
                    try open(
                        bytes + Bytes(repeating: 0, count: extra),
                        type: type,
                        hasBlob: hasBlob
                    )
                }
            }
        }
    }

    @Test func `padding that is not zero is refused`() throws {
        let bytes = body().bytes
        let used = 1 + 4 + 4 + 16 + 1 + 4 + 1 + 1 + 4
        for index in used..<bytes.count {
            var changed = bytes
            changed[index] = 1
            #expect(throws: DamagedRecord.bodyInvalid) { try open(changed, type: 0) }
        }
    }

    @Test func `a body of a later format asks for an update`() throws {
        for format in [0, 2, 255] as [UInt8] {
            var bytes = body().bytes
            bytes[0] = format
            #expect(throws: DamagedRecord.newerFormat(format)) { try open(bytes, type: 0) }
        }
    }

    @Test func `what a later program added is carried along`() throws {
        let file = try open(body { $0.extra = [1, 2, 3] }.bytes, type: 0)
        #expect(file.bodyExtension == [1, 2, 3])
        let again = try FileRecord(
            sealing: file,
            owner: ann.id,
            key: FileKey(random: .seeded(1)),
            in: root,
            random: .seeded(2)
        )
        #expect(try again.file(key: again.key(in: root), in: root).bodyExtension == [1, 2, 3])
    }

    @Test func `what leaves no room in a record keeps nobody from sealing the file anew`() throws {
        let name = try FileName(String(repeating: "n", count: FileName.maximumByteCount))
        func sealedAnew(_ body: SecondBody) throws -> File {
            var file = try open(body.bytes, type: 1, hasBlob: true)
            file.name = name
            file.epoch = 2
            let again = try FileRecord(
                sealing: file,
                owner: ann.id,
                key: FileKey(random: .seeded(1)),
                previous: FileKey(random: .seeded(3)),
                in: root,
                random: .seeded(2)
            )
            return try again.file(key: again.key(in: root), in: root)
        }
        let longest = AddressBook.maximumByteCount
        let kept = try sealedAnew(
            body {
                $0.content = content
                $0.deviceName = Bytes(repeating: 0x64, count: DeviceName.maximumByteCount)
                $0.extra = noise(longest)
            }
        )
        #expect(kept.deviceName.utf8.count == DeviceName.maximumByteCount)
        #expect(kept.bodyExtension == noise(longest))
        let cut = try sealedAnew(
            body {
                $0.content = content
                $0.deviceName = Bytes(repeating: 0x64, count: 15_800)
            }
        )
        #expect(cut.deviceName == String(repeating: "d", count: DeviceName.maximumByteCount))
        let left = try sealedAnew(
            body {
                $0.content = content
                $0.extra = noise(15_800)
            }
        )
        #expect(left.bodyExtension.isEmpty && left.content == kept.content)
    }

    /// Seeded changes of bodies: never a crash, and what is read is written the same.
    @Test func `any bytes are a body or are refused`() throws {
        var generator = SeededGenerator(4)
        let originals = [body().bytes, body { $0.content = content }.bytes]
        var opened = 0
        for trial in 0..<4_000 {
            var bytes = originals[trial % 2]
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }
            guard let file = try? open(bytes, type: 1, hasBlob: trial % 2 == 1) else { continue }
            opened += 1
            let again = try FileRecord(
                sealing: file,
                owner: ann.id,
                key: FileKey(random: .seeded(1)),
                in: root,
                random: .seeded(2)
            )
            let (_, body, _) = try secondOpen(
                again.bytes,
                wrapKey: ann.second.rootKey,
                tagKey: ann.second.rootTag
            )
            #expect(body.bytes == bytes)
        }
        #expect(opened > 100)
    }
}
