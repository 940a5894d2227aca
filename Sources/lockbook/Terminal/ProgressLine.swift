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

    private let isQuiet: Bool
    private let isOn: Bool
    private let state: Mutex<State>

    init(quiet: Bool = false) {
        isQuiet = quiet
        isOn = !quiet && Terminal.errorIsTerminal && Environment["TERM"] != "dumb"
        let now = Self.now()
        state = Mutex(State(nextShow: now + Self.patience, heard: now))
    }

    /// From here on until `clear` says once what is waited for, when nothing is heard for some
    /// seconds: on a terminal as the line, else as a notice.
    func tellSilence(of name: String) {
        guard !isQuiet, OpenFiles.allowThreads else { return }
        let text = "waiting for \(name) ..."
        Task {
            while let left = timeLeft(before: text) {
                try? await Task.sleep(for: .milliseconds(left))
            }
        }
    }

    /// How many milliseconds of silence are left; nil when it was said, or is over.
    private func timeLeft(before text: String) -> Int64? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            let left = state.heard + Self.silence - Self.now()
            guard left <= 0 else { return left }
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
