import Glibc

/// Signals that would end or stop the program, held back while the terminal is not as it was.
///
/// Once released they do what they do. This needs the only thread there is at that time.
struct HeldSignals {
    private var mask = sigset_t()
    private static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    /// How often to look for one while nobody types, in milliseconds.
    static let pause: Int32 = 50

    init() {
        var held = sigset_t()
        sigemptyset(&held)
        for signal in Self.all {
            sigaddset(&held, signal)
        }
        sigprocmask(SIG_BLOCK, &held, &mask)
    }

    /// Whether one waits to be released.
    static var haveCome: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return all.contains { sigismember(&pending, $0) == 1 }
    }

    /// Here a signal that came ends the program, or stops it until it is continued.
    func release() {
        var mask = mask
        sigprocmask(SIG_SETMASK, &mask, nil)
    }
}
