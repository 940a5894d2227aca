import Foundation
import GRDB
import LockbookServer
import Testing

struct DataFolderTests {
    private let path = FileManager.default.temporaryDirectory
        .appending(path: "lockbook-folder-\(UUID().uuidString)").path

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `the folder is its owner's alone`() throws {
        let folder = try DataFolder(path: path)
        #expect(try mode("") == 0o700)
        for name in ["/lock", "/server.sqlite", "/server.sqlite-wal"] {
            #expect(try mode(name) == 0o600)
        }
        try folder.close()
    }

    @Test(arguments: [false, true])
    func `a folder that holds something else keeps its mode`(holdsElse: Bool) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        if holdsElse { try Data().write(to: URL(fileURLWithPath: path + "/else")) }
        for _ in 0..<2 {
            try DataFolder(path: path).close()
            #expect(try mode("") == (holdsElse ? 0o755 : 0o700))
            #expect(try mode("/server.sqlite") == 0o600)
            #expect(try mode("/blobs") == 0o700)
        }
    }

    @Test(arguments: [0o777, 0o775])
    func `a folder of others is none for a server`(permissions: Int) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        defer { try? files.removeItem(atPath: path) }
        try Data().write(to: URL(fileURLWithPath: path + "/else"))
        try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        #expect(throws: OthersFolder.self) { try DataFolder(path: path) }
        #expect(try mode("") == permissions)
        #expect(try files.contentsOfDirectory(atPath: path) == ["else"])
    }

    @Test func `what is no folder keeps its mode`() throws {
        let files = FileManager.default
        try Data().write(to: URL(fileURLWithPath: path))
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        defer { try? files.removeItem(atPath: path) }
        #expect(throws: SystemFailure.self) { try DataFolder(path: path) }
        #expect(try mode("") == 0o644)
    }

    @Test func `two servers do not share a folder`() throws {
        let folder = try DataFolder(path: path)
        #expect(throws: StoreFailure.inUse) { try DataFolder(path: path) }
        try folder.close()
        try DataFolder(path: path).close()
    }

    @Test func `a folder is let go of once, however often it is closed`() throws {
        let folder = try DataFolder(path: path)
        try folder.close()
        // The second close must not let go of what this one holds by the same number.
        let next = try DataFolder(path: path)
        try folder.close()
        #expect(throws: StoreFailure.inUse) { try DataFolder(path: path) }
        try next.close()
        try next.close()
        try DataFolder(path: path).close()
    }

    @Test func `a folder of a newer version is left alone`() throws {
        try DataFolder(path: path).close()
        let queue = try DatabaseQueue(path: path + "/server.sqlite")
        try queue.write { try $0.execute(sql: "PRAGMA user_version = 2") }
        try queue.close()
        #expect(throws: StoreFailure.newer(found: 2, known: 1)) { try DataFolder(path: path) }
        #expect(throws: StoreFailure.newer(found: 2, known: 1)) { try DataFolder(path: path) }
    }

    @Test func `what is no database any more is to be put back`() throws {
        try DataFolder(path: path).close()
        let bytes = Data(repeating: 7, count: 5_000)
        try bytes.write(to: URL(fileURLWithPath: path + "/server.sqlite"))
        for _ in 0..<2 {
            #expect(throws: StoreFailure.damaged) { try DataFolder(path: path) }
        }
    }

    @Test(arguments: [nil, Data()] as [Data?])
    func `no new database is begun beside the contents of a lost one`(left: Data?) throws {
        let files = FileManager.default
        try DataFolder(path: path).close()
        let content = "\(path)/blobs/\(String(repeating: "a", count: 32))/ab/abcd"
        try files.createDirectory(atPath: content, withIntermediateDirectories: true)
        let database = path + "/server.sqlite"
        try files.removeItem(atPath: database)
        if let left { try left.write(to: URL(fileURLWithPath: database)) }
        for _ in 0..<2 {
            #expect(throws: StoreFailure.lostDatabase) { try DataFolder(path: path) }
            #expect(files.contents(atPath: database) == left)
        }
        try files.moveItem(atPath: path + "/blobs", toPath: path + "/away")
        try DataFolder(path: path).close()
    }

    /// Else a server whose disk is full could not be started.
    @Test func `a start writes nothing to a database that is up to date`() throws {
        let files = FileManager.default
        let log = path + "/server.sqlite-wal"
        try DataFolder(path: path).close()
        for _ in 0..<2 {
            let before = files.contents(atPath: log)
            let folder = try DataFolder(path: path)
            #expect(files.contents(atPath: log) == before)
            try folder.close()
        }
    }

    @Test func `a first start that was killed before there was a database is begun again`() throws {
        try FileManager.default.createDirectory(
            atPath: path + "/blobs/uploads",
            withIntermediateDirectories: true
        )
        try Data().write(to: URL(fileURLWithPath: path + "/server.sqlite"))
        try DataFolder(path: path).close()
    }

    @Test(arguments: [
        ("127.0.0.1:7654", true), ("localhost:0", true), ("[::1]:80", true),
        ("0.0.0.0:80", false), ("127.0.0.1.example.org:80", false), ("192.168.0.1:1", false),
    ])
    func `only this machine reaches a loopback address`(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(ListenAddress(text)).isLoopback == isLoopback)
    }

    @Test(arguments: ["", "127.0.0.1", ":80", "a:b", "::1:80", "a:70000", "a:-1"])
    func `what is not HOST and PORT is refused`(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
