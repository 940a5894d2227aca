import FoundationEssentials
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why the operating system would not read or write.
package struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var code: Int32
    package var doing: String

    static func last(_ doing: String) -> SystemFailure { SystemFailure(code: errno, doing: doing) }
    /// That a file to be opened is not there.
    static let missing = SystemFailure(code: ENOENT, doing: "open")

    var isMissing: Bool { code == ENOENT }
    var isFull: Bool { code == ENOSPC || code == EDQUOT }
    /// Whether it is of this one path: others may be read all the same.
    ///
    /// A socket cannot be opened (ENXIO), and in a pipe there is no place to read from (ESPIPE).
    var isOfPath: Bool {
        [ENOENT, ENOTDIR, EISDIR, ELOOP, EIO, EACCES, ENXIO, ESPIPE].contains(code)
    }

    /// The same, with what it is about.
    func of(_ name: some StringProtocol) -> SystemFailure {
        SystemFailure(code: code, doing: "\(doing) \(name)")
    }

    package var description: String {
        "\(doing): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
    }
}

/// An open file, closed with `close`.
struct SystemFile {
    /// What a file is opened for.
    enum Purpose {
        case reading
        /// Of a file that is there.
        case writing
        /// Of a file that is there from then on.
        case making
        /// Of a file that is there from then on, and empty.
        case replacing
        case folder

        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY
            case .writing: O_WRONLY
            case .making: O_WRONLY | O_CREAT
            case .replacing: O_WRONLY | O_CREAT | O_TRUNC
            case .folder: O_RDONLY | O_DIRECTORY
            }
        }
    }

    private let descriptor: Int32

    /// Opens; a new file is for its owner alone.
    ///
    /// A pipe in its place would be waited for, for ever; files are read and written as always.
    init(_ path: String, _ purpose: Purpose) throws(SystemFailure) {
        descriptor = open(path, purpose.flags | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
    }

    /// Opens, hands over, and closes.
    static func with<Value>(
        _ path: String,
        _ purpose: Purpose,
        _ body: (SystemFile) throws -> Value
    ) throws -> Value {
        let file = try SystemFile(path, purpose)
        defer { file.close() }
        return try body(file)
    }

    /// How long a file is, also behind a link; nil for one that is not there.
    static func byteCount(of path: String) throws -> UInt64? {
        do {
            return try with(path, .reading) { $0.byteCount }
        } catch let failure as SystemFailure where failure.isMissing {
            return nil
        }
    }

    /// Writes a byte to a file that is there and has none.
    static func fillEmpty(_ path: String) throws {
        try with(path, .writing) { file in
            guard file.byteCount == 0 else { return }
            let byte: [UInt8] = [0]
            try byte.withUnsafeBytes { try file.write($0, at: 0) }
        }
    }

    func close() {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    var byteCount: UInt64 { UInt64(clamping: lseek(descriptor, 0, SEEK_END)) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemFailure) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(
                descriptor,
                rest.baseAddress,
                rest.count,
                off_t(offset) + off_t(done)
            )
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("write") }
            done += count
        }
    }

    /// Fills the buffer as far as the file goes.
    /// - Returns: the bytes read.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemFailure)
        -> Int
    {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(
                descriptor,
                rest.baseAddress,
                rest.count,
                off_t(offset) + off_t(done)
            )
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("read") }
            if count == 0 { break }
            done += count
        }
        return done
    }

    func synchronize() throws(SystemFailure) {
        guard fsync(descriptor) == 0 else { throw .last("fsync") }
    }

    /// Holds the file for this process until it ends; false when another has it.
    func lock() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Lets go of the lock at once: a child of this process that has not begun its program yet has the
    /// descriptor too, and would hold on to it after it was closed here.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }
}

/// Folders and names.
enum SystemFolder {
    /// Makes a folder for its owner alone, and those above it; one that is there stays.
    static func make(_ path: String) throws(SystemFailure) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .last("mkdir")
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last("mkdir") }
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
