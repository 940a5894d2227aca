import LockbookProcess
import Testing

@testable import lockbook

@Suite struct ArgumentTests {
    @Test func `without its own name the program refuses to run`() throws {
        let error = try #require(throws: CommandError.self) { try Program.required(nil) }
        let failure = Failure(error)
        #expect(failure.message?.hasSuffix("cannot be read: /proc is not there") == true)
        #expect(failure.status.rawValue == 74)
    }

    @Test(arguments: [
        ("lockbook\0", ["lockbook"]), ("lockbook\0list\0", ["lockbook", "list"]), ("\0", [""]),
        ("lockbook\0\0a b\n\0", ["lockbook", "", "a b\n"]),
    ])
    func `its words stand behind its name`(line: String, words: [String]) throws {
        let given = try #require(ProcessArguments(Array(line.utf8)))
        #expect(given.words == words)
        #expect(given.notUTF8 == nil)
    }

    @Test func `without a word there are no arguments`() {
        #expect(ProcessArguments([]) == nil)
    }

    @Test func `the first word that is not UTF-8 is known by its number`() throws {
        let line = Array("lockbook\0list\0/".utf8) + [0xff, 0, 0xfe, 0]
        let given = try #require(ProcessArguments(line))
        #expect(given.words == ["lockbook", "list", "/\u{fffd}", "\u{fffd}"])
        #expect(given.notUTF8 == 2)
    }

    @Test func `those of this process are found`() throws {
        #expect(try #require(ProcessArguments()).words == CommandLine.arguments)
    }

    @Test(arguments: [["-nC3"], ["-n", "-C3"], ["-nC", "3"], ["-inC3"], ["-C3", "-n"]])
    func `a number may stand behind letters of other options`(options: [String]) throws {
        let words = ["search"] + options + ["word", "/a"]
        let search = try #require(try LockbookCommand.parsed(words) as? Search)
        #expect(search.lineNumber)
        #expect(search.context == 3)
        #expect(search.query == "word")
        #expect(search.targets == ["/a"])
    }

    @Test func `a number may stand behind its option in each command that takes one`() throws {
        let parsed = { (words: [String]) in try LockbookCommand.parsed(words) }
        #expect(try (parsed(["history", "-n5", "/a"]) as? History)?.number == 5)
        #expect(try (parsed(["recent", "-n5"]) as? Recent)?.number == 5)
        #expect(try (parsed(["recent", "-0n5"]) as? Recent)?.number == 5)
        #expect(try (parsed(["tree", "-dL1", "/"]) as? Tree)?.level == 1)
    }

    @Test(
        arguments: [
            ["search", "--", "-nC3"], ["search", "-nA", "x"], ["search", "-C33", "x"],
            ["search", "-xC3", "x"], ["search", "-nAC", "1", "2", "x"], ["search", "--nC3"],
            ["jot", "-nC3"], ["search", "-nC", "x"],
        ]
    )
    func `other words stay as they are`(words: [String]) {
        #expect(JoinedValue.split(words) == words)
    }
}
