package import LockbookCrypto

/// What a file is, from its making to its end.
package enum FileType: UInt8, Sendable, CaseIterable {
    case folder = 0
    case document = 1
    case link = 2
}

/// Which words a document holds.
///
/// Whoever writes chooses the id of a version, and may choose one that is there; a blob is named by its
/// bytes.
package struct ContentIdentity: Hashable, Sendable {
    package let version: VersionID
    package let blob: BlobName
}

/// One version of a document's bytes: where they are and how to read them.
package struct Content: Equatable, Sendable {
    package var version: VersionID
    package var key: ContentKey
    /// Keyed with the version's own key: comparing two versions needs the bytes of one.
    package var digest: Hash256
    /// Bytes of plaintext.
    package var size: UInt64
    package var compression: ContentCompression
    package var blob: BlobName
    /// Bytes of ciphertext, padding included.
    package var blobSize: UInt64

    package init(
        version: VersionID,
        key: ContentKey,
        facts: SealedContentFacts
    ) {
        self.version = version
        self.key = key
        digest = facts.digest
        size = facts.size
        compression = facts.compression
        blob = facts.blob
        blobSize = facts.blobByteCount
    }

    package init(
        version: VersionID,
        key: ContentKey,
        digest: Hash256,
        size: UInt64,
        compression: ContentCompression,
        blob: BlobName,
        blobSize: UInt64
    ) {
        self.version = version
        self.key = key
        self.digest = digest
        self.size = size
        self.compression = compression
        self.blob = blob
        self.blobSize = blobSize
    }

    /// What tells it from every other content.
    package var identity: ContentIdentity { ContentIdentity(version: version, blob: blob) }

    /// The same in 16 bytes, where it is remembered of many.
    package var blobPrefix: BlobPrefix { BlobPrefix(of: blob) }

    /// What the content is bound to: owner, file and version, in canonical bytes.
    package static func binding(owner: AccountID, file: FileID, version: VersionID) -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: 64)
        encoder.append(owner.hash)
        encoder.append(fixed: file.bytes)
        encoder.append(fixed: version.bytes)
        return encoder.bytes
    }

    /// What opens the chunks of this content, as a version of a file.
    package func chunkKey(owner: AccountID, file: FileID) -> ChunkKey {
        key.chunkKey(
            compression: compression,
            bound: Self.binding(owner: owner, file: file, version: version)
        )
    }
}

/// What a link points at: a file in another account's tree.
package struct LinkTarget: Hashable, Comparable, Sendable {
    package var owner: AccountID
    package var file: FileID

    package init(owner: AccountID, file: FileID) {
        self.owner = owner
        self.file = file
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.owner, left.file) < (right.owner, right.file)
    }
}

/// A moment as the author's clock had it, in milliseconds since 1970.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// A file as a member reads it: the metadata, opened.
package struct File: Equatable, Sendable {
    package var id: FileID
    package var parent: FileID
    package var type: FileType
    package var name: FileName
    package var isDeleted: Bool {
        didSet {
            // How it died is over when it lives again.
            if oldValue && !isDeleted {
                diedWithFolder = false
                diedUnseen = false
            }
        }
    }
    /// Absent for folders and links, and for a document that is empty.
    package var content: Content?
    package var isExecutable: Bool
    package var created: Timestamp
    package var modified: Timestamp
    package var target: LinkTarget?
    /// Who made this version, and on what.
    package var author: AccountID
    package var device: DeviceID
    package var deviceName: String
    package var scope: FileID
    package var epoch: UInt32
    package var parentEpoch: UInt32
    /// Fields of a later format, carried along unread.
    package var bodyExtension: [UInt8] = []

    package init(
        id: FileID,
        parent: FileID,
        type: FileType,
        name: FileName,
        content: Content? = nil,
        target: LinkTarget? = nil,
        at time: Timestamp,
        author: AccountID,
        device: DeviceID,
        deviceName: String,
        scope: FileID,
        epoch: UInt32 = 1,
        parentEpoch: UInt32 = 1
    ) {
        self.id = id
        self.parent = parent
        self.type = type
        self.name = name
        self.content = content
        self.target = target
        self.author = author
        self.device = device
        self.deviceName = deviceName
        self.scope = scope
        self.epoch = epoch
        self.parentEpoch = parentEpoch
        isDeleted = false
        isExecutable = false
        created = time
        modified = time
    }

    /// Bytes of plaintext in the document.
    package var size: UInt64 { content?.size ?? 0 }

    /// Whether the two say the same; who wrote them and when does not count.
    package func isSame(as other: File) -> Bool {
        looksSame(as: other) && epoch == other.epoch && scope == other.scope
            && parentEpoch == other.parentEpoch && bodyExtension == other.bodyExtension
    }

    /// Whether no user could tell the two apart: keys and scopes, which change with whoever is let
    /// in, do not count either.
    package func looksSame(as other: File) -> Bool {
        parent == other.parent && name == other.name && isDeleted == other.isDeleted
            && content?.identity == other.content?.identity && isExecutable == other.isExecutable
            && target == other.target
    }
}
