import Glibc
import LockbookProcess
import LockbookServer

/// What the program asks of the operating system.
enum Process {
    /// Settings that hold for the whole process.
    static func prepare() {
        // Every file that is made here, SQLite's among them, is for its owner alone.
        umask(0o077)
    }

    /// Whether who started it means that the end of the terminal ends nothing, as nohup does.
    static var ignoresHangUp: Bool {
        // What holds is told only to who sets it, the same way on every system.
        let before = signal(SIGHUP, SIG_IGN)
        guard unsafeBitCast(before, to: Int.self) != 1 else { return true }
        signal(SIGHUP, before)
        return false
    }

    /// Sees that a server's threads can be made, before one is waited for that is not.
    static func needThreads() throws {
        guard RoomForThreads.isThere(for: RoomForThreads.ofServer) else {
            throw Failure.tooFewThreads
        }
    }

    /// How many connections there may be, under a limit on open files that is raised for them.
    ///
    /// Where they took all of it, nothing that is kept could be read, and the runtime, which opens something at
    /// any time, would end the process.
    static func connectionCount() throws -> Int {
        // The database, contents that are read and written, and the loops of each core.
        let others = 128 + 8 * sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let most = ServerApplication.maximumConnectionCount
        let count = min(most, DescriptorLimit.raise(to: most + others) - others)
        guard count > 0 else { throw Failure.tooFewFiles }
        return count
    }

    /// Below the XDG data directory.
    static var defaultDataFolder: String? {
        get throws {
            if let data = try variable("XDG_DATA_HOME"), data.hasPrefix("/") {
                return "\(data)/lockbook-server"
            }
            return try variable("HOME").map { "\($0)/.local/share/lockbook-server" }
        }
    }

    private static func variable(_ name: String) throws -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        guard let text = String(validatingCString: value) else { throw Failure(notUTF8: name) }
        return text
    }

    /// Fills the standard streams that are closed, so that nothing of the data folder takes their
    /// place: what is announced would be written into it.
    ///
    /// What fills them refuses every write, since it is open for reading.
    static func fillStreams() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is given out, and those below are open by now.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Writes a line to stdout at once, whatever stdout is.
    /// - Returns: an error number; nil when all of the line was written.
    static func announce(_ line: String) -> Int32? {
        write(line, to: STDOUT_FILENO)
    }

    static func warn(_ line: String) {
        _ = write(line, to: STDERR_FILENO)
    }

    private static func write(_ line: String, to descriptor: Int32) -> Int32? {
        var bytes = Array("\(line)\n".utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress, raw.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }
}
