import Glibc
import LockbookCrypto

extension ExportPlace {
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
}
