import LockbookCrypto
import LockbookModel

/// What a listing shows of one child.
struct DirectoryEntry: Equatable {
    var id: FileID
    var type: FileType
    var name: FileName
    var size: UInt64
    var modified: Timestamp
    var isExecutable: Bool
    var isDamaged: Bool
}

/// Up to 256 children of one folder, sealed together: listing 5,000 names opens 20 blocks.
struct DirectoryBlock {
    struct Key: Hashable {
        let folder: FileID
        let number: Int
    }

    static let capacity = 256
    private static let format: UInt8 = 1

    var entries: [DirectoryEntry] = []

    init() {}

    /// The id of a file whose name cannot be read stands for it.
    static func damagedName(_ id: FileID) -> FileName? {
        try? FileName("damaged-\(id.description.prefix(12))")
    }

    func encoded() -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: 16 + entries.count * 80)
        encoder.append(Self.format)
        encoder.append(UInt32(entries.count))
        for entry in entries {
            encoder.append(fixed: entry.id.bytes)
            encoder.append(entry.type.rawValue)
            encoder.append(entry.size)
            encoder.append(entry.modified.milliseconds)
            encoder.append(entry.isExecutable)
            encoder.append(entry.isDamaged)
            encoder.append(counted: entry.name.bytes)
        }
        return encoder.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        let count = try decoder.count(itemsOfAtLeast: 40)
        entries.reserveCapacity(count)
        for _ in 0..<count {
            guard let id = FileID(try decoder.fixed(16)),
                let type = FileType(rawValue: try decoder.byte())
            else { throw DecodingFailure.invalid(field: "directory entry") }
            let size = try decoder.uint64()
            let modified = Timestamp(milliseconds: try decoder.int64())
            let isExecutable = try decoder.bool("executable")
            let isDamaged = try decoder.bool("damaged")
            entries.append(
                DirectoryEntry(
                    id: id,
                    type: type,
                    name: try FileName(bytes: try decoder.counted()),
                    size: size,
                    modified: modified,
                    isExecutable: isExecutable,
                    isDamaged: isDamaged
                )
            )
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
