import LockbookCrypto
import LockbookModel

/// What an item of another program became here.
struct ForeignItem: Equatable, Sendable {
    /// Below the destination, where it was put; its note may have been moved since.
    let path: [FileName]
    /// Nil for a folder.
    let note: ForeignNote?
}

/// The note that was made of an item, and what was taken in of it the last time.
struct ForeignNote: Equatable, Sendable {
    let file: FileID
    let digest: Hash256
}

/// An item that is taken in, beside what is known of it.
struct ForeignMark: Sendable {
    /// In the other program.
    let id: String
    /// Below the destination.
    let path: [FileName]
    let before: ForeignNote?

    /// Whether an import made a note of the item.
    func isKnown(of note: FileID) -> Bool { before?.file == note }
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
            encoder.append(item.note != nil)
            if let note = item.note {
                encoder.append(fixed: note.file.bytes)
                encoder.append(note.digest)
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
            var note: ForeignNote?
            if try decoder.bool("note") {
                guard let file = FileID(try decoder.fixed(16)) else {
                    throw DecodingFailure.invalid(field: "file")
                }
                note = ForeignNote(file: file, digest: try decoder.hash())
            }
            items[id] = ForeignItem(path: path, note: note)
        }
        try decoder.finish()
    }
}

extension ImportedKey {
    fileprivate init(_ program: NoteProgram, _ target: String, _ device: DeviceKey) {
        self.init(source: Array(program.rawValue.utf8), target: target, device: device)
    }
}

extension LocalTree {
    /// Where is remembered what exports of a program became in a folder of the lockbook.
    ///
    /// That is known by the path that the folder had when the first of them came, whatever it is
    /// called now.
    /// - Parameter folder: nil where there is none at the path.
    func foreignKey(_ program: NoteProgram, at path: ImportPath, _ folder: FileID?) throws
        -> ImportedKey
    {
        let known = try folder.flatMap { try importedBytes(folderKey(program, $0)) }
        return known.map(ImportedKey.init(bytes:))
            ?? ImportedKey(program, path.text, account.deviceKey)
    }

    /// Puts down where that is.
    func remember(_ key: ImportedKey, of program: NoteProgram, in folder: FileID) throws {
        let place = folderKey(program, folder)
        if try importedBytes(place) != key.bytes { try remember(key.bytes, at: place) }
    }

    /// No path is like this: each begins with a slash.
    private func folderKey(_ program: NoteProgram, _ folder: FileID) -> ImportedKey {
        ImportedKey(program, "id:\(folder)", account.deviceKey)
    }

    /// What was taken in of another program; empty when nothing is known.
    func importedItems(_ key: ImportedKey) throws -> ForeignMemory {
        let memory = try importedBytes(key).flatMap { try? ForeignMemory(decoding: $0) }
        return memory ?? ForeignMemory()
    }

    func remember(_ memory: ForeignMemory, at key: ImportedKey) throws {
        try remember(memory.encoded(), at: key)
    }

    /// The note that was made of an item, wherever it is now; nil when it was deleted.
    func note(of item: ForeignMark) throws -> FileRow? {
        guard let known = item.before, let row = try row(known.file), try !isDead(row) else {
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

extension DiskImport {
    /// - Parameters:
    ///   - file: nil for a folder.
    ///   - digest: of what was taken in.
    mutating func remember(_ mark: ForeignMark?, _ file: FileID?, _ digest: Hash256) {
        guard let mark else { return }
        let note = file.map { ForeignNote(file: $0, digest: digest) }
        foreign.items[mark.id] = ForeignItem(path: mark.path, note: note)
    }
}
