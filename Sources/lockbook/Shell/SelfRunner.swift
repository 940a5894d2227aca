import Glibc

/// Runs commands of the shell, each in a process of its own.
///
/// So a command is what it always is, whatever it does with signals, streams and threads, and what
/// ends it does not end the shell. It takes a few milliseconds to start.
struct SelfRunner {
    private let signals: ShellSignals?

    init(signals: ShellSignals? = nil) {
        self.signals = signals
    }

    /// Runs `lockbook` with these words and waits.
    /// - Returns: its status as a shell shows it; 128 and the number of a signal.
    func run(_ words: [String]) throws -> Int32 {
        let terminal = TerminalState()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = signals?.original ?? sigset_t()
        if signals != nil {
            posix_spawnattr_setsigmask(&attributes, &mask)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = (["lockbook"] + words).map { strdup($0) }
        arguments.append(nil)
        defer {
            for argument in arguments { free(argument) }
        }
        var process: pid_t = 0
        let problem = posix_spawn(
            &process,
            "/proc/self/exe",
            nil,
            &attributes,
            arguments,
            environ
        )
        guard problem != E2BIG else {
            throw UsageError(
                message: "the line is too long for a command",
                hint: "`write` and `stream in` take a text of any length from standard input"
            )
        }
        guard problem == 0 else {
            throw CommandError.input(reason: "lockbook: " + Terminal.reason(problem))
        }
        let status = signals?.waiting(for: process) ?? Self.wait(for: process)
        terminal?.restore()
        let signal = status & 0x7f
        if signal == SIGINT { Terminal.raw("\n") }
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// - Returns: as `waitpid` tells it; a failure where it cannot tell.
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 {
            guard errno == EINTR else { return 127 << 8 }
        }
        return status
    }
}
