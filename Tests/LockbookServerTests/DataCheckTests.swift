import Foundation
import GRDB
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// What an operator is told of whose disk failed.
struct DataCheckTests {
    private let server: TestServer
    private let ada: TestPerson
    private let bob: TestPerson
    /// In a row.
    private let small = [UInt8](repeating: 1, count: 5_000)
    /// In a file.
    private let large = [UInt8](repeating: 2, count: 2_500_000)

    init() async throws {
        server = try TestServer()
        var (ada, bob) = (try TestPerson("ada", seed: 1), try TestPerson("bob", seed: 2))
        try await ada.register(at: server)
        try await bob.register(at: server)
        (self.ada, self.bob) = (ada, bob)
        for byte in 3..<10 as Range<UInt8> {
            try await ada.stage([], blobs: [small, content(byte)], at: server)
            try await bob.stage([], blobs: [small, content(byte)], at: server)
        }
        let names = [BlobName(of: large)]
        try server.folder.blobs.put([(names[0], large)], of: bob.account)
        let owner = bob.account
        let segments = stride(from: 0, to: large.count, by: 1 << 20).map {
            Hash256(sha256: large[$0..<min($0 + 1 << 20, large.count)])
        }
        let blob = NewBlob(
            name: names[0],
            size: UInt64(large.count),
            place: .file(segments: segments)
        )
        try await server.folder.store.write { store in
            let key = try #require(try store.account(id: owner)).key
            try store.insert([blob], of: key, at: 7)
        }
    }

    private func content(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 100_000) }

    private func place(of blob: [UInt8], _ owner: TestPerson) -> String {
        let name = BlobName(of: blob).description
        return "blobs/\(owner.account.description.prefix(32))/\(name.prefix(2))/\(name)"
    }

    private func found() async throws -> [String] {
        var found: [String] = []
        _ = try await DataCheck(path: server.path).run { found.append("\($0)") }
        return found
    }

    @Test func `what is whole is all counted, and nothing told of it`() async throws {
        var found: [String] = []
        let count = try await DataCheck(path: server.path).run { found.append("\($0)") }
        #expect(count == 17)
        #expect(found == [])
    }

    @Test(arguments: DamagedFileTests.Harm.allCases)
    func `a file that cannot be read whole is named, by its place`(_ harm: DamagedFileTests.Harm)
        async throws
    {
        for (blob, owner) in [(large, bob), (content(4), ada)] {
            try harm.happen(to: "\(server.path)/\(place(of: blob, owner))")
        }
        let expected = [place(of: content(4), ada), place(of: large, bob)]
        #expect(try await found() == expected.map { "\($0): \(harm.reason)" })
    }

    @Test(arguments: [0, 1 << 20, 2_499_999])
    func `a file of the right length with other bytes is named as well`(at offset: Int)
        async throws
    {
        var bytes = large
        bytes[offset] ^= 1
        let place = place(of: large, bob)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(server.path)/\(place)"))
        let segment = offset / (1 << 20) * (1 << 20)
        #expect(try await found() == ["\(place): it has other bytes after \(segment)"])
    }

    @Test func `a row with other bytes is named`() async throws {
        let name = BlobName(of: small)
        let database = try DatabaseQueue(path: server.path + "/server.sqlite")
        var bytes = small
        bytes[4_000] ^= 1
        try await database.write { [bytes] database in
            try database.execute(
                sql: "UPDATE blob SET bytes = ? WHERE name = ? AND owner = 1",
                arguments: [Data(bytes), Data(name.hash.bytes)]
            )
        }
        #expect(try await found() == ["server.sqlite: the content \(name) has other bytes"])
    }

    @Test(arguments: ["NULL", "x'00'"])
    func `a row that does not say what is in its file is named`(segments: String) async throws {
        let name = BlobName(of: large)
        let database = try DatabaseQueue(path: server.path + "/server.sqlite")
        try await database.write { database in
            try database.execute(
                sql: "UPDATE blob SET segments = \(segments) WHERE name = ?",
                arguments: [Data(name.hash.bytes)]
            )
        }
        let reason = "the row of the content \(name) does not say what is in it"
        #expect(try await found() == ["server.sqlite: \(reason)"])
    }

    @Test func `what is in the way of nothing that is kept is told of`() async throws {
        let files = FileManager.default
        let owner = ada.account.description.prefix(32)
        let name = BlobName(of: large)
        for place in [place(of: large, ada), "blobs/uploads/\(owner)-\(name)"] {
            try files.createDirectory(
                atPath: "\(server.path)/\(place)",
                withIntermediateDirectories: true
            )
        }
        let reason = "a folder is in the place of a file"
        #expect(
            try await found() == [
                "blobs/uploads/\(owner)-\(name): \(reason)", "\(place(of: large, ada)): \(reason)",
            ]
        )
    }

    @Test func `a database that is damaged is told of`() async throws {
        let path = server.path + "/server.sqlite"
        let database = try DatabaseQueue(path: path)
        let root = try await database.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'record'")
        }
        let page = try #require(root)
        try database.close()
        try server.folder.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(page - 1) * 4_096)
        try file.write(contentsOf: Data(count: 4_096))
        try file.close()
        let found = try await self.found()
        #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("server.sqlite: ") })
    }

    @Test(arguments: [nil, Data(), Data(count: 8_192)] as [Data?])
    func `a database of which nothing is left is told of`(left: Data?) async throws {
        try server.folder.close()
        let path = server.path + "/server.sqlite"
        try FileManager.default.removeItem(atPath: path)
        if let left { try left.write(to: URL(fileURLWithPath: path)) }
        let found = try await self.found()
        #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("server.sqlite: ") })
        #expect(FileManager.default.contents(atPath: path) == left)
    }

    @Test(arguments: [true, false])
    func `nothing is left beside a database that no server uses`(isBackup: Bool) async throws {
        try server.folder.close()
        let files = FileManager.default
        for name in ["server.sqlite-wal", "server.sqlite-shm"] + (isBackup ? ["lock"] : [])
        where files.fileExists(atPath: "\(server.path)/\(name)") {
            try files.removeItem(atPath: "\(server.path)/\(name)")
        }
        let before = try files.contentsOfDirectory(atPath: server.path).sorted()
        #expect(try await found() == [])
        #expect(try files.contentsOfDirectory(atPath: server.path).sorted() == before)
    }

    @Test func `a folder that no server has used is told apart, and nothing is made in it`()
        async throws
    {
        let path = server.path + "/nowhere"
        await #expect(throws: SystemFailure.self) { try await DataCheck(path: path).run { _ in } }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
