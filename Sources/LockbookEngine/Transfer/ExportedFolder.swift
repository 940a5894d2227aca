import Glibc
import LockbookCrypto
import LockbookModel

/// What an export remembers of a file it wrote, to know it again.
struct ExportedFile: Equatable, Sendable {
    var name: String
    /// How its blob's name began; nil for an empty one.
    ///
    /// Whoever writes chooses the id of a version.
    let blob: BlobPrefix?
    let stamp: DiskStamp
    /// Whether the file was there, equal to what would have been written: somebody else's, perhaps.
    let isFound: Bool
    let isExecutable: Bool
    /// The SHA-256 of its bytes; nil where an earlier program remembered it.
    let digest: Hash256?
    /// The document that it is of; nil where an earlier program remembered it.
    let note: FileID?

    init(
        name: String,
        blob: BlobPrefix?,
        stamp: DiskStamp,
        isFound: Bool,
        isExecutable: Bool,
        digest: Hash256?,
        note: FileID?
    ) {
        self.name = name
        self.blob = blob
        self.stamp = stamp
        self.isFound = isFound
        self.isExecutable = isExecutable
        self.digest = digest
        self.note = note
    }

    init(_ item: ExportItem, status: stat, isFound: Bool = false, digest: Hash256?) {
        self.init(
            name: item.name,
            blob: item.blob,
            stamp: DiskStamp(status),
            isFound: isFound,
            isExecutable: status.isExecutable,
            digest: digest,
            note: item.id
        )
    }
}

/// By what a file on disk is known again without reading it.
struct DiskStamp: Equatable, Sendable {
    var size: Int64
    var modifiedSeconds: Int64
    var modifiedNanoseconds: UInt32
    var inode: UInt64

    init(size: Int64, modifiedSeconds: Int64, modifiedNanoseconds: UInt32, inode: UInt64) {
        self.size = size
        self.modifiedSeconds = modifiedSeconds
        self.modifiedNanoseconds = modifiedNanoseconds
        self.inode = inode
    }

    init(_ status: stat) {
        self.init(
            size: Int64(status.st_size),
            modifiedSeconds: Int64(status.st_mtim.tv_sec),
            modifiedNanoseconds: UInt32(truncatingIfNeeded: status.st_mtim.tv_nsec),
            inode: UInt64(status.st_ino)
        )
    }

    /// Whether this is what stands there now: a regular file of these facts.
    func matches(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && self == DiskStamp(status)
    }
}

/// What exports wrote into one folder of a place.
struct ExportedFolder: Sendable {
    struct Child: Equatable, Sendable {
        let name: String
        let id: ExportedID
    }

    private static let format: UInt8 = 7
    /// No file on the disk is told with its document; a folder of before is looked at once more.
    private static let noteless: UInt8 = 6
    /// No file is told with its owner.
    private static let ownerless: UInt8 = 5
    /// Nothing is told of links.
    private static let unlinked: UInt8 = 4
    /// No file has a digest.
    private static let undigested: UInt8 = 3

    /// Below the place, without slashes at its ends; empty for the place itself.
    var path: String
    /// The folder or document whose export wrote all of this, what is behind links in it included.
    var source: ExportedID
    /// The folder in the lockbook that this one is of.
    var id: ExportedID
    /// The folder's directory index when everything in it was on disk; empty when not all was.
    var directory: [UInt8] = []
    /// Whether an export made the folder.
    var isMade = false
    var inode: UInt64 = 0
    /// The folders that stood in it in the lockbook.
    var folders: [Child] = []
    /// What the links led to that stood in it in the lockbook, after what earlier ones led to of
    /// which something is left on the disk.
    var linked: [Child] = []
    var files = ExportedFiles()
    /// Files that were written once, and were not in the lockbook at the last export.
    var gone = ExportedFiles()

    init(path: String, source: ExportedID, id: ExportedID) {
        self.path = path
        self.source = source
        self.id = id
    }

    /// Where something in it stands, below the place.
    func subpath(of name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }

    func encoded() -> [UInt8] {
        var encoder = CanonicalEncoder(
            reserving: 192 + path.utf8.count + directory.count + files.byteCount + gone.byteCount
                + (folders.count + linked.count) * 80
        )
        encoder.append(Self.format)
        encoder.append(counted: path.utf8)
        source.append(to: &encoder)
        id.append(to: &encoder)
        encoder.append(counted: directory)
        encoder.append(isMade)
        encoder.append(inode)
        for children in [folders, linked] {
            encoder.append(UInt32(children.count))
            for child in children {
                encoder.append(counted: child.name.utf8)
                child.id.append(to: &encoder)
            }
        }
        files.append(to: &encoder)
        gone.append(to: &encoder)
        return encoder.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        let format = try decoder.format(knownUpTo: Self.format)
        guard format >= Self.undigested else {
            throw DecodingFailure.unknownFormat(found: format, known: Self.format)
        }
        path = String(decoding: try decoder.counted(), as: UTF8.self)
        let isAlone = format <= Self.ownerless
        source = try ExportedID(from: &decoder, alone: isAlone)
        id = try ExportedID(from: &decoder, alone: isAlone)
        directory = Array(try decoder.counted())
        if format <= Self.noteless { directory = [] }
        isMade = try decoder.bool("made")
        inode = try decoder.uint64()
        folders = try Self.children(from: &decoder, alone: isAlone)
        if format > Self.unlinked { linked = try Self.children(from: &decoder, alone: isAlone) }
        files = try ExportedFiles(from: &decoder)
        gone = try ExportedFiles(from: &decoder)
        try decoder.finish()
    }

    private static func children(from decoder: inout CanonicalDecoder, alone isAlone: Bool) throws
        -> [Child]
    {
        try (0..<(try decoder.count(itemsOfAtLeast: 20))).map { _ in
            let name = String(decoding: try decoder.counted(), as: UTF8.self)
            return Child(name: name, id: try ExportedID(from: &decoder, alone: isAlone))
        }
    }
}
