import LockbookModel

/// Writes a ZIP archive (APPNOTE 6.3) of stored files; sizes and checksums stand in front of the
/// contents, so that it can be read from a pipe, too.
///
/// What the directory at the end needs of each file is kept until then, some 100 bytes.
struct ZipWriter: ArchiveWriter {
    static let needsChecksum = true
    private static let limit32: UInt64 = 0xffff_ffff
    private static let limit16 = 0xffff
    /// Bytes of the longest path of a folder, below a top of any name, in which any name has room.
    ///
    /// The archive counts those of a whole path in 16 bits.
    static let longestFolder = limit16 - 2 * (FileName.maximumByteCount + 1)

    private var directory: [UInt8] = []
    private var count = 0
    private var offset: UInt64 = 0

    /// Why nothing of a name is written; nil for most names.
    ///
    /// Windows takes `\` for a slash, and a letter with a colon for a drive: what an archive calls so is
    /// put elsewhere by programs that trust it.
    /// - Parameter isFirst: whether the path in the archive begins with it.
    static func obstacle(to name: FileName, isFirst: Bool) -> String? {
        let bytes = Array(name.text.utf8)
        let isLetter = bytes.first.map { Unicode.Scalar($0).properties.isAlphabetic } ?? false
        let isDrive = isFirst && isLetter && bytes.dropFirst().first == UInt8(ascii: ":")
        guard isDrive || bytes.contains(UInt8(ascii: "\\")) else { return nil }
        return "in a zip it would lead elsewhere on Windows; `--format tar` takes it"
    }

    mutating func begin(_ entry: ArchiveEntry, checksum: UInt32) -> [UInt8] {
        let name = entry.name
        let isLarge = entry.size >= Self.limit32
        var extra = Self.timeField(entry)
        if isLarge {
            extra.append16(1)
            extra.append16(16)
            extra.append64(entry.size)
            extra.append64(entry.size)
        }
        var bytes: [UInt8] = []
        bytes.append32(0x0403_4b50)
        let shared = Self.shared(
            entry,
            checksum: checksum,
            needs64: isLarge,
            nameByteCount: name.count,
            extraByteCount: extra.count
        )
        bytes += shared
        bytes += name
        bytes += extra
        addToDirectory(entry, checksum: checksum, name: name)
        offset += UInt64(bytes.count) + entry.size
        return bytes
    }

    mutating func end(_ entry: ArchiveEntry) -> [UInt8] { [] }

    private mutating func addToDirectory(_ entry: ArchiveEntry, checksum: UInt32, name: [UInt8]) {
        let isLarge = entry.size >= Self.limit32
        let isFar = offset >= Self.limit32
        var extra = Self.timeField(entry)
        if isLarge || isFar {
            extra.append16(1)
            extra.append16(UInt16((isLarge ? 16 : 0) + (isFar ? 8 : 0)))
            if isLarge {
                extra.append64(entry.size)
                extra.append64(entry.size)
            }
            if isFar { extra.append64(offset) }
        }
        directory.append32(0x0201_4b50)
        // Written as on Unix, by version 4.5: the upper half of the attributes is a mode.
        directory.append16(3 << 8 | 45)
        directory += Self.shared(
            entry,
            checksum: checksum,
            needs64: isLarge || isFar,
            nameByteCount: name.count,
            extraByteCount: extra.count
        )
        directory.append16(0)
        directory.append16(0)
        directory.append16(0)
        directory.append32(
            (entry.isFolder ? 0o040000 : 0o100000) << 16 | entry.mode << 16
                | (entry.isFolder ? 0x10 : 0)
        )
        directory.append32(UInt32(min(offset, Self.limit32)))
        directory += name
        directory += extra
        count += 1
    }

    mutating func finish() -> [UInt8] {
        let start = offset
        let size = UInt64(directory.count)
        var bytes = directory
        if count >= Self.limit16 || start >= Self.limit32 || size >= Self.limit32 {
            bytes.append32(0x0606_4b50)
            bytes.append64(44)
            bytes.append16(3 << 8 | 45)
            bytes.append16(45)
            bytes.append32(0)
            bytes.append32(0)
            bytes.append64(UInt64(count))
            bytes.append64(UInt64(count))
            bytes.append64(size)
            bytes.append64(start)
            bytes.append32(0x0706_4b50)
            bytes.append32(0)
            bytes.append64(start + size)
            bytes.append32(1)
        }
        bytes.append32(0x0605_4b50)
        bytes.append16(0)
        bytes.append16(0)
        bytes.append16(UInt16(min(count, Self.limit16)))
        bytes.append16(UInt16(min(count, Self.limit16)))
        bytes.append32(UInt32(min(size, Self.limit32)))
        bytes.append32(UInt32(min(start, Self.limit32)))
        bytes.append16(0)
        return bytes
    }

    /// What stands alike in front of a content and in the directory.
    private static func shared(
        _ entry: ArchiveEntry,
        checksum: UInt32,
        needs64: Bool,
        nameByteCount: Int,
        extraByteCount: Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append16(needs64 ? 45 : 20)
        // The name is UTF-8.
        bytes.append16(1 << 11)
        bytes.append16(0)
        let (time, date) = dosTime(entry.seconds.whole)
        bytes.append16(time)
        bytes.append16(date)
        bytes.append32(checksum)
        bytes.append32(UInt32(min(entry.size, limit32)))
        bytes.append32(UInt32(min(entry.size, limit32)))
        bytes.append16(UInt16(nameByteCount))
        bytes.append16(UInt16(extraByteCount))
        return bytes
    }

    /// The time to the second and in UTC, as all programs but the oldest read it.
    private static func timeField(_ entry: ArchiveEntry) -> [UInt8] {
        guard let seconds = Int32(exactly: entry.seconds.whole) else { return [] }
        var bytes: [UInt8] = []
        bytes.append16(0x5455)
        bytes.append16(5)
        bytes.append(1)
        bytes.append32(UInt32(bitPattern: seconds))
        return bytes
    }

    /// In UTC, so that an archive does not tell where it was made; from 1980 to 2107.
    static func dosTime(_ seconds: Int64) -> (time: UInt16, date: UInt16) {
        // 1980-01-01 and the last even second of 2107.
        let seconds = min(max(seconds, 315_532_800), 4_354_819_198)
        let days = seconds / 86_400
        let rest = seconds % 86_400
        // Days to a date, counted in eras of 400 years that begin on the first of March.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let day = shifted % 146_097
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let ofYear = day - (365 * year + year / 4 - year / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let ofMonth = ofYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let full = year + era * 400 + (month <= 2 ? 1 : 0)
        let date = UInt16(full - 1980) << 9 | UInt16(month) << 5 | UInt16(ofMonth)
        let time = UInt16(rest / 3_600) << 11 | UInt16(rest / 60 % 60) << 5 | UInt16(rest % 60 / 2)
        return (time, date)
    }
}

/// Little-endian numbers.
extension [UInt8] {
    fileprivate mutating func append16(_ value: UInt16) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append32(_ value: UInt32) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append64(_ value: UInt64) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
