import Glibc

/// Asks a person before something is done.
enum Question {
    /// Returns when the answer is yes, and fails with `otherwise` when it is anything else.
    static func confirm(_ question: String, otherwise: String) throws {
        let word = try answer("\(question) [y/N]", otherwise: otherwise)
        guard ["y", "yes"].contains(word.lowercased()) else {
            throw CommandError.declined(otherwise)
        }
    }

    /// Returns when the answer is exactly this word, for what nothing brings back.
    static func confirm(_ question: String, typing word: String, otherwise: String) throws {
        guard try answer(question, otherwise: otherwise) == word else {
            throw CommandError.declined(otherwise)
        }
    }

    private static func answer(_ question: String, otherwise: String) throws -> String {
        guard Terminal.mayAsk else { throw CommandError.declined(otherwise) }
        Terminal.raw("lockbook: \(Terminal.said(question)) ")
        let answer = try readLine()
        // Ctrl-D is a no, and what comes next begins a line.
        guard answer.last == StandardInput.lineEnd else {
            Terminal.raw("\n")
            throw CommandError.declined(otherwise)
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }

    /// The person's line; from the terminal itself when standard input is something else.
    private static func readLine() throws -> [UInt8] {
        guard !Terminal.inputIsTerminal else { return try StandardInput.lineWithEnd() }
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
        guard terminal >= 0 else { return [] }
        defer { close(terminal) }
        return try StandardInput.lineWithEnd(from: terminal)
    }
}
