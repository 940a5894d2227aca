/// The code within a line.
struct CodeSpans {
    /// Where the last run of as many backquotes begins, once one was asked for.
    private var lastRuns: [Int: Int]?

    /// Behind as many backquotes as it began with; behind these where no others follow.
    mutating func end(in line: [Unicode.Scalar], from start: Int) -> Int {
        let runs = lastRuns ?? Self.lastRuns(of: line)
        lastRuns = runs
        let ticks = Self.run(in: line, from: start)
        guard let last = runs[ticks], last > start else { return start + ticks }
        var at = start + ticks
        while at < line.count {
            let run = Self.run(in: line, from: at)
            if run == ticks { return at + run }
            at += max(1, run)
        }
        return start + ticks
    }

    private static func lastRuns(of line: [Unicode.Scalar]) -> [Int: Int] {
        var runs: [Int: Int] = [:]
        var at = 0
        while at < line.count {
            let run = run(in: line, from: at)
            if run > 0 { runs[run] = at }
            at += max(1, run)
        }
        return runs
    }

    private static func run(in line: [Unicode.Scalar], from start: Int) -> Int {
        var end = start
        while end < line.count, line[end] == "`" { end += 1 }
        return end - start
    }
}
