import ArgumentParser
import Glibc
import LockbookProcess
import LockbookServer
import Testing

@testable import lockbook_server

@Suite struct ServerArgumentTests {
    private struct Unforeseen: Error, CustomStringConvertible {
        let description = "disk I/O error"
    }

    @Test func `what nobody has a sentence for is in one all the same`() {
        let failure = Failure(Unforeseen())
        #expect(failure.message == "the server cannot go on: disk I/O error")
        #expect(failure.code == 74)
    }

    @Test func `without its own name the server refuses to run`() throws {
        let failure = try #require(throws: Failure.self) {
            try LockbookServerCommand.words(of: nil)
        }
        #expect(failure.message.hasSuffix("cannot be read: /proc is not there"))
        #expect(failure.code == 74)
    }

    @Test(arguments: [
        (["serve", "--data", ""], "argument 3, behind --data, is empty"),
        (["serve", "--closed", ""], "argument 3, behind --closed, is empty"),
        (["check", "", "x"], "argument 2 is empty"),
        ([""], "argument 1 is empty"),
    ])
    func `an empty argument is refused`(words: [String], sentence: String) throws {
        let failure = try #require(throws: Failure.self) {
            try LockbookServerCommand.words(of: given(words))
        }
        #expect(failure.message == sentence)
        #expect(failure.code == 64)
    }

    @Test(arguments: [[], ["serve"], ["serve", "--data", "/srv/a b"]])
    func `with its name it runs`(words: [String]) throws {
        #expect(try LockbookServerCommand.words(of: given(words)) == words)
    }

    @Test func `an argument that is not UTF-8 is refused`() throws {
        let line = Array("lockbook-server\0check\0/".utf8) + [0xff, 0]
        let failure = try #require(throws: Failure.self) {
            try LockbookServerCommand.words(of: ProcessArguments(line))
        }
        #expect(failure.message.hasPrefix("argument 2 "))
        #expect(failure.code == 64)
    }

    private func given(_ words: [String]) -> ProcessArguments? {
        ProcessArguments((["lockbook-server"] + words).flatMap { Array($0.utf8) + [0] })
    }

    @Test(arguments: [
        ("1", 1), ("7k", 7 << 10), ("500M", 500 << 20), ("20g", 20 << 30), ("20GiB", 20 << 30),
    ])
    func `a number of bytes has a unit or none`(word: String, bytes: Int) {
        #expect(ByteCount(argument: word)?.bytes == UInt64(bytes))
    }

    @Test(arguments: [
        "", "K", "0", "-1", "1KK", "1.5G", "5\u{df}", "5\u{149}", "99999999T", "20GB", "20iB",
        "GiB",
    ])
    func `what is no number of bytes is none`(word: String) {
        #expect(ByteCount(argument: word)?.bytes == nil)
    }

    @Test func `what a quota may be is told with what it is not`() throws {
        let error = try #require(throws: (any Error).self) {
            try Serve.parse(["--quota", "20GB"])
        }
        let message = Serve.message(for: error)
        #expect(message == "--quota is a number of bytes, or such as 500M or 20G, not '20GB'.")
        #expect(try Serve.parse(["--quota", "20GiB"]).quota == "20GiB")
    }

    @Test(arguments: [
        StoreFailure.newer(found: 2, known: 1), .older, .lostDatabase, .inUse, .damaged, .collected,
        .full,
    ])
    func `what is wrong with the store is told in a sentence`(failure: StoreFailure) {
        let told = Failure(failure)
        #expect(told.message.contains(" ") && told.message != "\(failure)")
        #expect([12, 13, 74].contains(told.code))
    }

    @Test func `a hangup that was ignored stays so`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGHUP, SIG_IGN)
            _exit(Process.ignoresHangUp && Process.ignoresHangUp ? 7 : 1)
        }
    }

    @Test func `a hangup that ends the process is not taken for an ignored one`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGHUP, SIG_DFL)
            _exit(Process.ignoresHangUp || Process.ignoresHangUp ? 1 : 7)
        }
    }
}
