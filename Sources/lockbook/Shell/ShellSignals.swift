import CLinux
import Glibc

/// The signals of the shell, held back and read as they come: none of them ends it while it works.
///
/// A handler could do next to nothing, and readline's own would leave the line by a jump.
final class ShellSignals {
    /// What was held back before, which is what commands start with.
    let original: sigset_t
    let descriptor: Int32
    private static let held = [SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGWINCH]

    init() throws {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in Self.held { sigaddset(&mask, signal) }
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &mask, &before)
        original = before
        descriptor = signalfd(-1, &mask, O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw CommandError.input(reason: "signals: " + Terminal.reason(errno))
        }
    }

    deinit {
        close(descriptor)
        var before = original
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// The next signal that came; nil when there is none.
    func next() -> Int32? {
        // The kernel's record of a signal has its number in front.
        var record = [UInt32](repeating: 0, count: 32)
        let count = read(descriptor, &record, 128)
        return count == 128 ? Int32(record[0]) : nil
    }

    /// Waits for a command; Ctrl-Z stops the shell along with it, and what else came is its own.
    /// - Returns: as `waitpid` tells it.
    func waiting(for process: pid_t) -> Int32 {
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        let status = SelfRunner.wait(for: process)
        pthread_sigmask(SIG_BLOCK, &stop, nil)
        while let signal = next() {
            if signal == SIGTERM || signal == SIGHUP { end(by: signal) }
        }
        return status
    }

    /// Ends the program by the signal, as if it had never been held back.
    func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        EndingSignals.end(by: number)
    }
}
