import GRDB
import Glibc
import LockbookCrypto
import LockbookModel

/// One file that an export writes.
struct ExportItem: Sendable {
    let id: FileID
    let type: FileType
    /// In the lockbook, for reports.
    let path: String
    /// Below the target, from the top.
    let components: [FileName]
    let size: UInt64
    let modified: Timestamp
    let isDamaged: Bool
    /// As it was when the export began; nil for folders and what does not open.
    let file: File?

    var version: VersionID? { file?.content?.version }
    var isExecutable: Bool { file?.isExecutable ?? false }

    /// Too large for a batch: its content streams.
    var isLarge: Bool { size > UInt64(ContentWriter.inMemoryByteCount) }

    var relativePath: String { components.map(\.text).joined(separator: "/") }
}

/// An item whose record is still sealed.
private struct FoundItem: Sendable {
    let id: FileID
    let type: FileType
    let path: String
    let components: [FileName]
    let modified: Timestamp
    let sealed: SealedFile?
    let isDamaged: Bool

    func opened() -> ExportItem {
        let file = try? sealed?.opened().file
        return ExportItem(
            id: id,
            type: type,
            path: path,
            components: components,
            size: file?.size ?? 0,
            modified: file?.modified ?? modified,
            isDamaged: isDamaged || sealed != nil && file == nil,
            file: file
        )
    }
}

struct ExportPlan {
    let root: FileInfo.Kind
    /// The name under which the whole is put into an existing folder; nil for the root's contents.
    let name: FileName?
    let items: [ExportItem]
}

/// What an export remembers of a file it wrote, to know it again.
struct ExportedFile: Equatable, Sendable {
    let relativePath: String
    let version: VersionID?
    let size: Int64
    let modifiedSeconds: Int64
    let modifiedNanoseconds: Int64
    let inode: UInt64

    init(_ item: ExportItem, status: stat) {
        relativePath = item.relativePath
        version = item.version
        size = Int64(status.st_size)
        modifiedSeconds = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }

    func matches(_ status: stat) -> Bool {
        size == Int64(status.st_size) && modifiedSeconds == Int64(status.st_mtim.tv_sec)
            && modifiedNanoseconds == Int64(status.st_mtim.tv_nsec)
            && inode == UInt64(status.st_ino)
    }

    func encoded() -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: 128)
        encoder.append(UInt8(1))
        encoder.append(counted: relativePath.utf8)
        encoder.append(version != nil)
        if let version { encoder.append(fixed: version.bytes) }
        encoder.append(size)
        encoder.append(modifiedSeconds)
        encoder.append(modifiedNanoseconds)
        encoder.append(inode)
        return encoder.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: 1)
        relativePath = String(decoding: try decoder.counted(), as: UTF8.self)
        version = try decoder.bool("version") ? VersionID(try decoder.fixed(16)) : nil
        size = try decoder.int64()
        modifiedSeconds = try decoder.int64()
        modifiedNanoseconds = try decoder.int64()
        inode = try decoder.uint64()
        try decoder.finish()
    }
}

extension LocalTree {
    /// Everything below a file, folders before what stands in them.
    func exportPlan(_ reference: FileReference) throws -> ExportPlan {
        let row = try find(reference)
        let path = try path(of: row)
        let name = row.id == root ? nil : try name(of: row)
        var items: [FoundItem] = []
        if row.type == .document {
            items.append(try exportItem(row.id, entry: nil, path: path, components: []))
        } else {
            var folders: [(id: FileID, path: String, components: [FileName])] = [
                (row.id, path == "/" ? "" : path, [])
            ]
            while let folder = folders.popLast() {
                let entries = try entries(of: folder.id).sorted { $0.name.text < $1.name.text }
                for entry in entries where entry.type != .link {
                    let path = folder.path + "/" + entry.name.text
                    let components = folder.components + [entry.name]
                    items.append(
                        try exportItem(entry.id, entry: entry, path: path, components: components)
                    )
                    if entry.type == .folder { folders.append((entry.id, path, components)) }
                }
            }
        }
        return ExportPlan(
            root: FileInfo.Kind(row.type),
            name: name,
            items: try concurrentMap(items) { $0.opened() }
        )
    }

    private func exportItem(
        _ id: FileID,
        entry: DirectoryEntry?,
        path: String,
        components: [FileName]
    ) throws -> FoundItem {
        guard let row = try row(id) else { throw LockbookError.notFound(path: path) }
        let isOpened = !row.isDamaged && row.type == .document
        let sealed = isOpened ? try sealed(row) : nil
        return FoundItem(
            id: id,
            type: row.type,
            path: path,
            components: components,
            modified: entry?.modified ?? Timestamp(milliseconds: 0),
            sealed: sealed,
            isDamaged: row.isDamaged || isOpened && sealed == nil
        )
    }

    /// - Returns: nil when the folder above is damaged.
    private func sealed(_ row: FileRow) throws -> SealedFile? {
        do {
            return SealedFile(
                record: try record(of: row),
                folder: try folderKeys(above: row),
                key: nil
            )
        } catch is DamagedRecord {
            return nil
        }
    }

    /// The content of an item as it was when the export began.
    func openContent(of item: ExportItem) throws -> OpenedContent {
        guard let file = item.file else { return .empty }
        return try openContent(of: file, path: item.path)
    }

    /// What earlier exports wrote at a place.
    func exported(at identity: [UInt8]) throws -> [String: ExportedFile] {
        let keys = ExportedKeys(account.deviceKey)
        var files: [String: ExportedFile] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT path, sealed FROM exported WHERE destination = ?",
            arguments: [keys.hidden(identity).data]
        )
        while let row = try rows.next() {
            guard let bytes = try? keys.sealing.open(row.bytes(1), bound: row.bytes(0)),
                let file = try? ExportedFile(decoding: bytes)
            else { continue }
            files[file.relativePath] = file
        }
        return files
    }

    func remember(_ files: [ExportedFile], at identity: [UInt8]) throws {
        let keys = ExportedKeys(account.deviceKey)
        let destination = keys.hidden(identity)
        let replace = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO exported (destination, path, sealed) VALUES (?, ?, ?)"
        )
        let random = environment.random
        let rows = try concurrentMap(files) { file in
            let path = keys.hidden(Array(file.relativePath.utf8))
            return (path, try keys.sealing.seal(file.encoded(), bound: path, random: random))
        }
        for (path, sealed) in rows { try replace.run(destination.data, path.data, sealed.data) }
    }
}

/// The keys under which this device remembers what it exported.
private struct ExportedKeys {
    let sealing: LocalKey
    private let path: LocalKey

    init(_ key: DeviceKey) {
        sealing = key.key(for: "exported")
        path = key.key(for: "exported-path")
    }

    /// A path as the database may see it: a digest.
    func hidden(_ path: [UInt8]) -> [UInt8] { self.path.tag(path).bytes }
}
