import Glibc

extension LockFile {
    /// The process that has the lock of a whole file, as far as the kernel tells; nil where it does not,
    /// as of one in another container.
    static func holder(of file: DiskFile) -> pid_t? {
        guard let status = try? file.status(), let locks = try? Disk.contents(of: "/proc/locks")
        else { return nil }
        return holder(
            of: status.st_ino,
            on: status.st_dev,
            in: String(decoding: locks, as: UTF8.self)
        )
    }

    /// - Parameter locks: as `/proc/locks` has them, see proc_locks(5).
    static func holder(of inode: ino_t, on device: dev_t, in locks: String) -> pid_t? {
        // As `major` and `minor` of the C library have them, which are macros.
        let major = (device >> 8 & 0xfff) | (device >> 32 & ~0xfff)
        let minor = (device & 0xff) | (device >> 12 & ~0xff)
        let parts = [major, minor].map { number in
            let digits = String(number, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        let wanted = "\(parts[0]):\(parts[1]):\(inode)"
        for line in locks.split(separator: "\n") {
            // Number, kind, advisory, access, process, file, first and last byte.
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[1] == "FLOCK", fields[5] == wanted,
                let process = pid_t(fields[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }
}
