import Glibc

/// Reads what nobody may see over a shoulder, in a history or in a list of processes.
enum Secret {
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
        guard Terminal.mayAsk else { throw unasked }
        return try typedKey(asking: question)
    }

    private static let unasked = CommandError.input(
        reason: "nothing may be asked, and nothing came in a pipe"
    )

    /// A line from the terminal, which does not echo it; nil at its end.
    static func line(asking question: String) throws -> String? {
        guard Terminal.mayAsk else { throw unasked }
        while true {
            let echo = EchoOff()
            defer { echo.restore() }
            if !echo.hasLine() { ask(question) }
            // Who goes on after a signal is asked again.
            guard echo.waitForLine() else { continue }
            let line = try StandardInput.line()
            echo.dropInput()
            return line
        }
    }

    private static func ask(_ question: String) {
        // Where this process has no terminal of its own, whoever reads its errors may show it.
        if !Terminal.ask(question) { Terminal.raw(question) }
    }

    /// Reads lines while the terminal does not echo, until they are a key or a phrase, or end.
    ///
    /// A signal that would end or stop the program waits until the echo is on again, and then does
    /// what it does.
    private static func typedKey(asking question: String) throws -> String {
        var key = TypedKey()
        var isDone = false
        while !isDone {
            let echo = EchoOff()
            defer { echo.restore() }
            isDone = try read(&key, asking: question, echo)
            // The rest of what was pasted would be run and remembered by the shell.
            if isDone { echo.dropInput() }
        }
        return key.text
    }

    /// - Returns: false when a signal came before the end.
    private static func read(
        _ key: inout TypedKey,
        asking question: String,
        _ echo: EchoOff
    ) throws -> Bool {
        while !key.isWhole {
            // Not before the echo is off: whoever answers at once would be seen.
            if !echo.hasLine() { ask(key.isEmpty ? question : "more words: ") }
            guard echo.waitForLine() else { return false }
            guard let line = try StandardInput.line() else { return true }
            // An empty line gives up, unless it stands in what was pasted.
            if !line.allSatisfy(\.isWhitespace) {
                key.take(line)
            } else if !echo.hasLine() {
                return true
            }
        }
        return true
    }
}

/// The terminal without echo, and the signals held back that would leave it so.
private struct EchoOff {
    private var terminal = termios()
    private let signals: HeldSignals

    init() {
        signals = HeldSignals()
        tcgetattr(STDIN_FILENO, &terminal)
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
            if HeldSignals.haveCome {
                return false
            }
            if poll(&input, 1, HeldSignals.pause) > 0 {
                return true
            }
        }
    }

    /// Whether a line stands there already.
    func hasLine() -> Bool { Self.isInput(within: 0) }

    /// Drops what was typed, and what comes right behind it: a terminal gives a paste in pieces.
    func dropInput() {
        repeat { tcflush(STDIN_FILENO, TCIFLUSH) } while Self.isInput(within: HeldSignals.pause)
    }

    /// Whether a line comes from a terminal that is still there.
    private static func isInput(within milliseconds: Int32) -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, milliseconds) > 0 && input.revents == Int16(POLLIN)
    }

    func restore() {
        var terminal = terminal
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal)
        signals.release()
    }
}
