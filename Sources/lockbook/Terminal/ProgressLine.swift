import Glibc
import Synchronization

/// One line on standard error that says how far something is; only on a terminal.
final class ProgressLine: Sendable {
    private struct State {
        var nextShow: Int64
        var isShown = false
    }

    private static let interval: Int64 = 100
    /// What is done sooner needs no progress.
    private static let patience: Int64 = 300

    private let isOn: Bool
    private let state: Mutex<State>

    init(quiet: Bool = false) {
        isOn = !quiet && Terminal.errorIsTerminal && Environment["TERM"] != "dumb"
        state = Mutex(State(nextShow: isOn ? Self.now() + Self.patience : 0))
    }

    func show(_ text: @autoclosure () -> String) {
        guard isOn else { return }
        state.withLock { state in
            let now = Self.now()
            guard now >= state.nextShow else { return }
            state.nextShow = now + Self.interval
            state.isShown = true
            Terminal.raw("\r\u{1b}[K" + String(printable(text()).prefix(Self.width() - 1)))
        }
    }

    func clear() {
        state.withLock { state in
            guard state.isShown else { return }
            state.isShown = false
            Terminal.raw("\r\u{1b}[K")
        }
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    static func width() -> Int {
        var size = winsize()
        let known = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return known ? Int(size.ws_col) : 80
    }
}
