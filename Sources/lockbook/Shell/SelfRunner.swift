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
        let process = try start(words)
        let status = signals?.waiting(for: process) ?? Self.wait(for: process)
        terminal?.restore()
        let signal = status & 0x7f
        if signal == SIGINT { Terminal.raw("\n") }
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// - Returns: the process, which takes the words from a descriptor: others could read its arguments.
    private func start(_ words: [String]) throws -> pid_t {
        let memory = try HandedWords.put(words)
        defer { close(memory) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // In the place where it is already: there it stays open for this one program.
        posix_spawn_file_actions_adddup2(&actions, memory, memory)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = signals?.original ?? sigset_t()
        if signals != nil {
            posix_spawnattr_setsigmask(&attributes, &mask)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        }
        let given = ["lockbook", HandedWords.word, String(memory)]
        var arguments: [UnsafeMutablePointer<CChar>?] = given.map { strdup($0) }
        arguments.append(nil)
        defer {
            for argument in arguments { free(argument) }
        }
        var process: pid_t = 0
        let problem = posix_spawn(
            &process,
            "/proc/self/exe",
            &actions,
            &attributes,
            arguments,
            environ
        )
        guard problem == 0 else {
            throw CommandError.input(reason: "lockbook: " + Terminal.reason(problem))
        }
        return process
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
