import GRDB
import Glibc
import LockbookCrypto
import LockbookModel

/// What an export remembers of a file it wrote, to know it again.
struct ExportedFile: Equatable, Sendable {
    /// The folder's path below the target, without slashes at its ends; empty for the target itself.
    let folder: String
    let name: String
    let version: VersionID?
    let size: Int64
    let modifiedSeconds: Int64
    let modifiedNanoseconds: Int64
    let inode: UInt64

    var relativePath: String { folder.isEmpty ? name : "\(folder)/\(name)" }

    init(_ item: ExportItem, status: stat) {
        folder = item.components.dropLast().map(\.text).joined(separator: "/")
        name = item.components.last?.text ?? ""
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

    fileprivate func append(to encoder: inout CanonicalEncoder) {
        encoder.append(counted: name.utf8)
        encoder.append(version != nil)
        if let version { encoder.append(fixed: version.bytes) }
        encoder.append(size)
        encoder.append(modifiedSeconds)
        encoder.append(modifiedNanoseconds)
        encoder.append(inode)
    }

    fileprivate init(from decoder: inout CanonicalDecoder, folder: String) throws {
        self.folder = folder
        name = String(decoding: try decoder.counted(), as: UTF8.self)
        version = try decoder.bool("version") ? VersionID(try decoder.fixed(16)) : nil
        size = try decoder.int64()
        modifiedSeconds = try decoder.int64()
        modifiedNanoseconds = try decoder.int64()
        inode = try decoder.uint64()
    }
}

/// What exports wrote into one folder.
private struct ExportedFolder: Sendable {
    let path: String
    let files: [ExportedFile]

    init(path: String, files: [ExportedFile]) {
        self.path = path
        self.files = files
    }

    func encoded() -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: 64 + path.utf8.count + files.count * 96)
        encoder.append(UInt8(1))
        encoder.append(counted: path.utf8)
        encoder.append(UInt32(files.count))
        for file in files { file.append(to: &encoder) }
        return encoder.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: 1)
        path = String(decoding: try decoder.counted(), as: UTF8.self)
        var files: [ExportedFile] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 37)) {
            files.append(try ExportedFile(from: &decoder, folder: path))
        }
        self.files = files
        try decoder.finish()
    }
}

extension LocalTree {
    /// What earlier exports wrote at a place, by its path below it.
    func exported(at identity: [UInt8]) throws -> [String: ExportedFile] {
        let keys = ExportedKeys(account.deviceKey)
        var files: [String: ExportedFile] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT path, sealed FROM exported WHERE destination = ?",
            arguments: [keys.hidden(identity).data]
        )
        while let row = try rows.next() {
            // What does not open spares no question; nothing else depends on it.
            guard let bytes = try? keys.sealing.open(row.bytes(1), bound: row.bytes(0)),
                let folder = try? ExportedFolder(decoding: bytes)
            else { continue }
            for file in folder.files { files[file.relativePath] = file }
        }
        return files
    }

    /// Adds what an export wrote to what was known of the place before.
    func remember(
        _ written: [ExportedFile],
        known: [String: ExportedFile],
        at identity: [UInt8]
    ) throws {
        let touched = Set(written.map(\.folder))
        var folders: [String: [String: ExportedFile]] = [:]
        for file in known.values where touched.contains(file.folder) {
            folders[file.folder, default: [:]][file.name] = file
        }
        for file in written { folders[file.folder, default: [:]][file.name] = file }
        let keys = ExportedKeys(account.deviceKey)
        let destination = keys.hidden(identity)
        let replace = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO exported (destination, path, sealed) VALUES (?, ?, ?)"
        )
        for (path, files) in folders {
            let key = keys.hidden(Array(path.utf8))
            let folder = ExportedFolder(path: path, files: Array(files.values))
            let sealed = try keys.sealing.seal(
                folder.encoded(),
                bound: key,
                random: environment.random
            )
            try replace.run(destination.data, key.data, sealed.data)
        }
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
