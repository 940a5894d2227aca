import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import Testing

/// No file of a content stays that no row names: it would count for nobody's quota, for ever.
struct UnnamedFileTests {
    private func files(of server: TestServer) throws -> Int {
        let folder = server.path + "/blobs"
        return try FileManager.default.subpathsOfDirectory(atPath: folder).count { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
            return !isFolder.boolValue
        }
    }

    private func content(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 150_000) }

    @Test func `contents for which there is no room leave no files`() async throws {
        let server = try TestServer(quota: 400_000)
        var ada = try await TestPerson.ada(at: server)
        try await ada.stage([], blobs: [content(1), content(2)], at: server)
        for byte in 3..<6 as Range<UInt8> {
            await #expect(throws: Refused.tooLarge) {
                try await ada.stage([], blobs: [content(byte)], at: server)
            }
            let record = try ada.record(ada.file("\(byte)", blob: content(byte)))
            var loser = ada
            await #expect(throws: Refused.tooLarge) {
                try await loser.push([record], blobs: [content(byte)], to: server)
            }
        }
        #expect(try files(of: server) == 2)
    }

    @Test func `a push that breaks a rule leaves of its contents only what was there before`()
        async throws
    {
        let server = try TestServer()
        var ada = try await TestPerson.ada(at: server)
        try await ada.stage([], blobs: [content(1)], at: server)
        let nowhere = FileID(random: .system)
        let records = try [
            ada.record(ada.file("a", in: nowhere, blob: content(1))),
            ada.record(ada.file("b", in: nowhere, blob: content(2))),
        ]
        var loser = ada
        await #expect(throws: Refused.violation) {
            try await loser.push(records, blobs: [content(1), content(2)], to: server)
        }
        #expect(try files(of: server) == 1)
        try await ada.push([ada.record(ada.file("a", blob: content(1)))], to: server)
        let found = try await ada.raw(
            .get,
            "\(Endpoint.blob.path)/\(BlobName(of: content(1)))/0/1",
            of: server
        )
        #expect(found == content(1))
    }

    @Test func `files that a crash left without a row are collected when they are old`()
        async throws
    {
        let server = try TestServer(clock: TestClock(Int64(Date().timeIntervalSince1970)))
        var ada = try await TestPerson.ada(at: server)
        try await ada.push(
            [ada.record(ada.file("a", blob: content(1)))],
            blobs: [content(1)],
            to: server
        )
        let left = content(2)
        try server.folder.blobs.put([(BlobName(of: left), left)], of: ada.account)
        let owner = ada.account.description.prefix(32)
        let upload = "\(server.path)/blobs/uploads/\(owner)-\(BlobName(of: left))"
        try Data(left).write(to: URL(filePath: upload))
        try await server.server.collect()
        #expect(try files(of: server) == 3, "a request may be about to name them")

        server.clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        #expect(try files(of: server) == 2, "the upload is not whole")
        server.clock.advance(by: 91 * 86_400)
        try await server.server.collect()
        #expect(try files(of: server) == 1)
    }

    /// However old the file is: it may be the only copy, of a time after that of the database.
    @Test func `a whole content stays for the retention after it was found without a row`()
        async throws
    {
        let clock = TestClock(Int64(Date().timeIntervalSince1970))
        let path = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-server-\(UUID().uuidString)").path
        let restarted = path + "-restarted"
        do {
            let server = try TestServer(clock: clock, at: path)
            var ada = try TestPerson("ada", seed: 1)
            try await ada.register(at: server)
            let file = try left(2, of: ada, at: server, isUpload: false)
            let longAgo = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: file)
            for days in [0, 60, 30] as [Int64] {
                clock.advance(by: days * 86_400)
                try await server.server.collect()
                #expect(try files(of: server) == 1)
            }
            try FileManager.default.copyItem(atPath: path, toPath: restarted)
        }
        let server = try TestServer(clock: clock, at: restarted)
        clock.advance(by: 1)
        try await server.server.collect()
        #expect(try files(of: server) == 0, "also when the server was started anew meanwhile")
    }

    /// The place of a file that nothing names, or of an upload that nobody began.
    private func left(_ byte: UInt8, of ada: TestPerson, at server: TestServer, isUpload: Bool)
        throws -> String
    {
        let (owner, name) = (ada.account.description.prefix(32), BlobName(of: content(byte)))
        guard isUpload else {
            try server.folder.blobs.put([(name, content(byte))], of: ada.account)
            return "\(server.path)/blobs/\(owner)/\(name.description.prefix(2))/\(name)"
        }
        let path = "\(server.path)/blobs/uploads/\(owner)-\(name)"
        try Data(content(byte)).write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: [false, true])
    func `what does not go keeps nothing else from going, and is named once`(isUpload: Bool)
        async throws
    {
        let log = TestLog()
        let clock = TestClock(Int64(Date().timeIntervalSince1970))
        let server = try TestServer(clock: clock, log: log)
        let ada = try await TestPerson.ada(at: server)
        for byte in 2...9 as ClosedRange<UInt8> {
            let path = try left(byte, of: ada, at: server, isUpload: isUpload)
            if byte == 5 { try DamagedFileTests.Harm.folder.happen(to: path) }
        }
        clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        clock.advance(by: 91 * 86_400)
        for _ in 0..<3 { try await server.server.collect() }
        #expect(try files(of: server) == 0)
        #expect(
            log.lines == [
                "what stands in the place of a content's file should go and does not "
                    + "file=\(BlobName(of: content(5))) reason=unlink: Is a directory"
            ]
        )
    }

    @Test func `what does not go of a deleted account keeps nothing else either`() async throws {
        let log = TestLog()
        let server = try TestServer(log: log)
        let ada = try await TestPerson.ada(at: server)
        for byte in 2...9 as ClosedRange<UInt8> {
            let path = try left(byte, of: ada, at: server, isUpload: byte > 5)
            if byte == 2 || byte == 6 { try DamagedFileTests.Harm.folder.happen(to: path) }
        }
        var request = Lockbook_V1_EndRequest()
        request.end = try Data(AccountEnd(created: Timestamp(milliseconds: 7), by: ada.keys).bytes)
        let _: Lockbook_V1_EndResponse = try await ada.send(request, to: .end, of: server)
        for _ in 0..<3 { try await server.server.collect() }
        #expect(try files(of: server) == 0)
        #expect(
            log.lines == [
                "a part of a deleted account stays "
                    + "reason=unlink \(BlobName(of: content(6))): Is a directory"
            ]
        )
    }

    @Test func `what a process was writing when it ended is gone when the next one begins`()
        throws
    {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-server-\(UUID().uuidString)").path
        let uploads = path + "/blobs/uploads"
        try FileManager.default.createDirectory(atPath: uploads, withIntermediateDirectories: true)
        try Data(content(1)).write(to: URL(filePath: "\(uploads)/a-b.whole"))
        #expect(try files(of: TestServer(at: path)) == 0)
    }
}
