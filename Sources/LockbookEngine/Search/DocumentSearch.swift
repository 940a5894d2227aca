/// Searches one document, given to it in windows of whole lines.
struct DocumentSearch {
    private let finder: LineFinder
    private let query: SearchQuery

    private(set) var matchingLines = 0
    /// Whether a zero byte came: what holds one is not shown.
    private(set) var isBinary = false
    /// Whether the rest of the document can change nothing any more.
    private(set) var isDone = false
    private var lines: [SearchLine] = []
    /// Of the line with which the next window begins.
    private var number = 1
    /// How many of the lines that follow are still told for the one that matched last.
    private var owed = 0
    /// The last lines that nothing was told of, for the next one that matches.
    private var held: [SearchLine] = []

    init(_ finder: LineFinder, _ query: SearchQuery) {
        self.finder = finder
        self.query = query
    }

    /// What was found since it was asked last.
    mutating func takeLines() -> [SearchLine] {
        defer { lines = [] }
        return lines
    }

    mutating func search(_ window: [UInt8]) throws {
        guard !isDone, !window.isEmpty else { return }
        finder.expect(window.count)
        let prepared = finder.prepared(window)
        try prepared.withUnsafeBytes { prepared in
            try window.withUnsafeBytes { try search($0, prepared) }
        }
    }

    private mutating func search(
        _ text: UnsafeRawBufferPointer,
        _ prepared: UnsafeRawBufferPointer
    ) throws {
        if query.detail == .lines, !isBinary { isBinary = text.hasZero }
        var start = 0
        var wanted = WantedLines(finder, isInverted: query.isInverted)
        while start < text.count, let line = try wanted.next(in: prepared, from: start) {
            matchingLines += 1
            if query.detail == .presence || isBinary {
                isDone = true
                return
            }
            if query.detail == .lines {
                pass(text, start..<line.lowerBound)
                let matches =
                    query.isInverted ? [] : try finder.matches(in: prepared, line: line)
                tell(SearchLine(text, line, number, matches: matches))
            }
            start = line.upperBound + 1
        }
        if query.detail == .lines, start < text.count { pass(text, start..<text.count) }
    }

    private mutating func tell(_ line: SearchLine) {
        lines += held
        held = []
        lines.append(line)
        number += 1
        owed = query.linesAfter
    }

    /// Goes over lines that do not match.
    private mutating func pass(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) {
        guard query.linesBefore > 0 || owed > 0 else {
            number += text.lineCount(in: range)
            return
        }
        var start = range.lowerBound
        var unseen: [(line: Range<Int>, number: Int)] = []
        while start < range.upperBound {
            let line = start..<text.lineEnd(from: start)
            if owed > 0 {
                lines.append(SearchLine(text, line, number, matches: nil))
                owed -= 1
            } else {
                unseen.append((line, number))
            }
            number += 1
            start = line.upperBound + 1
        }
        held += unseen.suffix(query.linesBefore).map { line, number in
            SearchLine(text, line, number, matches: nil)
        }
        held.removeFirst(max(0, held.count - query.linesBefore))
    }
}

/// The lines of one window that are looked for.
private struct WantedLines {
    private let finder: LineFinder
    private let isInverted: Bool
    /// The next line that matches, where those are wanted that do not: it is looked for once, however
    /// many lines are before it.
    private var ahead: Range<Int>?
    private var isAheadKnown = false

    init(_ finder: LineFinder, isInverted: Bool) {
        self.finder = finder
        self.isInverted = isInverted
    }

    /// - Parameter start: where a line begins.
    mutating func next(in text: UnsafeRawBufferPointer, from start: Int) throws -> Range<Int>? {
        guard isInverted else { return try finder.nextLine(in: text, from: start) }
        var start = start
        while start < text.count {
            if !isAheadKnown || ahead.map({ $0.lowerBound < start }) ?? false {
                ahead = try finder.nextLine(in: text, from: start)
                isAheadKnown = true
            }
            let line = start..<text.lineEnd(from: start)
            guard ahead?.lowerBound == start else { return line }
            start = line.upperBound + 1
        }
        return nil
    }
}

extension SearchLine {
    fileprivate init(
        _ text: UnsafeRawBufferPointer,
        _ line: Range<Int>,
        _ number: Int,
        matches: [Range<Int>]?
    ) {
        self.init(
            number: number,
            bytes: Array(text[line]),
            matches: matches ?? [],
            isContext: matches == nil
        )
    }
}

/// Cuts what comes in pieces into windows of whole lines.
struct LineWindows {
    private static let usual = 1 << 20
    /// A line that is longer than this is cut: no text has such lines.
    private static let longest = 64 << 20

    private var rest: [UInt8] = []
    /// How much of it is known to have no end of a line.
    private var endless = 0

    mutating func add(_ piece: [UInt8], _ take: ([UInt8]) throws -> Void) throws {
        rest += piece
        guard rest.count >= Self.usual else { return }
        if let end = rest[endless...].lastIndex(of: UInt8(ascii: "\n")) {
            let window = Array(rest[...end])
            rest.removeFirst(window.count)
            endless = 0
            try take(window)
        } else if rest.count >= Self.longest {
            try finish(take)
        } else {
            endless = rest.count
        }
    }

    mutating func finish(_ take: ([UInt8]) throws -> Void) throws {
        let window = rest
        (rest, endless) = ([], 0)
        try take(window)
    }
}
