import Glibc
import Testing

@testable import lockbook

/// In processes of their own, which a signal does not reach as it does not reach the first process of
/// a container.
@Suite struct EndingSignalsTests {
    /// Threads that tests run on hold signals back.
    private static func take(_ number: Int32) {
        var one = sigset_t()
        sigemptyset(&one)
        sigaddset(&one, number)
        pthread_sigmask(SIG_UNBLOCK, &one, nil)
        raise(number)
    }

    @Test func `a signal that has no effect ends the process by its status`() async {
        await #expect(processExitsWith: .exitCode(143)) {
            signal(SIGTERM, SIG_IGN)
            EndingSignals.end(by: SIGTERM)
        }
    }

    @Test func `a signal that is held back ends the process`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            signal(SIGTERM, SIG_DFL)
            var held = sigset_t()
            sigemptyset(&held)
            sigaddset(&held, SIGTERM)
            pthread_sigmask(SIG_BLOCK, &held, nil)
            EndingSignals.end(by: SIGTERM)
        }
    }

    @Test func `a signal becomes its status`() async {
        await #expect(processExitsWith: .exitCode(129)) {
            signal(SIGHUP, SIG_DFL)
            EndingSignals.becomeStatuses()
            Self.take(SIGHUP)
        }
    }

    @Test func `a signal that was ignored stays so`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGHUP, SIG_IGN)
            EndingSignals.becomeStatuses()
            Self.take(SIGHUP)
            _exit(7)
        }
    }

    @Test func `a signal that became its status is not taken for an ignored one`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGHUP, SIG_DFL)
            EndingSignals.becomeStatuses()
            _exit(EndingSignals.isIgnored(SIGHUP) ? 1 : 7)
        }
    }

    @Test func `what handles a quit before the program begins goes`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGQUIT) { _ in }
            EndingSignals.quitWithoutBacktrace()
            let before = signal(SIGQUIT, SIG_IGN)
            _exit(unsafeBitCast(before, to: Int.self) == 0 ? 7 : 1)
        }
    }

    @Test func `a quit that was ignored stays so`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGQUIT, SIG_IGN)
            EndingSignals.quitWithoutBacktrace()
            let before = signal(SIGQUIT, SIG_DFL)
            _exit(unsafeBitCast(before, to: Int.self) == 1 ? 7 : 1)
        }
    }
}
