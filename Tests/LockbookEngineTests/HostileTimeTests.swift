import LockbookModel
import Testing

@testable import LockbookEngine

/// Times that somebody wrote into a record, or that a disk has, far from any clock's.
struct HostileTimeTests {
    private static let times: [Int64] = [
        .min, .min + 807, .min + 808, -1_001, -1_000, -1, 0, 999, 1_000, .max - 1, .max,
    ]

    @Test(arguments: times)
    func `a time has seconds and milliseconds, whatever it is`(milliseconds: Int64) {
        let (whole, part) = Timestamp(milliseconds: milliseconds).seconds
        #expect(0..<1_000 ~= part)
        #expect(whole &* 1_000 &+ part == milliseconds)
        _ = ExportPlace.Style(mode: 0o600, modified: Timestamp(milliseconds: milliseconds))
        for format in [ArchiveFormat.tar, .zip] {
            let entry = ArchiveEntry(
                path: "a.md",
                isFolder: false,
                size: 0,
                modified: Timestamp(milliseconds: milliseconds),
                isExecutable: false
            )
            var writer: any ArchiveWriter = format == .tar ? TarWriter() : ZipWriter()
            #expect(!writer.begin(entry, checksum: 0).isEmpty)
        }
    }

    @Test func `a time of a disk that no clock has is the last one there is`() {
        #expect(Timestamp(seconds: .max).milliseconds == .max)
        #expect(Timestamp(seconds: .min).milliseconds == .min)
        #expect(Timestamp(seconds: .max / 1_000, nanoseconds: 999_999_999).milliseconds == .max)
        #expect(Timestamp(seconds: -2, nanoseconds: 5_000_000).milliseconds == -1_995)
    }
}
