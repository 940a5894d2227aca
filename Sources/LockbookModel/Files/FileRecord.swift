package import LockbookCrypto

/// A file's metadata as it is stored and sent: clear facts, a wrapped key, a sealed body.
///
/// `docs/FORMAT.md` section 4 has the bytes.
package struct FileRecord: Equatable, Sendable {
    /// Larger ones are refused everywhere.
    package static let maximumByteCount = 16_384

    package let facts: FileFacts
    package let bytes: [UInt8]
    private let wrap: ArraySlice<UInt8>
    private let previousKey: ArraySlice<UInt8>?
    private let commitment: Hash256
    private let sealedBody: ArraySlice<UInt8>

    /// Reads the canonical form.
    package init(_ bytes: [UInt8]) throws(DecodingFailure) {
        guard bytes.count <= Self.maximumByteCount else { throw .length }
        var decoder = CanonicalDecoder(bytes)
        facts = try FileFacts(from: &decoder)
        wrap = try decoder.fixed(WrapKey.sealedByteCount)
        previousKey =
            try decoder.bool("previous key") ? try decoder.fixed(WrapKey.sealedByteCount) : nil
        guard (previousKey == nil) == (facts.epoch == 1) else {
            throw .invalid(field: "previous key")
        }
        commitment = try decoder.hash()
        sealedBody = try decoder.counted()
        // Clear fields of a later format; hashed and signed with the rest, and not understood here.
        _ = try decoder.counted()
        try decoder.finish()
        self.bytes = bytes
    }

    /// What log entries list and sign for this record.
    package var hash: Hash256 { Hash256(label: "lockbook/v1/record", bytes) }

    /// Names the key of this file and epoch without telling it.
    package var keyCommitment: Hash256 { commitment }
}

/// Why a validly listed record cannot be used.
package enum DamagedRecord: Error, Equatable, Sendable {
    case keyDoesNotOpen
    case bodyDoesNotOpen
    case bodyInvalid
    case nameTagWrong
    case newerFormat(UInt8)
}

extension FileRecord {
    /// Seals a file's metadata.
    /// - Parameters:
    ///   - key: the file's own key of `file.epoch`.
    ///   - previous: the key of the epoch before; needed from epoch 2 on.
    ///   - bodyKey: what follows from `key`, where that is at hand.
    ///   - folder: the keys of the file's parent in `file.parentEpoch`.
    package init(
        sealing file: File,
        owner: AccountID,
        key: FileKey,
        bodyKey: BodyKey? = nil,
        previous: FileKey? = nil,
        in folder: FolderKeys,
        random: RandomSource
    ) throws {
        let facts = FileFacts(
            owner: owner,
            id: file.id,
            parent: file.parent,
            type: file.type,
            scope: file.scope,
            epoch: file.epoch,
            parentEpoch: file.parentEpoch,
            nameTag: folder.tag.tag(file.name.normalized),
            isDeleted: file.isDeleted,
            blob: file.content.map { BlobReference(name: $0.blob, size: $0.blobSize) },
            author: file.author,
            device: file.device
        )
        try self.init(
            sealing: file,
            facts,
            bodyKey: bodyKey ?? key.bodyKey(),
            random: random,
            wrap: try folder.wrap.wrap(key, bound: Self.wrapBinding(facts), random: random),
            previous: file.epoch > 1
                ? try Self.sealed(previous, facts, under: key, random: random) : nil
        )
    }

    /// Seals a file that stands in a folder whose keys are not this account's to know: place, name
    /// and wrapped key are those of an earlier record.
    /// - Parameters:
    ///   - key: the file's own key of `file.epoch`. With a later one than the earlier record's, the
    ///     wrapped key that is kept opens no more: who is to have it gets it wrapped for himself.
    ///   - previous: the key of the epoch before, where that is a later one.
    package init(
        sealing file: File,
        keeping old: FileRecord,
        key: FileKey,
        previous: FileKey? = nil,
        random: RandomSource
    ) throws {
        var facts = old.facts
        facts.epoch = file.epoch
        facts.blob = file.content.map { BlobReference(name: $0.blob, size: $0.blobSize) }
        facts.author = file.author
        facts.device = file.device
        try self.init(
            sealing: file,
            facts,
            bodyKey: key.bodyKey(),
            random: random,
            wrap: Array(old.wrap),
            previous: facts.epoch == old.facts.epoch
                ? old.previousKey.map(Array.init)
                : try Self.sealed(previous, facts, under: key, random: random)
        )
    }

    private init(
        sealing file: File,
        _ facts: FileFacts,
        bodyKey body: BodyKey,
        random: RandomSource,
        wrap: @autoclosure () throws -> [UInt8],
        previous: @autoclosure () throws -> [UInt8]?
    ) throws {
        var encoder = CanonicalEncoder(reserving: 640)
        facts.encode(into: &encoder)
        let sealedBody = try body.seal(
            FileBody.encode(file),
            bound: Self.bodyBinding(encoder.bytes[...]),
            random: random
        )
        encoder.append(fixed: try wrap())
        let previous = try previous()
        encoder.append(previous != nil)
        if let previous { encoder.append(fixed: previous) }
        encoder.append(body.commitment)
        encoder.append(counted: sealedBody)
        encoder.append(counted: [])
        try self.init(encoder.bytes)
    }

    /// The key of the epoch before, under the one of now.
    private static func sealed(
        _ previous: FileKey?,
        _ facts: FileFacts,
        under key: FileKey,
        random: RandomSource
    ) throws -> [UInt8] {
        guard let previous else { throw DecodingFailure.invalid(field: "previous key") }
        return try key.previousKeyKey().wrap(
            previous,
            bound: previousBinding(facts),
            random: random
        )
    }

    /// Opens the file's key with the keys of its parent.
    package func key(in folder: FolderKeys) throws(DamagedRecord) -> FileKey {
        do {
            return try folder.wrap.unwrap(wrap, bound: Self.wrapBinding(facts))
        } catch {
            throw .keyDoesNotOpen
        }
    }

    /// The file's key of the epoch before this record's; nil in the first epoch.
    package func previousKey(_ key: FileKey) throws(DamagedRecord) -> FileKey? {
        guard let previousKey else { return nil }
        do {
            return try key.previousKeyKey().unwrap(previousKey, bound: Self.previousBinding(facts))
        } catch {
            throw .keyDoesNotOpen
        }
    }

    /// The key of the epoch before, for a record that takes this one's place.
    ///
    /// Where a member left it out, nothing says what it was: then it is one that opens nothing.
    package func carriedKey(_ key: FileKey, random: RandomSource) -> FileKey? {
        do { return try previousKey(key) } catch { return FileKey(random: random) }
    }

    /// Opens the body, and checks the name against the tag that the server sees.
    package func file(key: FileKey, in folder: FolderKeys) throws(DamagedRecord) -> File {
        let file = try file(key: key)
        guard folder.tag.tag(file.name.normalized) == facts.nameTag else { throw .nameTagWrong }
        return file
    }

    /// Opens the body of a record whose name tag was checked before.
    package func file(key: FileKey) throws(DamagedRecord) -> File {
        try file(bodyKey: key.bodyKey())
    }

    /// The same, with what follows from the file's key at hand.
    package func file(bodyKey: BodyKey) throws(DamagedRecord) -> File {
        var encoder = CanonicalEncoder(reserving: 256)
        facts.encode(into: &encoder)
        let body: [UInt8]
        do {
            body = try bodyKey.open(
                sealedBody,
                commitment: commitment,
                bound: Self.bodyBinding(encoder.bytes[...])
            )
        } catch {
            throw .bodyDoesNotOpen
        }
        do {
            return try FileBody.decode(body, facts: facts)
        } catch DecodingFailure.unknownFormat(let found, _) {
            throw .newerFormat(found)
        } catch {
            throw .bodyInvalid
        }
    }

    private static func bodyBinding(_ facts: ArraySlice<UInt8>) -> [UInt8] {
        var encoder = CanonicalEncoder(label: "lockbook/v1/body")
        encoder.append(fixed: facts)
        return encoder.bytes
    }

    private static func wrapBinding(_ facts: FileFacts) -> [UInt8] {
        var encoder = CanonicalEncoder(label: "lockbook/v1/wrap")
        encoder.append(facts.owner.hash)
        encoder.append(fixed: facts.id.bytes)
        encoder.append(fixed: facts.parent.bytes)
        encoder.append(facts.parentEpoch)
        encoder.append(facts.epoch)
        encoder.append(facts.type.rawValue)
        return encoder.bytes
    }

    private static func previousBinding(_ facts: FileFacts) -> [UInt8] {
        var encoder = CanonicalEncoder(label: "lockbook/v1/previous")
        encoder.append(facts.owner.hash)
        encoder.append(fixed: facts.id.bytes)
        encoder.append(facts.epoch)
        return encoder.bytes
    }
}
