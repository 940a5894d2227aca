import Glibc

/// Reads what nobody may see over a shoulder, in a history or in a list of processes.
enum Secret {
    private static let wordCount = 24
    /// Far more than any key; what is longer is none.
    private static let limit = 65_536

    /// A key or phrase from standard input, with a hidden prompt when that is a terminal.
    static func key(asking question: String) throws -> String {
        guard Terminal.inputIsTerminal else {
            var bytes: [UInt8] = []
            while bytes.count < limit, let piece = try StandardInput.read() {
                bytes += piece
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        guard Terminal.mayAsk else {
            throw CommandError.input(reason: "nothing may be asked, and nothing came in a pipe")
        }
        var words: [Substring] = []
        // A phrase may be typed in several lines, a key is one word.
        repeat {
            guard let line = try hiddenLine(asking: words.isEmpty ? question : "more words: "),
                !line.isEmpty
            else { break }
            words += line.split(whereSeparator: \.isWhitespace)
        } while words.count > 1 && words.count < wordCount
        return words.joined(separator: " ")
    }

    /// Reads one line while the terminal does not echo.
    ///
    /// A signal that would end or stop the program waits until the echo is on again, and then does
    /// what it does. This needs the only thread there is at that time.
    private static func hiddenLine(asking question: String) throws -> String? {
        while true {
            let echo = EchoOff()
            // Not before: whoever answers at once would be seen.
            Terminal.raw(question)
            let isTyped = echo.waitForLine()
            let line = isTyped ? try StandardInput.line() : nil
            // Here a signal that came ends the program, or stops it until it is continued.
            echo.restore()
            if isTyped {
                return line
            }
        }
    }
}

/// The terminal without echo, and the signals held back that would leave it so.
private struct EchoOff: ~Copyable {
    private var terminal = termios()
    private var mask = sigset_t()
    private static let held = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    /// How often to look for a signal while nobody types, in milliseconds.
    private static let pause: Int32 = 50

    init() {
        tcgetattr(STDIN_FILENO, &terminal)
        var held = sigset_t()
        sigemptyset(&held)
        for signal in Self.held {
            sigaddset(&held, signal)
        }
        sigprocmask(SIG_BLOCK, &held, &mask)
        var silent = terminal
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL)
        // Without dropping what was typed: the other lines of a phrase that was pasted.
        tcsetattr(STDIN_FILENO, TCSADRAIN, &silent)
    }

    /// Whether a line came, and not a signal.
    func waitForLine() -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while true {
            var pending = sigset_t()
            sigpending(&pending)
            if Self.held.contains(where: { sigismember(&pending, $0) == 1 }) {
                return false
            }
            if poll(&input, 1, Self.pause) > 0 {
                return true
            }
        }
    }

    consuming func restore() {
        tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal)
        sigprocmask(SIG_SETMASK, &mask, nil)
    }
}
