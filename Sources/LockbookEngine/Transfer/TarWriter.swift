import LockbookModel

/// Writes the tape archive of POSIX.1-2017 (`pax`, with `ustar` headers), block by block.
struct TarWriter: ArchiveWriter {
    static let needsChecksum = false
    private static let blockByteCount = 512
    /// The largest number that 11 octal digits hold.
    private static let largest: UInt64 = 0o777_7777_7777

    mutating func begin(_ entry: ArchiveEntry, checksum: UInt32) -> [UInt8] {
        let name = entry.name
        let (seconds, milliseconds) = entry.seconds
        var records: [UInt8] = []
        let place = Self.place(name)
        if place == nil { records += Self.record("path", name) }
        if entry.size > Self.largest { records += Self.record("size", Array("\(entry.size)".utf8)) }
        let fits = seconds >= 0 && UInt64(seconds) <= Self.largest
        if !fits || milliseconds > 0 {
            records += Self.record("mtime", Self.time(entry.modified.milliseconds))
        }
        var bytes: [UInt8] = []
        // Programs that know no extended headers show this in its place.
        let short = place ?? (prefix: [], name: Self.ascii(name))
        let time = fits ? UInt64(seconds) : 0
        if !records.isEmpty {
            bytes += Self.header(
                (prefix: [], name: Array("PaxHeaders/".utf8) + Self.ascii(name).suffix(80)),
                type: UInt8(ascii: "x"),
                mode: 0o600,
                size: UInt64(records.count),
                time: time
            )
            bytes += records
            bytes += Self.padding(UInt64(records.count))
        }
        bytes += Self.header(
            short,
            type: UInt8(ascii: entry.isFolder ? "5" : "0"),
            mode: entry.mode,
            size: entry.size > Self.largest ? 0 : entry.size,
            time: time
        )
        return bytes
    }

    mutating func end(_ entry: ArchiveEntry) -> [UInt8] { Self.padding(entry.size) }

    mutating func finish() -> [UInt8] { [UInt8](repeating: 0, count: 2 * Self.blockByteCount) }

    private static func padding(_ size: UInt64) -> [UInt8] {
        let over = Int(size % UInt64(blockByteCount))
        return [UInt8](repeating: 0, count: over == 0 ? 0 : blockByteCount - over)
    }

    /// The two fields of a header that hold a name between them; nil when they cannot.
    private static func place(_ name: [UInt8]) -> (prefix: [UInt8], name: [UInt8])? {
        guard name.allSatisfy({ $0 < 0x80 }) else { return nil }
        if name.count <= 100 { return ([], name) }
        for index in name.indices.dropLast() where name[index] == UInt8(ascii: "/") {
            if index <= 155, index > 0, name.count - index - 1 <= 100 {
                return (Array(name[..<index]), Array(name[(index + 1)...]))
            }
        }
        return nil
    }

    private static func ascii(_ name: [UInt8]) -> [UInt8] {
        Array(name.map { $0 < 0x80 ? $0 : UInt8(ascii: "_") }.suffix(100))
    }

    /// `LENGTH KEY=VALUE` and a line feed, where the length counts itself.
    private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
        let rest = key.utf8.count + value.count + 3
        var length = rest + 1
        while "\(length)".utf8.count + rest != length { length = "\(length)".utf8.count + rest }
        return Array("\(length) \(key)=".utf8) + value + [UInt8(ascii: "\n")]
    }

    private static func time(_ milliseconds: Int64) -> [UInt8] {
        let size = milliseconds.magnitude
        let part = "\(1_000 + size % 1_000)".dropFirst()
        return Array("\(milliseconds < 0 ? "-" : "")\(size / 1_000).\(part)".utf8)
    }

    private static func header(
        _ place: (prefix: [UInt8], name: [UInt8]),
        type: UInt8,
        mode: UInt32,
        size: UInt64,
        time: UInt64
    ) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockByteCount)
        func put(_ bytes: some Collection<UInt8>, at offset: Int) {
            block.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        /// Octal digits that fill a field but for its last byte.
        func put(_ number: UInt64, digits: Int, at offset: Int) {
            let text = String(number, radix: 8)
            put(String(repeating: "0", count: digits - text.utf8.count).utf8, at: offset)
            put(text.utf8, at: offset + digits - text.utf8.count)
        }
        put(place.name, at: 0)
        put(UInt64(mode), digits: 7, at: 100)
        put(0, digits: 7, at: 108)
        put(0, digits: 7, at: 116)
        put(size, digits: 11, at: 124)
        put(time, digits: 11, at: 136)
        block[156] = type
        put("ustar".utf8, at: 257)
        put("00".utf8, at: 263)
        put(0, digits: 7, at: 329)
        put(0, digits: 7, at: 337)
        put(place.prefix, at: 345)
        // The sum is taken with spaces in its own place.
        put("        ".utf8, at: 148)
        let sum = block.reduce(UInt64(0)) { $0 + UInt64($1) }
        put(sum, digits: 6, at: 148)
        block[154] = 0
        return block
    }
}
