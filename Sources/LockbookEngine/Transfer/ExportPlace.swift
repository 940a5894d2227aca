import Glibc
import LockbookCrypto
import LockbookModel

/// One name in an open folder, where an export writes a file: whole or not at all, and never
/// through a link.
struct ExportPlace: Sendable {
    private let folder: DiskFile
    let name: String
    private let tag: String
    /// Whether the folder is one that nobody knows yet: nothing stands here.
    let isStaged: Bool

    init(folder: DiskFile, name: String, tag: String, isStaged: Bool) {
        self.folder = folder
        self.name = name
        self.tag = tag
        self.isStaged = isStaged
    }

    var path: String { folder.path + "/" + name }

    /// The real path of the folder.
    var folderPath: [UInt8] { folder.realPath }

    /// The SHA-256 of the file that stands here; nil for more bytes than so many.
    private func digest(atMost limit: Int) throws -> Hash256? {
        let file = try DiskFile(in: folder, name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard try file.status().st_mode & S_IFMT == S_IFREG else { return nil }
        var hasher = Hasher256()
        var count = 0
        while case let piece = try file.read(262_144), !piece.isEmpty {
            count += piece.count
            guard count <= limit else { return nil }
            hasher.update(piece)
        }
        return hasher.finish()
    }

    /// Whether the file that stands here has the very bytes that an export wrote, whatever was done
    /// to it since: it was copied to another disk, or touched.
    func holds(_ file: ExportedFile, _ present: stat) throws -> Bool {
        try holds(file.digest, file.stamp, present)
    }

    /// Whether the file that stands here has the very bytes with which an import took it in.
    func holds(_ file: ImportedFile, _ present: stat) throws -> Bool {
        try !file.isRefused && holds(file.digest, file.stamp.disk, present)
    }

    private func holds(_ digest: Hash256?, _ stamp: DiskStamp, _ present: stat) throws -> Bool {
        guard let digest, present.st_mode & S_IFMT == S_IFREG,
            Int64(present.st_size) == stamp.size
        else { return false }
        return try self.digest(atMost: Int(stamp.size)) == digest
    }

    /// What stands here, links not followed; nil when nothing does.
    func status() throws -> stat? {
        var result = stat()
        if fstatat(folder.descriptor, name, &result, AT_SYMLINK_NOFOLLOW) == 0 { return result }
        guard errno == ENOENT else { throw DiskFailure(path) }
        return nil
    }

    /// How a file is to be on disk, besides its bytes.
    struct Style: Sendable {
        let mode: mode_t
        let modified: timespec
    }

    /// A file beside the place that is whole, but not durable yet.
    struct Written: Sendable {
        let folder: DiskFile
        /// What it is called until it takes its place.
        let name: String
        /// Held open, and so locked, where it is not in a staged folder.
        let file: DiskFile?
        let status: stat
        /// The SHA-256 of its bytes; nil where nobody will ask for it.
        var digest: Hash256?
    }

    /// Writes beside the place; `keep` or `discard` comes next.
    /// - Parameter number: which of the files that are beside their places at once this is.
    func write(
        _ style: Style,
        number: Int,
        contents: (_ file: DiskFile) throws -> Void
    ) throws -> Written {
        let name = isStaged ? name : temporaryName(number)
        let file = try create(name, style)
        do {
            try contents(file)
            return try finish(name, style, file)
        } catch {
            unlinkat(folder.descriptor, name, 0)
            throw error
        }
    }

    /// Writes beside the place what may have to be fetched first, and makes it durable unless its
    /// folder is staged.
    /// - Parameter number: which of the files that are beside their places at once this is.
    func write(
        _ style: Style,
        number: Int,
        contents: (_ file: DiskFile) async throws -> Void
    ) async throws -> Written {
        let name = isStaged ? name : temporaryName(number)
        let file = try create(name, style)
        do {
            try await contents(file)
            let written = try finish(name, style, file)
            if !isStaged { try file.sync() }
            return written
        } catch {
            unlinkat(folder.descriptor, name, 0)
            throw error
        }
    }

    /// A new file, locked until it is closed.
    private func create(_ name: String, _ style: Style) throws -> DiskFile {
        while true {
            let beginning = isStaged ? nil : Self.temporaryPrefix + tag
            let file = try UnfinishedExports.shared.make(in: folder, named: beginning) {
                try DiskFile(
                    in: folder,
                    name,
                    flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                    mode: style.mode,
                    shownAs: self.name
                )
            }
            if isStaged { return file }
            // Where the file system has no locks, nobody takes the file for a leftover either.
            while flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
            // Another export may have removed it before it was locked.
            if try file.status().st_nlink > 0 { return file }
        }
    }

    private func finish(_ name: String, _ style: Style, _ file: DiskFile) throws -> Written {
        let times = [style.modified, style.modified]
        _ = try Disk.retry(file.path) { futimens(file.descriptor, times) }
        var status = try file.status()
        if status.st_mode & 0o777 != style.mode {
            _ = try Disk.retry(file.path) { fchmod(file.descriptor, style.mode) }
            status = try file.status()
        }
        return Written(folder: folder, name: name, file: isStaged ? nil : file, status: status)
    }

    /// Puts a file in the place, unless something else stands there than was there before, or than
    /// is put there now, as another export may have done.
    ///
    /// It has to be durable already: a power cut could else leave its name without its bytes, or
    /// with neither these nor those of the file before.
    /// - Parameter replaced: what it takes the place of; nil when nothing stood there.
    /// - Returns: whether it is there.
    func keep(_ written: Written, over replaced: DiskStamp?) throws -> Bool {
        // Its folder has its name now.
        if written.folder === folder, written.name == name { return true }
        do {
            let isNew = replaced == nil
            if isNew,
                try Disk.renameNew(in: written.folder, written.name, to: name, in: folder)
            {
                return true
            }
            let isFree = try status().map {
                try replaced?.matches($0) == true || isEqual(to: written, $0)
            }
            guard isFree ?? true else {
                discard(written)
                return false
            }
            _ = try Disk.retry(path) {
                renameat(written.folder.descriptor, written.name, folder.descriptor, name)
            }
            return true
        } catch {
            discard(written)
            throw error
        }
    }

    /// Whether the file that stands here, with this status, has the bytes of the one beside it.
    private func isEqual(to written: Written, _ status: stat) throws -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        let beside = try DiskFile(
            in: written.folder,
            written.name,
            flags: O_RDONLY | O_NOFOLLOW
        )
        return try isEqual(size: UInt64(written.status.st_size)) { sink in
            while case let bytes = try beside.read(65_536), !bytes.isEmpty { try sink(bytes) }
        }
    }

    /// Sets the executable bit of the file that stands here for its owner, or takes it from
    /// everybody; its other bits stay.
    /// - Parameter present: how it was found.
    /// - Returns: how it is now; as it was found where the file system has no such bit, and where
    ///   something else stands here by now.
    func setExecutable(_ isExecutable: Bool, _ present: stat) throws -> stat {
        guard present.isExecutable != isExecutable else { return present }
        do {
            return try markExecutable(isExecutable, present)
        } catch let failure as DiskFailure
            where [EPERM, EACCES, EROFS, ENOTSUP].contains(failure.code)
        {
            // Where nobody may, or a disk knows no such bit, the bytes are what there is.
            return present
        }
    }

    private func markExecutable(_ isExecutable: Bool, _ present: stat) throws -> stat {
        let file = try DiskFile(in: folder, name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let status = try file.status()
        guard DiskStamp(present).matches(status) else { return present }
        let bits = status.st_mode & 0o7777
        let mode = isExecutable ? bits | 0o100 : bits & ~0o111
        _ = try Disk.retry(path) { fchmod(file.descriptor, mode) }
        return try file.status()
    }

    func discard(_ written: Written) {
        unlinkat(written.folder.descriptor, written.name, 0)
    }

    /// Whether the file that stands here has the bytes that a reader gives.
    func isEqual(size: UInt64, to read: ((_ bytes: [UInt8]) throws -> Void) throws -> Void) throws
        -> Bool
    {
        let file = try DiskFile(in: folder, name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG, UInt64(status.st_size) == size else {
            return false
        }
        var offset: UInt64 = 0
        var isEqual = true
        try read { bytes in
            guard isEqual else { return }
            isEqual = try file.read(bytes.count, at: offset) == bytes
            offset += UInt64(bytes.count)
        }
        return isEqual && offset == size
    }

    /// Removes what an export that was killed left in a folder: it is plaintext.
    static func removeLeftovers(in folder: DiskFile) {
        for bytes in (try? Disk.names(in: folder)) ?? []
        where bytes.starts(with: temporaryPrefix.utf8) {
            let name = String(decoding: bytes, as: UTF8.self)
            // Whoever is still at work holds the lock of the file.
            guard
                let file = try? DiskFile(
                    in: folder,
                    name,
                    flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
                ), flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            if isTemporaryFolder(name) {
                Disk.removeTree(name, in: folder)
            } else {
                unlinkat(folder.descriptor, name, 0)
            }
        }
    }

    static let temporaryPrefix = ".lockbook-export."

    static func temporaryFolder(_ tag: String, _ number: Int) -> String {
        "\(temporaryPrefix)\(tag)-d\(number)"
    }

    /// Only what an export calls so is removed with all that is in it: no folder of somebody's.
    private static func isTemporaryFolder(_ name: String) -> Bool {
        let parts = name.dropFirst(temporaryPrefix.count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, let tag = [UInt8](hex: parts[0]), tag.count == 8 else {
            return false
        }
        return parts[1].first == "d" && Int(parts[1].dropFirst()).map { $0 > 0 } == true
    }

    private func temporaryName(_ number: Int) -> String {
        "\(Self.temporaryPrefix)\(tag)-\(number)"
    }

    var isReserved: Bool { Self.isReserved(name) }

    /// Whether a name is one that exports use for what is not whole yet.
    static func isReserved(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }
}
