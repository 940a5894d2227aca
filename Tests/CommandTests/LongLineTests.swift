import ArgumentParser
import Testing

@testable import lockbook

/// Of very many words the parser reads few, and what it makes of them is the same.
@Suite struct LongLineTests {
    private func operands<Command: TakesManyOperands>(of command: Command) -> [String] {
        command[keyPath: Command.operands]
    }

    @Test func `of thousands of words the parser is given a few`() throws {
        let words = (1...16_000).map { "w\($0)" }
        let line = try #require(LongLine(["-i"] + words + ["--path", "/p"] + words))
        #expect(line.words.count < 40)
        #expect(line.words.prefix(3) == ["-i", "w1", "w2"])
        let mark = try #require(line.words.last)
        #expect(line.filled(["w1", mark, "w2", mark])?.count == 2 + 15_992 + 15_993)
        // One was taken for the value of an option.
        #expect(line.filled(["w1", mark]) == nil)
        #expect(LongLine(["-i", "word", "/p"]) == nil)
    }

    /// The words of a line, in which `*` stands for many paths, as in a shell.
    private func words(of line: String) -> [String] {
        var words: [String] = []
        for word in line.split(separator: " ") {
            switch word {
            case "*": for number in 1...100 { words.append("/n\(number).md") }
            case "-*": for number in 1...100 { words.append("-n\(number)") }
            default: words.append(String(word))
            }
        }
        return words
    }

    @Test(
        arguments: [
            "rm *", "rm -rf *", "rm * -r", "rm * -r * --force x", "rm -f -- -* -- -",
            "rm * -- -f -*", "cat - * - *", "stream out *", "ls -l *", "mv * /to", "cp *",
            "import * --exclude a *", "new *", "new --template t *", "find *", "jot *",
            "jot * --to /x.md *", "jot --to *", "search -inC 3 *", "search -A 1 -nB 2 *",
            "search --path * --path /p -e *", "search query -C3 * -n", "restore --json *",
            "trash empty * -f", "trash restore *",
        ]
    )
    func `what is read is what the parser makes of all of them`(line: String) throws {
        let words = words(of: line)
        let command = try LockbookCommand.parsed(words)
        let whole = try LockbookCommand.parseAsRoot(words)
        let shortened = try #require(command as? any TakesManyOperands)
        let expected = try #require(whole as? any TakesManyOperands)
        let found = operands(of: shortened)
        #expect(found.count > 90)
        #expect(found == operands(of: expected))
        #expect(String(describing: command) == String(describing: whole))
    }

    @Test(
        arguments: [
            "rm * --bogus", "rm -x *", "rm * ---x", "cat --version v *", "restore * --version v",
            "jot * --to", "search -A *", "search -A x *", "new --template t * folder/",
            "history *", "search --json -l *",
        ]
    )
    func `what is wrong is told as the parser tells it`(line: String) throws {
        let words = words(of: line)
        let error = try #require(throws: (any Error).self) { try LockbookCommand.parsed(words) }
        let whole = try #require(throws: (any Error).self) {
            try LockbookCommand.parseAsRoot(words)
        }
        #expect(
            LockbookCommand.fullMessage(for: error) == LockbookCommand.fullMessage(for: whole)
        )
    }
}
