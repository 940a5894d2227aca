import LockbookModel
import Testing

@testable import LockbookEngine

struct ZipWriterTests {
    private func entry(_ path: String, size: UInt64) -> ArchiveEntry {
        ArchiveEntry(
            path: path,
            isFolder: false,
            size: size,
            modified: Timestamp(milliseconds: 1_709_210_096_789),
            isExecutable: false
        )
    }

    private func has(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    private func number(_ value: UInt64) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    @Test func `sizes and places beyond 4 GiB stand in 64 bits`() {
        var writer = ZipWriter()
        let size: UInt64 = 5 << 30
        let first = writer.begin(entry("large", size: size), checksum: 1)
        #expect(has(first, [1, 0, 16, 0] + number(size) + number(size)))
        _ = writer.begin(entry("behind", size: 3), checksum: 2)
        let end = writer.finish()
        let place = UInt64(first.count) + size
        #expect(has(end, [1, 0, 8, 0] + number(place)))
        #expect(has(end, [0x50, 0x4b, 6, 6]))
        #expect(has(end, [0x50, 0x4b, 6, 7]))
    }

    @Test func `small archives have no 64-bit records`() {
        var writer = ZipWriter()
        _ = writer.begin(entry("small", size: 3), checksum: 1)
        #expect(!has(writer.finish(), [0x50, 0x4b, 6, 6]))
    }

    @Test func `the checksum is that of the standard`() {
        var checksum = CRC32()
        checksum.update(Array("12345".utf8))
        checksum.update(Array("6789".utf8))
        #expect(checksum.value == 0xcbf4_3926)
    }

    @Test(
        arguments: [
            (0, 1980, 1, 1, 0, 0, 0), (1_709_210_096, 2024, 2, 29, 12, 34, 56),
            (951_868_799, 2000, 2, 29, 23, 59, 58), (978_307_200, 2001, 1, 1, 0, 0, 0),
            (9_999_999_999, 2107, 12, 31, 23, 59, 58),
        ]
    ) func `a time is a date in UTC`(
        seconds: Int64,
        year: UInt16,
        month: UInt16,
        day: UInt16,
        hour: UInt16,
        minute: UInt16,
        second: UInt16
    ) {
        let (time, date) = ZipWriter.dosTime(seconds)
        #expect(date == (year - 1980) << 9 | month << 5 | day)
        #expect(time == hour << 11 | minute << 5 | second / 2)
    }
}
