import GRDB
import Glibc
import LockbookCrypto
import LockbookModel

/// By what a file that was taken in is known again without reading it.
struct ImportedStamp: Equatable, Sendable {
    let disk: DiskStamp
    /// Set by the system at every change: a time that was set back does not hide one.
    let changedSeconds: Int64
    let changedNanoseconds: UInt32
    /// Whether it would have been seen if the file had changed once more since it was looked at.
    let isSettled: Bool

    var modified: Timestamp {
        Timestamp(
            seconds: disk.modifiedSeconds,
            nanoseconds: Int64(disk.modifiedNanoseconds)
        )
    }

    init(_ status: stat, at now: Timestamp) {
        disk = DiskStamp(status)
        changedSeconds = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = UInt32(truncatingIfNeeded: status.st_ctim.tv_nsec)
        let changed = Timestamp(
            seconds: changedSeconds,
            nanoseconds: Int64(changedNanoseconds)
        )
        // A clock of files ticks a hundred times a second, on some disks every other second.
        let wait: Int64 = changedNanoseconds == 0 ? 2_100 : 50
        isSettled = changed.milliseconds < now.milliseconds - wait
    }

    fileprivate func append(to encoder: inout CanonicalEncoder) {
        encoder.append(disk.size)
        encoder.append(disk.modifiedSeconds)
        encoder.append(disk.modifiedNanoseconds)
        encoder.append(changedSeconds)
        encoder.append(changedNanoseconds)
        encoder.append(disk.inode)
        encoder.append(isSettled)
    }

    fileprivate init(from decoder: inout CanonicalDecoder) throws {
        let size = try decoder.int64()
        let modifiedSeconds = try decoder.int64()
        let modifiedNanoseconds = try decoder.uint32()
        changedSeconds = try decoder.int64()
        changedNanoseconds = try decoder.uint32()
        disk = DiskStamp(
            size: size,
            modifiedSeconds: modifiedSeconds,
            modifiedNanoseconds: modifiedNanoseconds,
            inode: try decoder.uint64()
        )
        isSettled = try decoder.bool("settled")
    }
}

/// A file as it was when it was taken in.
struct ImportedFile: Equatable, Sendable {
    let stamp: ImportedStamp
    /// The SHA-256 of its bytes; nil where an earlier version of this program took it in.
    let digest: Hash256?
    /// Whether it was left out instead, because its note was changed in the lockbook.
    var isRefused = false
    /// Into whose tree it went, where that is another account's.
    var owner: AccountID?
}

/// The files of one folder on disk that were taken into one folder of the lockbook.
struct ImportedFolder: Equatable, Sendable {
    private static let format: UInt8 = 4

    var files: PathMap<ImportedFile> = [:]

    init() {}

    /// About how large it is, encoded.
    var byteCount: Int { 16 + files.count * 104 }

    func encoded() -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: byteCount)
        encoder.append(Self.format)
        encoder.append(UInt32(files.count))
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            encoder.append(counted: name.utf8)
            file.stamp.append(to: &encoder)
            encoder.append(file.digest != nil)
            if let digest = file.digest { encoder.append(digest) }
            encoder.append(file.isRefused)
            encoder.append(file.owner != nil)
            if let owner = file.owner { encoder.append(owner.hash) }
        }
        return encoder.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        let format = try decoder.byte()
        guard (1...Self.format).contains(format) else {
            throw DecodingFailure.invalid(field: "format")
        }
        let count = try decoder.count(itemsOfAtLeast: 45)
        files.reserveCapacity(count)
        for _ in 0..<count {
            let name = String(decoding: try decoder.counted(), as: UTF8.self)
            let stamp = try ImportedStamp(from: &decoder)
            let hasDigest = try format > 1 && decoder.bool("digest")
            let digest = hasDigest ? try decoder.hash() : nil
            let isRefused = try format > 2 && decoder.bool("refused")
            let hasOwner = try format > 3 && decoder.bool("owner")
            files[name] = ImportedFile(
                stamp: stamp,
                digest: digest,
                isRefused: isRefused,
                owner: hasOwner ? AccountID(hash: try decoder.hash()) : nil
            )
        }
        try decoder.finish()
    }
}

/// Where a folder's memory stands in the store: a digest of both paths.
struct ImportedKey: Hashable, Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Parameter source: the folder on disk, by its real path.
    /// - Parameter target: its path in the lockbook, as the user knows it; empty for the root.
    init(source: [UInt8], target: String, device: DeviceKey) {
        bytes = MemoryKeys.imports(device).hidden(source + [0] + Array(target.utf8))
    }
}

extension LocalTree {
    /// What was taken in from a folder; empty when nothing is known.
    func imported(_ key: ImportedKey) throws -> ImportedFolder {
        // What does not open is read from the disk once more; nothing else depends on it.
        let folder = try importedBytes(key).flatMap { try? ImportedFolder(decoding: $0) }
        return folder ?? ImportedFolder()
    }

    /// A row of the memory; nil where there is none that opens.
    func importedBytes(_ key: ImportedKey) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT sealed FROM imported WHERE path = ?")
        guard let sealed = try statement.first([key.bytes.data], { $0.bytes(0) }) else {
            return nil
        }
        let sealing = MemoryKeys.imports(account.deviceKey).sealing
        return try? sealing.open(sealed, bound: key.bytes)
    }

    func hasImported(_ key: ImportedKey) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM imported WHERE path = ?")
        return try statement.first([key.bytes.data], { _ in true }) ?? false
    }

    /// Where a file is remembered that goes to a place of its own: with its folder of the disk, where
    /// that was taken in as a whole, else by that place.
    /// - Parameters:
    ///   - seat: its path in the lockbook, as the user knows it.
    ///   - read: reads what is known of a folder.
    func importedKey(
        of file: String,
        in source: [UInt8],
        at seat: ImportPath,
        _ read: (ImportedKey) throws -> ImportedFolder
    ) throws -> ImportedKey {
        let device = account.deviceKey
        let alone = ImportedKey(source: source, target: seat.text, device: device)
        guard seat.name?.text.utf8.elementsEqual(file.utf8) == true else { return alone }
        let whole = ImportedKey(source: source, target: seat.folder, device: device)
        guard try hasImported(whole) else { return alone }
        // It may have been taken in before its folder was. The row of that is of all its files: for one
        // of them it is opened only where it has to be.
        if try hasImported(alone), try read(whole).files[file] == nil { return alone }
        return whole
    }

    func remember(_ folders: [ImportedKey: ImportedFolder]) throws {
        for (key, folder) in folders { try remember(folder.encoded(), at: key) }
    }

    /// Puts down a row of the memory.
    func remember(_ bytes: [UInt8], at key: ImportedKey) throws {
        let sealing = MemoryKeys.imports(account.deviceKey).sealing
        let sealed = try sealing.seal(bytes, bound: key.bytes, random: environment.random)
        let replace = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO imported (path, sealed) VALUES (?, ?)"
        )
        try replace.run(key.bytes.data, sealed.data)
    }

    /// Lets go of a row of the memory.
    func forgetImported(_ key: ImportedKey) throws {
        try db.cachedStatement(sql: "DELETE FROM imported WHERE path = ?").run(key.bytes.data)
    }

    /// What is known of the files of a folder: what went into another owner's tree counts only
    /// where this one continues what that had.
    /// - Parameter isHere: whether a file goes into this tree now.
    func continued(
        _ folder: ImportedFolder,
        at path: [FileName],
        where isHere: (_ name: String) -> Bool
    ) throws -> ImportedFolder {
        var continued = folder
        let former = FormerOwners(self)
        for (name, file) in folder.files where file.owner != otherOwner && isHere(name) {
            let place = path + [try? FileName(name)].compactMap(\.self)
            let isContinued = try former.include(file.owner ?? author, at: place)
            var kept: ImportedFile? = isContinued ? file : nil
            kept?.owner = otherOwner
            continued.files[name] = kept
        }
        return continued
    }

    /// The same where one file alone goes into this tree now.
    func continued(_ folder: ImportedFolder, at path: [FileName], of name: String) throws
        -> ImportedFolder
    {
        guard let file = folder.files[name], file.owner != otherOwner else { return folder }
        return try continued(folder, at: path) { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Whether a document's content has this digest; not when it is on the server alone.
    func holds(_ digest: Hash256, _ file: File) throws -> Bool {
        switch try openContent(of: file, path: file.name.text) {
        case .empty: return digest == Hash256(sha256: [UInt8]())
        case .absent: return false
        case .here(var reader):
            var hasher = Hasher256()
            try reader.readAll { hasher.update($0) }
            return hasher.finish() == digest
        }
    }

    /// The documents that stand in a folder, by the normal forms of their names; nil when there is
    /// no such folder.
    func documentNames(in path: [FileName]) throws -> Set<[UInt8]>? {
        var row = try rootRow()
        for name in path {
            guard let child = try child(name, of: row), child.type == .folder, !child.isDamaged
            else {
                return nil
            }
            row = child
        }
        let entries = try entries(of: row.id)
        return Set(entries.filter { $0.type == .document && !$0.isDamaged }.map(\.name.normalized))
    }
}
