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
        let answer = try readLine(behind: "lockbook: \(Terminal.said(question)) ")
        // Ctrl-D is a no, and what comes next begins a line.
        guard answer.last == StandardInput.lineEnd else {
            Terminal.raw("\n")
            throw CommandError.declined(otherwise)
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }

    /// The person's line; asked for and read at the terminal itself where a stream leads elsewhere.
    ///
    /// The question is shown again when the program was stopped and goes on: the shell wrote below it.
    private static func readLine(behind question: String) throws -> [UInt8] {
        let continuation = Continuation()
        defer { continuation.restore() }
        // A stream that leads elsewhere is nobody's to answer.
        var input = STDIN_FILENO
        if !Terminal.inputIsTerminal { input = open("/dev/tty", O_RDONLY | O_CLOEXEC) }
        defer { if input > STDERR_FILENO { close(input) } }
        guard input >= 0, Terminal.ask(question) else { return [] }
        return try StandardInput.lineWithEnd(from: input) { Terminal.ask(question) }
    }
}

/// Lets the end of a stop interrupt what reads, which would else go on by itself.
private struct Continuation {
    private var former = sigaction()

    init() {
        var interrupting = sigaction()
        interrupting.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGCONT, &interrupting, &former)
    }

    func restore() {
        var former = former
        sigaction(SIGCONT, &former, nil)
    }
}
