import Glibc
import LockbookCrypto

extension ExportPlace {
    /// A file beside the place that is whole, but not durable yet.
    struct Written: Sendable {
        let folder: DiskFile
        /// What it is called until it takes its place.
        let name: String
        /// Held open, and so locked, where it is not in a staged folder.
        let file: DiskFile?
        let status: stat
        /// Whether it has the time that it was to have.
        let isDated: Bool
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
            if !isStaged, !syncsEach { try file.sync() }
            return written
        } catch {
            unlinkat(folder.descriptor, name, 0)
            throw error
        }
    }

    private func create(_ name: String, _ style: Style) throws -> DiskFile {
        try Self.create(
            name,
            in: folder,
            beginning: isStaged ? nil : Self.temporaryPrefix + tag,
            mode: style.mode,
            shownAs: self.name
        )
    }

    /// A new file, locked until it is closed where it is beside its place.
    /// - Parameters:
    ///   - beginning: of its name and those of others beside their places; nil in a staged folder.
    ///   - shown: what it is called in reports; nil for its name.
    static func create(
        _ name: String,
        in folder: DiskFile,
        beginning: String?,
        mode: mode_t = 0o600,
        shownAs shown: String? = nil
    ) throws -> DiskFile {
        while true {
            let file = try UnfinishedExports.shared.make(in: folder, named: beginning) {
                try DiskFile(
                    in: folder,
                    name,
                    flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                    mode: mode,
                    shownAs: shown
                )
            }
            if beginning == nil { return file }
            // Where the file system has no locks, nobody takes the file for a leftover either.
            while flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
            // Another export may have removed it before it was locked.
            if try file.status().st_nlink > 0 { return file }
        }
    }

    private func finish(_ name: String, _ style: Style, _ file: DiskFile) throws -> Written {
        // What is written late would have the time at which it is.
        try file.flush()
        let isDated = try file.setTime(style.modified)
        let status = try file.setMode(style.mode)
        if syncsEach { try file.sync() }
        return Written(
            folder: folder,
            name: name,
            file: isStaged ? nil : file,
            status: status,
            isDated: isDated
        )
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

    func discard(_ written: Written) {
        unlinkat(written.folder.descriptor, written.name, 0)
    }
}
