import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookEngine

/// What is remembered of another program's items.
@Suite struct ForeignMemoryTests {
    private func memory() throws -> ForeignMemory {
        let digest = Hash256(sha256: Array("text".utf8))
        let file = try #require(FileID(hex: "00112233445566778899aabbccddeeff"))
        let names = [try FileName("Work"), try FileName("Plan-1.md")]
        var memory = ForeignMemory()
        memory.items["a"] = ForeignItem(path: [names[0]], file: nil)
        memory.items["b"] = ForeignItem(
            path: names,
            file: ForeignFile(id: file, digest: digest)
        )
        return memory
    }

    @Test func `it is read as it was written`() throws {
        let memory = try memory()
        #expect(try ForeignMemory(decoding: memory.encoded()) == memory)
    }

    @Test func `what was cut off or goes on is no memory`() throws {
        let bytes = try memory().encoded()
        for count in 0..<bytes.count {
            #expect(throws: (any Error).self) {
                _ = try ForeignMemory(decoding: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: (any Error).self) {
            _ = try ForeignMemory(decoding: bytes + [0])
        }
    }
}
