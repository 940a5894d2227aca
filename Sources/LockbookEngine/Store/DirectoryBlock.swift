import LockbookCrypto
import LockbookModel

/// What a listing shows of one child, and what reading it takes.
struct DirectoryEntry: Equatable {
    var id: FileID
    var type: FileType
    var name: FileName
    /// Absent for folders and links, for a document that is empty, and in what only a listing is made of.
    var content: Content?
    /// What the content's key gives; nil when it is still to be derived.
    var chunkKey: ChunkKey?
    var modified: Timestamp
    var isExecutable: Bool
    var isDamaged: Bool
    /// The size of a content that was passed by.
    var listedSize: UInt64 = 0

    /// Bytes of plaintext.
    var size: UInt64 { content?.size ?? listedSize }
}

/// Up to 256 children of one folder, sealed together: listing 5,000 names opens 20 blocks.
struct DirectoryBlock {
    struct Key: Hashable {
        let folder: FileID
        let number: Int
    }

    static let capacity = 256
    /// Blocks of format 1 know of no chunk keys; they are read, and written anew in this one.
    private static let format: UInt8 = 2
    /// Of the size in a content: behind version, key and digest.
    private static let sizeOffset = 16 + 32 + 32
    private static let contentByteCount = sizeOffset + 8 + 1 + 32 + 8

    /// What stands of a content in an entry.
    private enum Part: UInt8 {
        case none = 0
        case content = 1
        case contentAndChunkKey = 2

        /// How many bytes follow.
        var byteCount: Int {
            switch self {
            case .none: 0
            case .content: contentByteCount
            case .contentAndChunkKey: contentByteCount + ChunkKey.byteCount
            }
        }

        init(from decoder: inout CanonicalDecoder) throws {
            guard let part = Part(rawValue: try decoder.byte()) else {
                throw DecodingFailure.invalid(field: "content")
            }
            self = part
        }
    }

    var entries: [DirectoryEntry] = []

    init() {}

    /// The id of a file whose name cannot be read stands for it.
    /// - Parameter isWhole: whether all digits of it do, and not the first alone.
    static func damagedName(_ id: FileID, isWhole: Bool = false) -> FileName? {
        let digits = id.description
        return try? FileName(
            "\(damagedPrefix)\(isWhole ? digits[...] : digits.prefix(damagedDigitCount))"
        )
    }

    static let damagedPrefix = "damaged-"
    static let damagedDigitCount = 12

    func name(of id: FileID) -> FileName? {
        entries.withUnsafeBufferPointer { entries in
            for index in entries.indices where entries[index].id == id {
                return entries[index].name
            }
            return nil
        }
    }

    func encoded() -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: 16 + entries.count * 264)
        encoder.append(Self.format)
        encoder.append(UInt32(entries.count))
        for entry in entries {
            encoder.append(fixed: entry.id.bytes)
            encoder.append(entry.type.rawValue)
            encoder.append(entry.modified.milliseconds)
            encoder.append(entry.isExecutable)
            encoder.append(entry.isDamaged)
            encoder.append(counted: entry.name.text.utf8)
            guard let content = entry.content else {
                encoder.append(Part.none.rawValue)
                continue
            }
            let part = entry.chunkKey == nil ? Part.content : .contentAndChunkKey
            encoder.append(part.rawValue)
            Self.append(content, to: &encoder)
            if let chunkKey = entry.chunkKey { encoder.append(fixed: chunkKey.bytes) }
        }
        return encoder.bytes
    }

    private static func append(_ content: Content, to encoder: inout CanonicalEncoder) {
        encoder.append(fixed: content.version.bytes)
        encoder.append(fixed: content.key.bytes)
        encoder.append(content.digest)
        encoder.append(content.size)
        encoder.append(content.compression.rawValue)
        encoder.append(content.blob.hash)
        encoder.append(content.blobSize)
    }

    private static func content(from decoder: inout CanonicalDecoder) throws -> Content {
        guard let version = VersionID(try decoder.fixed(16)),
            let key = ContentKey(try decoder.fixed(32))
        else { throw DecodingFailure.length }
        let digest = try decoder.hash()
        let size = try decoder.uint64()
        guard let compression = ContentCompression(rawValue: try decoder.byte()) else {
            throw DecodingFailure.invalid(field: "compression")
        }
        return Content(
            version: version,
            key: key,
            digest: digest,
            size: size,
            compression: compression,
            blob: BlobName(hash: try decoder.hash()),
            blobSize: try decoder.uint64()
        )
    }

    /// - Parameter contents: without them of each the size alone, which is all that a listing shows: to
    ///   make thousands of keys takes its time.
    init(decoding bytes: [UInt8], contents: Bool = true) throws {
        var decoder = CanonicalDecoder(bytes)
        _ = try decoder.format(knownUpTo: Self.format)
        let count = try decoder.count(itemsOfAtLeast: 32)
        entries.reserveCapacity(count)
        for _ in 0..<count {
            guard let id = FileID(try decoder.fixed(16)),
                let type = FileType(rawValue: try decoder.byte())
            else { throw DecodingFailure.invalid(field: "directory entry") }
            let modified = Timestamp(milliseconds: try decoder.int64())
            let isExecutable = try decoder.bool("executable")
            let isDamaged = try decoder.bool("damaged")
            let name = try FileName(bytes: try decoder.counted())
            let part = try Part(from: &decoder)
            let isTaken = contents && part != .none
            entries.append(
                DirectoryEntry(
                    id: id,
                    type: type,
                    name: name,
                    content: isTaken ? try Self.content(from: &decoder) : nil,
                    chunkKey: isTaken && part == .contentAndChunkKey
                        ? ChunkKey(try decoder.fixed(ChunkKey.byteCount)) : nil,
                    modified: modified,
                    isExecutable: isExecutable,
                    isDamaged: isDamaged,
                    listedSize: isTaken ? 0 : try Self.size(of: part, from: &decoder)
                )
            )
        }
        try decoder.finish()
    }

    /// The size of a content, without the rest of it.
    private static func size(of part: Part, from decoder: inout CanonicalDecoder) throws -> UInt64 {
        guard part != .none else { return 0 }
        _ = try decoder.fixed(sizeOffset)
        let size = try decoder.uint64()
        _ = try decoder.fixed(part.byteCount - sizeOffset - 8)
        return size
    }

    /// The names in an encoded block and what stands under each, without the rest: for a completion.
    /// - Parameter visit: gets the id, too, of a file that is damaged, whose name is none.
    static func visitNames(
        in bytes: [UInt8],
        _ visit: (ArraySlice<UInt8>, FileType, _ damaged: FileID?) -> Void
    ) throws {
        var decoder = CanonicalDecoder(bytes)
        _ = try decoder.format(knownUpTo: format)
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 32)) {
            let id = try decoder.fixed(16)
            guard let type = FileType(rawValue: try decoder.byte()) else {
                throw DecodingFailure.invalid(field: "directory entry")
            }
            _ = try decoder.fixed(9)
            let isDamaged = try decoder.bool("damaged")
            visit(try decoder.counted(), type, isDamaged ? FileID(id) : nil)
            _ = try decoder.fixed(try Part(from: &decoder).byteCount)
        }
        try decoder.finish()
    }

    static func binding(_ key: Key) -> [UInt8] {
        var encoder = CanonicalEncoder(label: "lockbook/v1/directory")
        encoder.append(fixed: key.folder.bytes)
        encoder.append(UInt64(key.number))
        return encoder.bytes
    }
}
