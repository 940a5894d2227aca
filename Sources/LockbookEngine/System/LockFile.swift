import Glibc

/// A lock that processes share by a file and that the kernel lets go when its holder dies.
final class LockFile {
    private let file: DiskFile
    /// Which byte of the file is locked; nil for the file itself.
    private let byte: Int64?

    /// Takes the lock, or waits for it.
    /// - Returns: nil when somebody held it for all the time.
    convenience init?(_ path: String, waitingSeconds: Double = 0) throws {
        try self.init(Self.file(path), waitingSeconds: waitingSeconds)
    }

    /// Opens the file of a lock, making it when it is not there.
    static func file(_ path: String) throws -> DiskFile {
        try DiskFile(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
    }

    /// Takes the lock of a folder that is there, which takes no file of its own, or waits for it.
    /// - Returns: nil when somebody held it for all the time.
    convenience init?(folder path: String, waitingSeconds: Double) throws {
        try self.init(
            DiskFile(path, flags: O_RDONLY | O_DIRECTORY),
            waitingSeconds: waitingSeconds
        )
    }

    /// Takes the lock of what is open, or waits for it.
    /// - Parameter byte: which of its locks, where it has one for each byte, there or not.
    /// - Returns: nil when somebody held it for all the time.
    init?(_ file: DiskFile, at byte: Int64? = nil, waitingSeconds: Double) throws {
        self.file = file
        self.byte = byte
        let end = Self.end(after: waitingSeconds)
        while Self.change(file, byte, F_WRLCK) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw DiskFailure(file.path) }
            guard SuspendingClock.now < end else { return nil }
            usleep(20_000)
        }
    }

    /// Takes the lock of what is open, or waits for it without holding a thread.
    /// - Returns: nil when somebody held it for all the time.
    static func waiting(
        for file: DiskFile,
        at byte: Int64? = nil,
        seconds: Double
    ) async throws -> LockFile? {
        let end = Self.end(after: seconds)
        while true {
            if let lock = try LockFile(file, at: byte, waitingSeconds: 0) { return lock }
            guard SuspendingClock.now < end else { return nil }
            // What wakes a task is another thread.
            guard OpenFiles.allowThreads else {
                return try LockFile(file, at: byte, waitingSeconds: seconds)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// By the clock: where many processes wait for their turn, a nap takes far longer than it was to.
    private static func end(after seconds: Double) -> SuspendingClock.Instant {
        SuspendingClock.now + .seconds(seconds)
    }

    /// Whether a path leads to what is locked, which may have been removed before it was locked.
    func isAt(_ path: String) throws -> Bool {
        let locked = try file.status()
        do {
            let there = try Disk.status(path, followLinks: true)
            return locked.st_dev == there.st_dev && locked.st_ino == there.st_ino
        } catch let failure as DiskFailure where failure.code == ENOENT {
            return false
        }
    }

    // A child of this process that has not begun its program yet has the descriptor too, and would hold the
    // lock after it was closed here.
    deinit { _ = Self.change(file, byte, F_UNLCK) }

    /// Whether a file is on a file system without locks, as on NFS where nobody serves them.
    ///
    /// It is to be none that SQLite locks: at the end here this process loses all its locks of it.
    static func areMissing(at path: String) -> Bool {
        guard let file = try? DiskFile(path, flags: O_RDONLY | O_NOFOLLOW) else { return false }
        return change(file, 0, F_RDLCK) != 0 && errno == ENOLCK
    }

    /// - Parameter type: of a lock of a byte; a whole file is locked for this process alone.
    private static func change(_ file: DiskFile, _ byte: Int64?, _ type: Int32) -> Int32 {
        guard let byte else {
            return flock(file.descriptor, type == F_UNLCK ? LOCK_UN : LOCK_EX | LOCK_NB)
        }
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(byte)
        range.l_len = 1
        // F_OFD_SETLK of the kernel's `asm-generic/fcntl.h`: held by what is open, as the other one is.
        return fcntl(file.descriptor, 37, &range)
    }
}
