import LockbookCrypto
import LockbookModel
import LockbookTestSupport
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

    @Test func `what two imports at once learn is known when one of them is killed`() async throws {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let store = laptop.lockbook.store
        func ledger() throws -> ForeignLedger {
            try store.read { try ForeignLedger(.bear, at: [FileName("in")], nil, in: $0) }
        }
        func learn(_ id: String, _ ledger: inout ForeignLedger) throws {
            let known = ledger
            let mark = ForeignMark(id: id, path: [try FileName(id)], before: nil)
            let news = known.news(of: mark, nil, Hash256(sha256: []))
            try store.write { try known.put(news, in: $0) }
            ledger.learn(news)
        }
        var (killed, other) = (try ledger(), try ledger())
        try learn("a", &killed)
        try learn("b", &killed)
        try learn("c", &other)
        #expect(try ledger().memory.items.keys.sorted() == ["a", "b", "c"])
        let ended = other
        try store.write { try ended.keep(in: $0) }
        try learn("d", &killed)
        #expect(try ledger().memory.items.keys.sorted() == ["a", "b", "c", "d"])
    }
}
