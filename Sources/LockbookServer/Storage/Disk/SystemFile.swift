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
    /// That the disk did not take what was written.
    ///
    /// The system says so once, and takes it for written from then on.
    static func lastOfSynchronizing() -> SystemFailure { .last(synchronizing) }
    var isOfSynchronizing: Bool { doing == Self.synchronizing }
    private static let synchronizing = "fsync"

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
        guard fsync(descriptor) == 0 else { throw .lastOfSynchronizing() }
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
