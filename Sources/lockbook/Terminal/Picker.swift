import Glibc
import LockbookEngine

/// Lets a person choose a document by some letters of its path, as `find` understands them.
///
/// It is drawn on the terminal behind standard error, so that standard output stays the result's.
/// The terminal reports every key, Ctrl-C too, and is as it was when this returns, throws, or is ended
/// or stopped by a signal.
struct Picker {
    private var query = ""
    private var found: FittingFiles
    private var chosen = 0

    /// Whether there is somebody at a terminal that can be drawn on.
    static var isPossible: Bool { Terminal.canAsk && Terminal.mayDraw }

    /// The document that somebody chose.
    /// - Throws: `.noDocument` where there is none, `.declined` when nothing was chosen.
    static func document(in lockbook: Lockbook) throws -> FileReference {
        let files = try lockbook.recent(.max, marks: false)
        guard !files.isEmpty else { throw CommandError.noDocument }
        var picker = Picker(found: FittingFiles(files))
        return .id(prefix: try picker.run().id)
    }

    private mutating func run() throws -> FileInfo {
        // A new size of the terminal interrupts the waiting, and does nothing else.
        let former = signal(SIGWINCH) { _ in }
        defer { signal(SIGWINCH, former) }
        var decoder = KeyDecoder()
        while true {
            if let file = try choose(&decoder) { return file }
        }
    }

    /// - Returns: nil when a signal came before the end, and the program goes on.
    private mutating func choose(_ decoder: inout KeyDecoder) throws -> FileInfo? {
        let signals = HeldSignals()
        defer { signals.release() }
        var terminal = termios()
        tcgetattr(STDIN_FILENO, &terminal)
        var raw = terminal
        cfmakeraw(&raw)
        // Lines that are drawn still begin on the left.
        raw.c_oflag = terminal.c_oflag
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        defer {
            Terminal.raw("\r\u{1b}[J")
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal)
        }
        while !HeldSignals.haveCome {
            draw()
            guard let keys = try Self.keys(&decoder) else { throw Self.nothing }
            switch take(keys) {
            case .goOn: continue
            case .giveUp: throw Self.nothing
            case .choose(let file): return file
            }
        }
        return nil
    }

    private static var nothing: CommandError { .declined("nothing was chosen") }

    /// How long the rest of a key's bytes may take, in milliseconds.
    private static let pause: Int32 = 50

    /// Waits for keys, for a new size of the terminal, or for a signal; nil at the end.
    private static func keys(_ decoder: inout KeyDecoder) throws -> [Key]? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&input, 1, decoder.awaitsMore ? pause : HeldSignals.pause)
            guard count == 0 else {
                return try count < 0
                    ? [] : StandardInput.read(upTo: 1024).map { decoder.take($0) }
            }
            if decoder.awaitsMore { return decoder.end() }
            if HeldSignals.haveCome { return [] }
        }
    }

    private enum Step {
        case goOn, giveUp
        case choose(FileInfo)
    }

    private mutating func take(_ keys: [Key]) -> Step {
        var isFound = true
        for key in keys {
            switch key {
            case .character(let scalar): query.unicodeScalars.append(scalar)
            case .erase: _ = query.unicodeScalars.popLast()
            case .eraseAll: query = ""
            default:
                if !isFound { search() }
                isFound = true
                if let step = act(on: key) { return step }
                continue
            }
            isFound = false
        }
        if !isFound { search() }
        return .goOn
    }

    /// What a key does that types nothing; nil when more may be pressed.
    private mutating func act(on key: Key) -> Step? {
        switch key {
        case .escape: return .giveUp
        case .enter: return found.files(at: chosen..<chosen + 1).first.map(Step.choose)
        case .up: move(-1)
        case .down: move(1)
        case .pageUp: move(-Self.rows())
        case .pageDown: move(Self.rows())
        case .home: move(-found.count)
        case .end: move(found.count)
        case .character, .erase, .eraseAll: break
        }
        return nil
    }

    private mutating func move(_ step: Int) {
        chosen = max(0, min(found.count - 1, chosen + step))
    }

    /// The newest first while nothing is typed, then the best.
    private mutating func search() {
        chosen = 0
        found.search(query, rows: Self.rows())
    }

    private mutating func draw() {
        let width = ProgressLine.width() - 1
        let rows = Self.rows()
        let first = max(0, chosen - rows + 1)
        let files = found.files(at: first..<first + rows)
        let shown = zip(files.indices, files).map { place, file in
            let isChosen = place == chosen
            let line = Columns.cut((isChosen ? "> " : "  ") + printable(file.path), to: width)
            return isChosen && Terminal.errorIsColoured ? "\u{1b}[7m\(line)\u{1b}[0m" : line
        }
        let question = Columns.cut(
            "\(printable(query))  (\(found.count) of \(found.all.count))",
            to: max(1, width - 2)
        )
        let typed = Columns.width(printable(query)) + 2
        Terminal.raw(
            "\r\u{1b}[J? " + question + shown.map { "\n" + $0 }.joined()
                + (shown.isEmpty ? "" : "\u{1b}[\(shown.count)A") + "\r\u{1b}[\(typed)C"
        )
    }

    /// How many documents are shown: what is above the terminal's first line nobody sees.
    private static func rows() -> Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 1 else { return 10 }
        return min(10, Int(size.ws_row) - 1)
    }
}
