import Foundation
import LockbookCrypto
import LockbookModel
import SecondImplementation
import Synchronization
import Testing

extension RandomSource {
    /// The same bytes for the same seed.
    static func seeded(_ seed: UInt64) -> RandomSource {
        let generator = Generator(seed)
        return RandomSource { generator.bytes($0) }
    }

    private final class Generator: Sendable {
        private let state: Mutex<SeededGenerator>

        init(_ seed: UInt64) { state = Mutex(SeededGenerator(seed)) }

        func bytes(_ count: Int) -> Bytes { state.withLock { $0.bytes(count) } }
    }
}

func noise(_ count: Int, seed: UInt64 = 1) -> Bytes {
    var generator = SeededGenerator(seed)
    return generator.bytes(count)
}

func normalized(_ name: Bytes) -> Bytes {
    Bytes(String(decoding: name, as: UTF8.self).precomposedStringWithCanonicalMapping.utf8)
}

/// Somebody, in both implementations.
struct Person {
    let seed: AccountSeed
    let keys: AccountKeys
    let second: SecondAccount
    let id: AccountID
    let root: FileID
    let device: DeviceID

    init(_ number: UInt64) throws {
        seed = AccountSeed(random: .seeded(number))
        keys = try AccountKeys(seed: seed)
        second = SecondAccount(seed: seed.bytes)
        id = AccountID(keys.publicKeys)
        root = FileID(rootOf: id)
        device = DeviceID(random: .seeded(number + 1_000))
    }

    func folder(_ name: String, _ id: UInt64) throws -> File {
        File(
            id: FileID(random: .seeded(id)),
            parent: root,
            type: .folder,
            name: try FileName(name),
            at: Timestamp(milliseconds: 1_700_000_000_000),
            author: self.id,
            device: device,
            deviceName: "laptop",
            scope: root
        )
    }

    func document(_ name: String, _ id: UInt64, _ plaintext: Bytes = Bytes("text".utf8)) throws
        -> File
    {
        var file = File(
            id: FileID(random: .seeded(id)),
            parent: root,
            type: .document,
            name: try FileName(name),
            at: Timestamp(milliseconds: 1_700_000_000_000),
            author: self.id,
            device: device,
            deviceName: "laptop",
            scope: root
        )
        let version = VersionID(random: .seeded(id + 5_000))
        let key = ContentKey(random: .seeded(id + 6_000))
        let (_, facts) = try ContentSealer.seal(
            plaintext,
            key: key,
            bound: Content.binding(owner: self.id, file: file.id, version: version)
        )
        file.content = Content(version: version, key: key, facts: facts)
        return file
    }

    func link(_ name: String, _ id: UInt64, to other: Person) throws -> File {
        File(
            id: FileID(random: .seeded(id)),
            parent: root,
            type: .link,
            name: try FileName(name),
            target: LinkTarget(owner: other.id, file: other.root),
            at: Timestamp(milliseconds: 1_700_000_000_000),
            author: self.id,
            device: device,
            deviceName: "laptop",
            scope: root
        )
    }
}

/// Opens with the second implementation: the facts and body of a record.
func secondOpen(_ record: Bytes, wrapKey: Bytes, tagKey: Bytes) throws -> (
    facts: SecondFacts, body: SecondBody, key: SecondFileKey
) {
    let record = try SecondRecord(record)
    let key = try #require(record.key(under: wrapKey))
    return (record.facts, try record.body(key: key, tagKey: tagKey, normalized: normalized), key)
}

/// Every byte changed in turn, in one bit and in all.
func byteFlips(_ bytes: Bytes, _ body: (_ changed: Bytes, _ index: Int) throws -> Void) rethrows {
    for index in bytes.indices {
        for mask in [1 << UInt8(index % 8), 0xff] as [UInt8] {
            var changed = bytes
            changed[index] ^= mask
            try body(changed, index)
        }
    }
}
