import LockbookCrypto
import LockbookModel

/// What an item of another program became here.
struct ForeignItem: Equatable, Sendable {
    /// Below the destination, where it was put; it may have been moved since.
    let path: [FileName]
    /// Nil for a folder that an earlier version of this program took in.
    let file: ForeignFile?
}

/// What was made of an item, and what was taken in of it the last time.
struct ForeignFile: Equatable, Sendable {
    let id: FileID
    /// Of a folder that of nothing.
    let digest: Hash256
}

/// An item that is taken in, beside what is known of it.
struct ForeignMark: Sendable {
    /// In the other program.
    let id: String
    /// Below the destination.
    let path: [FileName]
    let before: ForeignFile?

    /// Whether an import made a note of the item.
    func isKnown(of note: FileID) -> Bool { before?.id == note }
}

/// All that imports of one program took into one destination, by the ids that it has there.
struct ForeignMemory: Equatable, Sendable {
    private static let format: UInt8 = 1

    var items: PathMap<ForeignItem> = [:]

    init() {}

    func encoded() -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: 16 + items.count * 128)
        encoder.append(Self.format)
        encoder.append(UInt32(items.count))
        for (id, item) in items.sorted(by: { $0.key < $1.key }) {
            encoder.append(counted: id.utf8)
            encoder.append(counted: item.path.map(\.text).joined(separator: "/").utf8)
            encoder.append(item.file != nil)
            if let file = item.file {
                encoder.append(fixed: file.id.bytes)
                encoder.append(file.digest)
            }
        }
        return encoder.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        guard try decoder.byte() == Self.format else {
            throw DecodingFailure.invalid(field: "format")
        }
        let count = try decoder.count(itemsOfAtLeast: 9)
        items.reserveCapacity(count)
        for _ in 0..<count {
            let id = String(decoding: try decoder.counted(), as: UTF8.self)
            var path: [FileName] = []
            for name in try decoder.counted().split(separator: UInt8(ascii: "/")) {
                path.append(try FileName(bytes: name))
            }
            var file: ForeignFile?
            if try decoder.bool("file") {
                guard let id = FileID(try decoder.fixed(16)) else {
                    throw DecodingFailure.invalid(field: "file")
                }
                file = ForeignFile(id: id, digest: try decoder.hash())
            }
            items[id] = ForeignItem(path: path, file: file)
        }
        try decoder.finish()
    }
}

extension LocalTree {
    /// What was made of an item, wherever it is now; nil when it was deleted.
    func standing(_ item: ForeignMark) throws -> FileRow? {
        guard let known = item.before, let row = try row(known.id), try !isDead(row) else {
            return nil
        }
        return row
    }

    /// What stands somewhere and opens.
    func standing(at path: [FileName]) throws -> FileRow? {
        var row = try rootRow()
        for name in path {
            guard row.type == .folder, !row.isDamaged, let child = try child(name, of: row) else {
                return nil
            }
            row = child
        }
        return row
    }
}
