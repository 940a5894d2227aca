import Glibc

/// What the program says, and where.
///
/// Standard output carries what was asked for and nothing else. Progress, questions, notices,
/// warnings, errors and hints go to standard error, lower case and without a full stop. Names and
/// what a server says were written by others: what a terminal shows of them goes through
/// `printable`. Piped output is the bytes as they are. Commands that a sentence names stand between
/// backticks, by which `Profile` finds them.
enum Terminal {
    static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    static let inputIsTerminal = isatty(STDIN_FILENO) == 1
    static let errorIsTerminal = isatty(STDERR_FILENO) == 1

    /// Whether somebody is there to answer a question.
    static var canAsk: Bool { inputIsTerminal && errorIsTerminal && mayAsk }

    /// In front of the command: ask nothing, whoever sits at the terminal.
    static let noInputOption = "--no-input"
    private static let noInputVariable = "LOCKBOOK_NO_INPUT"

    /// Whether nobody forbade to ask.
    static var mayAsk: Bool { Environment[noInputVariable] == nil }

    /// From here on nothing is asked, neither by this process nor by those it starts.
    static func forbidQuestions() {
        setenv(noInputVariable, "1", 1)
    }

    /// Whether what goes there may have colours.
    static let outputIsColoured = outputIsTerminal && mayColour
    static let errorIsColoured = errorIsTerminal && mayColour
    private static let mayColour = Environment["NO_COLOR"] == nil && mayDraw

    /// Whether terminals here take more than text; of one that nobody named nothing is known.
    static let mayDraw = !["dumb", nil].contains(Environment["TERM"])

    // MARK: Results

    /// Shows what we say to a person, which may name commands.
    static func show(sentences: [String]) throws {
        try show(lines: sentences.map { Profile.repeated(in: $0) })
    }

    static func show(lines: [String], endingIn end: String = "\n") throws {
        guard !lines.isEmpty else { return }
        var text = ""
        for line in lines {
            text += outputIsTerminal ? printable(line, keepingLines: true) : line
            text += end
        }
        try write(Array(text.utf8))
    }

    /// Shows what became of something that is done by now: where that fails, it is said that it is
    /// done, so that nobody does it again who would do harm.
    /// - Parameter hint: what doing it again would mean.
    static func afterDone(hint: String, _ show: () throws -> Void) throws {
        do { try show() } catch CommandError.output(let reason) {
            throw CommandError.unshown(reason: reason, hint: hint)
        }
    }

    /// Writes to standard output, unbuffered.
    static func write(_ bytes: [UInt8]) throws {
        guard let problem = write(bytes, to: STDOUT_FILENO) else { return }
        if problem == EPIPE {
            StandardStreams.brokenPipe()
        }
        throw CommandError.output(reason: reason(problem))
    }

    /// Asks for what NFS, sshfs or a quota tells only when a file is closed: that what was written
    /// did not arrive.
    static func flush() throws {
        let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
        // It is closed also where that is interrupted.
        guard copy >= 0, close(copy) != 0, errno != EINTR else { return }
        throw CommandError.output(reason: reason(errno))
    }

    // MARK: Everything else

    static func notice(_ text: String) {
        tell("lockbook: " + said(text))
    }

    static func warn(_ text: String) {
        tell("lockbook: warning: " + said(text))
    }

    static func tell(_ failure: Failure) {
        guard let message = failure.message else { return }
        let label = errorIsColoured ? "\u{1b}[1;31merror:\u{1b}[0m" : "error:"
        tell("lockbook: \(label) \(said(message))")
        if let hint = failure.hint {
            tell("lockbook: hint: " + said(hint))
        }
    }

    /// As what we say stands on standard error.
    static func said(_ sentence: String) -> String { printable(Profile.repeated(in: sentence)) }

    /// Writes to standard error as it is; nobody is left to hear it when that fails.
    static func raw(_ text: String) {
        _ = write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Writes a question to whoever sits at the terminal, also where standard error leads elsewhere.
    /// - Returns: false where nobody can see it.
    @discardableResult
    static func ask(_ question: String) -> Bool {
        guard !errorIsTerminal else {
            raw(question)
            return true
        }
        let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return write(Array(question.utf8), to: terminal) == nil
    }

    private static func tell(_ line: String) {
        raw(line + "\n")
    }

    /// The error number, or nil when every byte was written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    descriptor,
                    UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    rest.count
                )
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }

    /// What an error number means, as the C library says it, in our style.
    static func reason(_ number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
