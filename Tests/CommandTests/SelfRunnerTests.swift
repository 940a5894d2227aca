import Glibc
import Testing

@testable import lockbook

@Suite struct SelfRunnerTests {
    @Test func `a process of which nothing can be told has failed`() {
        // No process is a child of its own.
        #expect(SelfRunner.wait(for: getpid()) == 127 << 8)
    }

    @Test(arguments: [[], ["list"], ["jot", "", "two  words", "line\nline", "é\u{202e}"]])
    func `words that are handed over come as they were`(words: [String]) throws {
        let memory = try HandedWords.put(words)
        // What somebody else starts meanwhile does not get them.
        #expect(fcntl(memory, F_GETFD) == FD_CLOEXEC)
        #expect(try HandedWords.taken(from: [HandedWords.word, String(memory)]) == words)
    }

    @Test(
        arguments: [
            [], ["list"], ["__words"], ["__words", "0"], ["__words", "3", "list"],
            // Nothing is open there.
            ["__words", "2147483647"],
        ]
    )
    func `what hands nothing over is what it says`(words: [String]) throws {
        #expect(try HandedWords.taken(from: words) == words)
    }
}
