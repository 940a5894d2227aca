import Glibc

/// Asks a person yes or no.
enum Question {
    /// Returns when the answer is yes, and fails with `otherwise` when it is anything else.
    static func confirm(_ question: String, otherwise: String) throws {
        guard Terminal.mayAsk else { throw CommandError.declined(otherwise) }
        Terminal.raw("lockbook: \(printable(question)) [y/N] ")
        let answer = try readLine()
        // Ctrl-D is a no, and what comes next begins a line.
        let isEnded = answer.last == StandardInput.lineEnd
        if !isEnded { Terminal.raw("\n") }
        let word = String(decoding: answer.dropLast(), as: UTF8.self)
        guard isEnded, ["y", "yes"].contains(word.lowercased()) else {
            throw CommandError.declined(otherwise)
        }
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
