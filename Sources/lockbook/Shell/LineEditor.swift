import CReadline
import Glibc
import Synchronization

/// Reads lines from a person at a terminal, with readline.
///
/// One thread waits for keys and signals; readline is given a key at a time. Its callbacks only
/// note what happened, and this does the rest: no signal ever jumps out of it.
final class LineEditor {
    enum Input {
        case line([UInt8])
        case interrupted
        /// Ctrl-D on an empty line, or the terminal is gone.
        case end
    }

    /// What Tab does to a line.
    enum Change {
        /// Puts a word where another one began.
        case replace(from: Int, with: String)
        /// Shows what could follow.
        case list([String])
        case nothing
    }

    private enum Event {
        case line([UInt8])
        case end
        case tab
    }

    let signals: ShellSignals
    private let readline: Readline
    /// The line for which Tab found several words and nothing to add: the next one lists them.
    private var undecided: [UInt8]?
    private static let events = Mutex<[Event]>([])
    private static let historyLength = 10_000

    init() throws {
        guard let loaded = Readline.loaded else {
            throw CommandError.missingLibrary(
                Readline.name,
                purpose: "edits lines",
                package: "libreadline8"
            )
        }
        readline = loaded
        signals = try ShellSignals()
        LetterEncoding.inEnvironment {
            loaded.initialize { _, _ in
                LineEditor.events.withLock { $0.append(.tab) }
                return 0
            }
        }
    }

    func remember(_ lines: [String]) {
        readline.remember(lines, atMost: Self.historyLength)
    }

    /// Shows the prompt and reads a line.
    /// - Parameter complete: given the line up to the cursor when Tab is pressed.
    func line(prompt: String, complete: ([UInt8]) -> Change) throws -> Input {
        undecided = nil
        // Readline looks for the locale again at each line.
        LetterEncoding.inEnvironment {
            readline.begin(prompt: prompt) { text in
                // At once, else the next prompt would be shown before the command has run.
                Readline.loaded?.end()
                LineEditor.events.withLock { events in
                    events.append(text.map { .line(LineEditor.bytes(of: $0)) } ?? .end)
                }
                free(text)
            }
        }
        while true {
            if try waitForKey() == .interrupted { return .interrupted }
            readline.readKey()
            let events = Self.events.withLock { events in
                defer { events = [] }
                return events
            }
            for event in events {
                switch event {
                case .line(let text): return .line(text)
                case .end: return .end
                case .tab: take(complete(readline.typed))
                }
            }
        }
    }

    private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: Int(strlen(text))))
    }

    private enum Waited { case key, interrupted }

    private func waitForKey() throws -> Waited {
        while true {
            var sources = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&sources, 2, -1) > 0 else { continue }
            while let signal = signals.next() {
                switch signal {
                case SIGINT:
                    readline.abandon()
                    // Readline goes back to the beginning of the line when it ends.
                    Terminal.raw("^C\n")
                    readline.end()
                    return .interrupted
                case SIGWINCH: readline.fitWindow()
                case SIGTSTP: readline.lendTerminal { raise(SIGSTOP) }
                case SIGQUIT: break
                default:
                    readline.end()
                    signals.end(by: signal)
                }
            }
            if sources[0].revents != 0 { return .key }
        }
    }

    private func take(_ change: Change) {
        let typed = readline.typed
        switch change {
        case .nothing:
            undecided = nil
            readline.ring()
        case .replace(let start, let text):
            undecided = nil
            readline.replace(from: start, with: text)
        case .list(let names):
            guard undecided == typed else {
                undecided = typed
                return readline.ring()
            }
            Terminal.raw("\n" + Columns(names).lines.map { $0 + "\n" }.joined())
            readline.redisplayBelow()
        }
    }
}
