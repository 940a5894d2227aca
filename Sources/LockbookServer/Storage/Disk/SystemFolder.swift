import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Folders and names.
enum SystemFolder {
    /// Makes a folder for its owner alone, and those above it; one that is there stays.
    static func make(_ path: String) throws(SystemFailure) {
        if mkdir(path, 0o700) == 0 { return }
        if errno == EEXIST { return try requireFolder(path) }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .last("mkdir")
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last("mkdir") }
    }

    /// Sees that what is there is a folder, or a link to one: of anything else the mode would be changed.
    private static func requireFolder(_ path: String) throws(SystemFailure) {
        guard try mode(of: path) & S_IFMT == S_IFDIR else {
            throw SystemFailure(code: ENOTDIR, doing: "open")
        }
    }

    /// What something is, and who may use it; what a link leads to.
    private static func mode(of path: String) throws(SystemFailure) -> mode_t {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .last("stat") }
        return facts.st_mode
    }

    /// Whether others than its owner may put something into a folder.
    static func isOpenToOthers(_ path: String) throws(SystemFailure) -> Bool {
        try mode(of: path) & 0o022 != 0
    }

    static func restrict(_ path: String, to mode: mode_t) throws(SystemFailure) {
        guard chmod(path, mode) == 0 else { throw .last("chmod") }
    }

    /// What a user without privileges may still write where a folder is.
    static func availableByteCount(_ path: String) throws(SystemFailure) -> UInt64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw .last("statvfs") }
        let (count, isMore) = UInt64(status.f_bavail)
            .multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isMore ? .max : count
    }

    /// Makes the names in a folder durable.
    static func synchronize(_ path: String) throws {
        try SystemFile.with(path, .folder) { try $0.synchronize() }
    }

    /// Makes the name of a folder durable where it stands.
    ///
    /// Where this user may use the folder above but not list it, somebody else made it, long ago.
    static func synchronizeName(of path: String) throws {
        var folder = path
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let slash = folder.lastIndex(of: "/")
        let above = slash.map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
        do {
            try synchronize(above)
        } catch let failure as SystemFailure where failure.code == EACCES {
            return
        }
    }

    static func rename(_ old: String, to new: String) throws(SystemFailure) {
        #if canImport(Glibc)
            let result = Glibc.rename(old, new)
        #elseif canImport(Musl)
            let result = Musl.rename(old, new)
        #else
            let result = Darwin.rename(old, new)
        #endif
        guard result == 0 else { throw .last("rename") }
    }

    static func remove(_ path: String) throws(SystemFailure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink") }
    }

    /// Removes a folder with nothing in it.
    static func removeFolder(_ path: String) throws(SystemFailure) {
        guard rmdir(path) == 0 || errno == ENOENT else { throw .last("rmdir") }
    }

    /// The names of what is in a folder, in no order.
    static func names(in path: String) throws(SystemFailure) -> [String] {
        guard let folder = opendir(path) else { throw .last("opendir") }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .last("readdir") }
        return names
    }

    /// When a file was last written, in seconds since 1970; nil for one that is not there.
    static func modificationTime(of path: String) -> Int64? {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return (facts?[.modificationDate] as? Date).map { Int64($0.timeIntervalSince1970) }
    }

    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// What tells a file from any other one, and from itself before something was written to it.
    ///
    /// Nil for what is not there, or no file.
    static func state(of path: String) -> BlobFileState? {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            let changed = facts.st_ctimespec
        #else
            let changed = facts.st_ctim
        #endif
        return BlobFileState(
            byteCount: UInt64(clamping: facts.st_size),
            number: UInt64(facts.st_ino),
            seconds: Int64(changed.tv_sec),
            nanoseconds: Int64(changed.tv_nsec)
        )
    }

    /// Whether it is a file, and no folder, link, pipe or the like.
    static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

    static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

    private static func kind(of path: String) -> mode_t? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
    }
}
