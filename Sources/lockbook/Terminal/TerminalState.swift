import Glibc

/// How the terminal behind standard input was set, to be put back after a program that was killed.
struct TerminalState {
    private let settings: termios

    /// - Returns: nil where standard input is no terminal, or one that somebody else uses now.
    init?() {
        var settings = termios()
        guard Self.isOurs, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        self.settings = settings
    }

    /// Sets the terminal as it was, unless others use it meanwhile.
    func restore() {
        guard Self.isOurs else { return }
        // It may become another's just now, and lockbook would be stopped for setting it.
        let former = signal(SIGTTOU, SIG_IGN)
        defer { signal(SIGTTOU, former) }
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// Whether lockbook is in the foreground; a terminal that controls nothing here has none.
    private static var isOurs: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group == -1 || group == getpgrp()
    }
}
