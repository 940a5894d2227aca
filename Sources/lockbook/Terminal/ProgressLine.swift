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
    /// After how long without progress or an answer it is said what is waited for.
    private static let silence: Int64 = 5_000
    /// The same of another process on this device, which may have been stopped.
    private static let silenceOfLock: Int64 = 2_000

    /// What is waited for, if anything; nil where that is not told.
    private let awaited: (@Sendable () -> AwaitedWork?)?
    private let isQuiet: Bool
    private let isOn: Bool
    private let state: Mutex<State>

    /// - Parameter awaited: what is named where `waiting` with this line hears nothing for some seconds.
    init(quiet: Bool = false, waitingFor awaited: (@Sendable () -> AwaitedWork?)? = nil) {
        self.awaited = awaited
        isQuiet = quiet
        isOn = !quiet && Terminal.errorIsTerminal && Terminal.mayDraw
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
            let work = awaited()
            let left = Self.silenceLeft(after: Self.now() - state.heard, waitingFor: work)
            guard left <= 0, let work else { return Int(left) }
            let text = "waiting for \(work.name) ..."
            if isOn { Self.put(text, &state) } else { Terminal.notice(text) }
            return nil
        }
    }

    /// How many milliseconds of silence are left, not more than 0 when it is to be said what is waited for.
    ///
    /// What this device itself computes is no silence of others.
    /// - Parameter quiet: for how many milliseconds nothing was heard.
    static func silenceLeft(
        after quiet: Int64,
        waitingFor work: AwaitedWork?,
        now: ContinuousClock.Instant = .now
    ) -> Int64 {
        guard let work else { return silence }
        let silence = work.isLock ? silenceOfLock : silence
        guard let since = work.since else { return silence - quiet }
        return silence - min(quiet, Int64(since.duration(to: now) / Duration.milliseconds(1)))
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
        // A line that is folded would stay above the next one.
        Terminal.raw("\r\u{1b}[K" + Columns.cut(printable(text), to: width() - 1))
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
