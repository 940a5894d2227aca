import Glibc

/// Asks a person yes or no.
enum Question {
    /// Returns when the answer is yes, and fails with `otherwise` when it is anything else.
    static func confirm(_ question: String, otherwise: String) throws {
        guard Terminal.mayAsk else { throw CommandError.declined(otherwise) }
        Terminal.raw("lockbook: \(printable(question)) [y/N] ")
        let answer = try readLine() ?? ""
        guard ["y", "yes"].contains(answer.lowercased()) else {
            throw CommandError.declined(otherwise)
        }
    }

    /// The person's line; from the terminal itself when standard input is something else.
    private static func readLine() throws -> String? {
        guard !Terminal.inputIsTerminal else { return try StandardInput.line() }
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return try StandardInput.line(from: terminal)
    }
}
