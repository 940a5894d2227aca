import Glibc

/// The signals that end a program, in the first process of a container as in any other.
///
/// The kernel takes none to that one that it does not handle itself, whoever sends it.
enum EndingSignals {
    private static let all = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// Makes SIGQUIT end this process, before anything here handles it.
    ///
    /// With its backtraces on, Swift's runtime would answer Ctrl-\ by registers and what is in memory,
    /// and go on.
    static func quitWithoutBacktrace() {
        guard !isIgnored(SIGQUIT) else { return }
        signal(SIGQUIT, SIG_DFL)
    }

    /// Makes them end this process also where it is the first one of a container.
    static func reachFirstProcess() {
        guard getpid() == 1 else { return }
        becomeStatuses()
    }

    /// Ends the process with the status that a shell shows for the signal; who had one ignored means
    /// that it should end nothing.
    static func becomeStatuses() {
        for number in all where !isIgnored(number) {
            signal(number) { _exit(128 + $0) }
        }
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        guard let handler = action.__sigaction_handler.sa_handler else { return false }
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    /// Ends the process by a signal, also by one that it holds back.
    static func end(by number: Int32) -> Never {
        var one = sigset_t()
        sigemptyset(&one)
        sigaddset(&one, number)
        raise(number)
        pthread_sigmask(SIG_UNBLOCK, &one, nil)
        // Only the first process of a container is still there.
        _exit(128 + number)
    }
}
