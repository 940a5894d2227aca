import LockbookModel

/// What an archive is.
public enum ArchiveFormat: String, Sendable {
    /// POSIX `ustar`, with `pax` headers where that does not hold a name, a size or a time.
    case tar
    /// Stored, names in UTF-8, with the 64-bit records where they are needed.
    case zip
}

/// What an archive says of one file in front of its bytes.
struct ArchiveEntry: Sendable {
    /// Without a slash at either end.
    let path: String
    let isFolder: Bool
    /// Bytes of content; 0 for a folder.
    let size: UInt64
    let modified: Timestamp
    let isExecutable: Bool

    /// As the format wants it: folders end with a slash.
    var name: [UInt8] { Array(path.utf8) + (isFolder ? [UInt8(ascii: "/")] : []) }

    /// For this user alone.
    var mode: UInt32 { isFolder || isExecutable ? 0o700 : 0o600 }

    var seconds: (whole: Int64, milliseconds: Int64) { modified.seconds }
}

/// The bytes of a format around those of the contents.
protocol ArchiveWriter: Sendable {
    /// Whether `begin` needs the CRC-32 of a content.
    static var needsChecksum: Bool { get }

    /// What stands in front of a content, whose bytes follow as they are.
    mutating func begin(_ entry: ArchiveEntry, checksum: UInt32) -> [UInt8]

    /// What stands behind it.
    mutating func end(_ entry: ArchiveEntry) -> [UInt8]

    /// What ends the archive.
    mutating func finish() -> [UInt8]
}
