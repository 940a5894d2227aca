import Glibc

/// Makes the three standard streams safe to use.
enum StandardStreams {
    /// Whether whoever started the program wants a broken pipe to be an error instead of the end.
    private static let pipeWasIgnored = EndingSignals.isIgnored(SIGPIPE)

    /// Whether there was no standard input at all, which `StandardInput` does not take for an empty one.
    static let inputWasClosed = fcntl(STDIN_FILENO, F_GETFD) == -1

    /// Fills what is closed, so that no file of the store can become the standard output.
    ///
    /// What fills a closed stdin reads as empty, for programs that are started; a closed stdout or stderr refuses every write, since what
    /// fills it is open for reading.
    static func prepare() {
        // Read now, before the network library changes it.
        _ = pipeWasIgnored
        _ = inputWasClosed
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is given out, and those below are open by now.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// What a program started with these attributes finds as it would without us: the network library
    /// ignores it from its first connection on.
    static func restorePipe(in signals: inout sigset_t) {
        if !pipeWasIgnored { sigaddset(&signals, SIGPIPE) }
    }

    /// For what starts a program itself.
    static func restoringPipe<Result>(_ body: () throws -> Result) rethrows -> Result {
        let former = signal(SIGPIPE, pipeWasIgnored ? SIG_IGN : SIG_DFL)
        defer { signal(SIGPIPE, former) }
        return try body()
    }

    /// Ends the program as `cat` ends when nobody reads on, unless that was to be an error.
    static func brokenPipe() {
        guard !pipeWasIgnored else { return }
        signal(SIGPIPE, SIG_DFL)
        EndingSignals.end(by: SIGPIPE)
    }
}
