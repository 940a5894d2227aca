import Glibc
import LockbookEngine
import Synchronization

/// One line on standard error that says how far something is; only on a terminal, but for what is
/// waited for.
final class ProgressLine: Sendable {
    private struct State {
        var nextShow: Int64
        var isShown = false
        /// When something was last heard of it.
        var heard: Int64
        var isOver = false
    }

    private static let interval: Int64 = 100
    /// What is done sooner needs no progress.
    private static let patience: Int64 = 300
    /// After how long without any progress it is said what is waited for.
    private static let silence: Int64 = 5_000

    /// What is waited for; nil where that is not told.
    private let awaited: (@Sendable () -> String)?
    private let isQuiet: Bool
    private let isOn: Bool
    private let state: Mutex<State>

    /// - Parameter awaited: what is named where `waiting` with this line hears nothing for some seconds.
    init(quiet: Bool = false, waitingFor awaited: (@Sendable () -> String)? = nil) {
        self.awaited = awaited
        isQuiet = quiet
        isOn = !quiet && Terminal.errorIsTerminal && Environment["TERM"] != "dumb"
        let now = Self.now()
        state = Mutex(State(nextShow: now + Self.patience, heard: now))
    }

    /// How many milliseconds of silence are left; nil when it was said what is waited for, or is over.
    ///
    /// It is said once: on a terminal as the line, else as a notice.
    func silenceLeft() -> Int? {
        guard let awaited, !isQuiet else { return nil }
        return state.withLock { state in
            guard !state.isOver else { return nil }
            let left = state.heard + Self.silence - Self.now()
            guard left <= 0 else { return Int(left) }
            let text = "waiting for \(awaited()) ..."
            if isOn { Self.put(text, &state) } else { Terminal.notice(text) }
            return nil
        }
    }

    func show(_ text: @autoclosure () -> String) {
        state.withLock { state in
            let now = Self.now()
            state.heard = now
            guard isOn, now >= state.nextShow else { return }
            state.nextShow = now + Self.interval
            Self.put(text(), &state)
        }
    }

    private static func put(_ text: String, _ state: inout State) {
        state.isShown = true
        Terminal.raw("\r\u{1b}[K" + String(printable(text).prefix(width() - 1)))
    }

    func clear() {
        state.withLock { state in
            state.isOver = true
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
