import Foundation
import Glibc
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What another user put where the key is about to be written.
struct PlantedFilesTests {
    private let place: Place
    private var folder: String { place.url.path }

    init() throws {
        place = try Place()
        chmod(folder, 0o700)
    }

    private func createAccount() throws {
        _ = try Lockbook.createAccount(
            username: "alice",
            server: try ServerAddress("http://127.0.0.1:1"),
            directory: folder
        )
    }

    private func mode() throws -> mode_t { try Disk.status(folder).st_mode & 0o7777 }

    @Test(arguments: [true, false])
    func `nobody else has the file open that is written`(asLink: Bool) throws {
        let (key, known) = (folder + "/key", folder + "/known")
        try Data("mine".utf8).write(to: URL(filePath: known))
        #expect((asLink ? symlink("known", key + ".new") : link(known, key + ".new")) == 0)
        let reader = try DiskFile(known, flags: O_RDONLY)

        try Disk.replace(key, with: Array("secret".utf8))

        #expect(try reader.read(100) == Array("mine".utf8))
        #expect(try Disk.contents(of: key) == Array("secret".utf8))
        let status = try Disk.status(key)
        #expect(status.st_mode == S_IFREG | 0o600 && status.st_nlink == 1)
        #expect(!Disk.exists(key + ".new"))
    }

    @Test func `what cannot take its place leaves no copy`() throws {
        let place = folder + "/place"
        try Disk.makeFolder(place)
        #expect(throws: DiskFailure(place, code: EISDIR)) {
            try Disk.replace(place, with: Array("secret".utf8))
        }
        #expect(!Disk.exists(place + ".new"))
    }

    @Test func `a lock is no file to which a link leads`() throws {
        let lock = folder + "/lock"
        #expect(symlink("elsewhere", lock) == 0)
        #expect(throws: DiskFailure(lock, code: ELOOP)) { try LockFile.file(lock) }
        #expect(!Disk.exists(folder + "/elsewhere"))
    }

    @Test func `an empty folder that others may write to becomes one's own`() throws {
        chmod(folder, 0o777)
        try createAccount()
        #expect(try mode() == 0o700)
        let lockbook = try Lockbook.open(directory: folder, environment: .system)
        #expect(try lockbook.validate() == [])
    }

    @Test func `one in which something is already is refused, and stays as it is`() throws {
        symlink("elsewhere", folder + "/blobs")
        chmod(folder, 0o1777)
        let refused = LockbookError.io(
            path: folder,
            reason: "others may write there, and something is in it: take an empty folder, or see "
                + "that all in it is yours, and `chmod 700` it"
        )
        for _ in 0..<2 { #expect(throws: refused) { try createAccount() } }
        #expect(try mode() == 0o1777)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["blobs"])
        // Whoever has looked at it says so.
        chmod(folder, 0o700)
        unlink(folder + "/blobs")
        try Data("mine".utf8).write(to: URL(filePath: folder + "/note"))
        try createAccount()
    }

    @Test(.enabled("only root gives a folder away") { geteuid() == 0 })
    func `another user's folder is refused`() throws {
        chown(folder, 65_534, 65_534)
        #expect(throws: LockbookError.io(path: folder, reason: "it is another user's folder")) {
            try createAccount()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
