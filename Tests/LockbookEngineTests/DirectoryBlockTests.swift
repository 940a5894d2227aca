import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookEngine

/// Blocks that an earlier version wrote are read, and written anew in the form of now.
struct DirectoryBlockTests {
    private let id = FileID([UInt8](repeating: 7, count: 16))
    private let key = ContentKey([UInt8](repeating: 3, count: 32))
    private let version = VersionID([UInt8](repeating: 5, count: 16))

    /// Two children, a folder and a document, in the first format.
    private func first() throws -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: 512)
        encoder.append(UInt8(1))
        encoder.append(UInt32(2))
        for (name, type) in [("days", FileType.folder), ("plan.md", .document)] {
            encoder.append(fixed: try #require(id).bytes)
            encoder.append(type.rawValue)
            encoder.append(Int64(1_000))
            encoder.append(false)
            encoder.append(false)
            encoder.append(counted: name.utf8)
            encoder.append(type == .document)
            guard type == .document else { continue }
            encoder.append(fixed: try #require(version).bytes)
            encoder.append(fixed: try #require(key).bytes)
            encoder.append(Hash256(label: "digest", []))
            encoder.append(UInt64(20))
            encoder.append(ContentCompression.none.rawValue)
            encoder.append(Hash256(label: "blob", []))
            encoder.append(UInt64(100))
        }
        return encoder.bytes
    }

    private func names(in bytes: [UInt8]) throws -> [String] {
        var names: [String] = []
        try DirectoryBlock.visitNames(in: bytes) { name, type, _ in
            names.append(String(decoding: name, as: UTF8.self) + (type == .folder ? "/" : ""))
        }
        return names
    }

    @Test func `a block of the first format is read without chunk keys`() throws {
        let block = try DirectoryBlock(decoding: try first())
        #expect(block.entries.map(\.name.text) == ["days", "plan.md"])
        #expect(block.entries.map(\.size) == [0, 20])
        #expect(block.entries.allSatisfy { $0.chunkKey == nil })
        #expect(try names(in: try first()) == ["days/", "plan.md"])
    }

    @Test func `a listing has the sizes of contents alone`() throws {
        var block = try DirectoryBlock(decoding: try first())
        let chunkKey = try #require(key).chunkKey(compression: .none, bound: [1, 2, 3])
        for known in [nil, chunkKey] {
            block.entries[1].chunkKey = known
            let bytes = block.encoded()
            let listed = try DirectoryBlock(decoding: bytes, contents: false).entries
            #expect(listed.map(\.name.text) == ["days", "plan.md"])
            #expect(listed.map(\.size) == [0, 20])
            #expect(listed.allSatisfy { $0.content == nil && $0.chunkKey == nil })
            for length in 0..<bytes.count {
                #expect(throws: (any Error).self) {
                    _ = try DirectoryBlock(decoding: Array(bytes.prefix(length)), contents: false)
                }
            }
        }
    }

    @Test func `what is written has the chunk keys that are known`() throws {
        var block = try DirectoryBlock(decoding: try first())
        #expect(block.encoded().first == 2)
        #expect(try DirectoryBlock(decoding: block.encoded()).entries == block.entries)
        let key = try #require(key)
        block.entries[1].chunkKey = key.chunkKey(compression: .none, bound: [1, 2, 3])
        let bytes = block.encoded()
        #expect(try DirectoryBlock(decoding: bytes).entries == block.entries)
        #expect(try names(in: bytes) == ["days/", "plan.md"])
        for length in 0..<bytes.count {
            #expect(throws: (any Error).self) {
                _ = try DirectoryBlock(decoding: Array(bytes.prefix(length)))
            }
        }
        var later = bytes
        later[0] = 3
        #expect(throws: DecodingFailure.unknownFormat(found: 3, known: 2)) {
            _ = try DirectoryBlock(decoding: later)
        }
    }
}
