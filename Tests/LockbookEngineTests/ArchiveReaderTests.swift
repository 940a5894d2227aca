import Testing

@testable import LockbookEngine

struct ArchiveReaderTests {
    @Test(arguments: [0, 1 << 20, Int.max / 100, Int.max])
    func `what may come out of an archive can be counted, whatever its size`(size: Int) {
        let most = ArchiveReader.mostBytes(of: size)
        #expect(most - ArchiveReader.freeByteCount == min(size, Int.max / 200) * 100)
    }
}
