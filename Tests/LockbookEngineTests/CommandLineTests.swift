import Glibc
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a shell remembers of what was typed, and an editing of where its text is.
struct CommandLineTests {
    private let lockbook: Lockbook
    private let laptop: Device

    init() async throws {
        let server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice(registered: false)
        lockbook = laptop.lockbook
    }

    @Test func `the newest lines come back, the oldest of them first`() throws {
        for number in 1...4 { try lockbook.remember(commandLine: "cat \(number)", atMost: 3) }
        #expect(try lockbook.commandLines() == ["cat 2", "cat 3", "cat 4"])
    }

    @Test func `nothing is replaced while another shell replaces it`() throws {
        try lockbook.remember(commandLine: "first", atMost: 9)
        let path = Lockbook.commandLinesPath(laptop.directory)
        let held = try #require(try LockFile(path + ".lock"))
        try lockbook.remember(commandLine: "second", atMost: 9)
        withExtendedLifetime(held) {}
        #expect(try lockbook.commandLines() == ["first"])
    }

    @Test func `lines of more than a mebibyte come back`() throws {
        let lines = (1...12).map { String(repeating: "\($0 % 10)", count: 100_000) }
        for line in lines { try lockbook.remember(commandLine: line, atMost: 100) }
        #expect(try lockbook.commandLines() == lines)
    }

    @Test func `a place of drafts is known also behind one that a full disk cut off`() throws {
        let path = Lockbook.draftPlacesPath(laptop.directory)
        try Disk.replace(path, with: Array("/dra".utf8))
        try lockbook.remember(draftPlace: "/drafts")
        #expect(Lockbook.draftPlaces(in: laptop.directory).contains("/drafts"))
    }

    @Test func `a link in the place of the list of drafts is not followed`() throws {
        let (path, elsewhere) = (
            Lockbook.draftPlacesPath(laptop.directory), laptop.directory + "/elsewhere"
        )
        try Disk.replace(elsewhere, with: Array("words".utf8))
        #expect(symlink(elsewhere, path) == 0)
        #expect(throws: LockbookError.self) { try lockbook.remember(draftPlace: "/drafts") }
        #expect(try Disk.contents(of: elsewhere) == Array("words".utf8))
    }
}
