import GRDB
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Paths of folders that stand so deep that not all of them have their place in memory.
struct FolderPathsTests {
    private static let depth = 3_000

    private func id(_ number: Int) throws -> FileID {
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes[14] = UInt8(number >> 8)
        bytes[15] = UInt8(number & 0xff)
        return try #require(FileID(bytes))
    }

    @Test func `paths deep down are made of those above, in whatever order they are asked for`()
        async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        let folders = String(repeating: "/d", count: Self.depth)
        try laptop.write(folders + "/x.md", "x")

        try laptop.lockbook.store.read { tree in
            // Less than half of what the paths of all of them take.
            tree.folderPaths = FolderPaths(mostBytes: 4 << 20)
            let rows = try tree.changedRows().filter { $0.id != tree.root }
                .sorted { $0.id < $1.id }
            #expect(rows.count == Self.depth + 1)
            var lookups = 0
            tree.db.trace { _ in lookups += 1 }
            defer { tree.db.trace() }
            var lengths: Set<Int> = []
            for row in rows {
                let path = try tree.path(of: row)
                #expect(folders.hasPrefix(path) || row.type == .document)
                lengths.insert(path.utf8.count)
            }
            // A walk to the root for each would be half a chain long.
            #expect(lookups < rows.count * 40)
            #expect(lengths.count == rows.count)
        }
    }

    @Test func `what stands deeper than anybody reads is given up after a short walk`() async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        try laptop.write(String(repeating: "/d", count: Self.depth) + "/x.md", "x")

        try laptop.lockbook.store.read { tree in
            let rows = try tree.changedRows().filter { $0.id != tree.root }
                .sorted { $0.id < $1.id }
            var lookups = 0
            tree.db.trace { _ in lookups += 1 }
            defer { tree.db.trace() }
            let shown = try rows.map { try tree.shownPath(of: $0.id) }
            #expect(lookups < rows.count * 20)
            #expect(shown.count { $0.hasPrefix("/") } == 512)
            #expect(shown.count { $0.hasPrefix("id:") } == rows.count - 512)
        }
    }

    @Test func `a chain of folders has its place however little that is`() throws {
        var paths = FolderPaths(mostBytes: 64 << 10)
        var path = ""
        var ids: [FileID] = []
        for depth in 1...1_000 {
            path += "/name"
            ids.append(try id(depth))
            paths.keep(path, of: ids[depth - 1], at: depth)
        }
        let kept = ids.indices.filter { paths[ids[$0]] != nil }
        // Near the root each one.
        #expect(kept.starts(with: 0..<50))
        let gaps = zip(kept, kept.dropFirst()).map { $1 - $0 }
        let widest = try #require(gaps.max())
        #expect(widest <= 512)
        #expect(paths[ids[0]]?.path == "/name")
        #expect(paths[ids[49]]?.depth == 50)
    }

    @Test func `when the memory is full it is begun anew`() throws {
        var paths = FolderPaths(mostBytes: 100)
        let (first, second) = (try id(1), try id(2))
        paths.keep("/" + String(repeating: "a", count: 59), of: first, at: 0)
        paths.keep("/" + String(repeating: "b", count: 59), of: second, at: 0)
        #expect(paths[first] == nil)
        #expect(paths[second]?.path.utf8.count == 60)
        // The same once more takes no more room.
        for _ in 0..<9 { paths.keep("/" + String(repeating: "b", count: 39), of: second, at: 0) }
        paths.keep("/" + String(repeating: "a", count: 39), of: first, at: 0)
        #expect(paths[second] != nil)
    }
}
