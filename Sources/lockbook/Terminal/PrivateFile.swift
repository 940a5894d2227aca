import Glibc

/// Files that only this user may read, in a folder where others of his programs leave what they want.
///
/// What cannot be written or read is thrown as `CommandError.privateFolder`.
enum PrivateFile {
    /// Writes a file that is not there yet.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CommandError.privateFolder(reason: Terminal.reason(errno)) }
        defer { close(file) }
        if let problem = Terminal.write(bytes, to: file) {
            throw CommandError.privateFolder(reason: Terminal.reason(problem))
        }
    }

    static func contents(of path: String) throws -> [UInt8] {
        // Of a pipe nobody waits for who writes into it.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw CommandError.privateFolder(reason: Terminal.reason(errno)) }
        defer { close(file) }
        var facts = stat()
        if fstat(file, &facts) == 0, let kind = kind(facts) {
            throw CommandError.privateFolder(reason: "\(kind) is at \(path)")
        }
        return try contents(of: file)
    }

    static func facts(of path: String) throws -> stat {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            throw CommandError.privateFolder(reason: Terminal.reason(errno))
        }
        return facts
    }

    /// What something is called that is no file; nil for a file.
    static func kind(_ facts: stat) -> String? {
        switch facts.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    static func contents(of file: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while let piece = try StandardInput.read(from: file) { bytes += piece }
        } catch CommandError.input(let reason) {
            throw CommandError.privateFolder(reason: reason)
        }
        return bytes
    }
}
