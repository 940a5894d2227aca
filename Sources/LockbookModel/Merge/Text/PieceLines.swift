/// The line that each piece of a text is in, counted from zero.
struct PieceLines {
    private var lines: [Int] = []
    /// The first piece of each line, and behind them where the last one ends.
    private var starts = [0]

    init(_ pieces: TextPieces, in bytes: [UInt8]) {
        lines.reserveCapacity(pieces.count)
        for piece in 0..<pieces.count {
            lines.append(starts.count - 1)
            if pieces.endsLine(piece, in: bytes) { starts.append(piece + 1) }
        }
        if starts.last != pieces.count { starts.append(pieces.count) }
    }

    var count: Int { starts.count - 1 }

    /// The line of a piece; of what stands behind the last piece, the last line.
    subscript(piece: Int) -> Int { piece < lines.count ? lines[piece] : Swift.max(0, count - 1) }

    /// The first piece of the line that a piece is in.
    func start(of piece: Int) -> Int { starts[self[piece]] }

    func pieces(of lines: Range<Int>) -> Range<Int> {
        starts[lines.lowerBound]..<starts[lines.upperBound]
    }
}

extension [DiffHunk] {
    /// Goes through what did not change, piece by piece, and what did, in order.
    func forEachUnchanged(
        upTo end: Int,
        _ body: (_ base: Int, _ side: Int) -> Void,
        changed: (DiffHunk) -> Void
    ) {
        var at = (base: 0, side: 0)
        for hunk in self {
            for offset in 0..<hunk.base.lowerBound - at.base {
                body(at.base + offset, at.side + offset)
            }
            changed(hunk)
            at = (hunk.base.upperBound, hunk.side.upperBound)
        }
        for offset in 0..<end - at.base { body(at.base + offset, at.side + offset) }
    }
}

extension [Range<Int>] {
    /// The same in order, with those that overlap or touch made one.
    func joined() -> [Range<Int>] {
        sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, next in
            if let last = joined.last, last.upperBound >= next.lowerBound {
                let end = Swift.max(last.upperBound, next.upperBound)
                joined[joined.count - 1] = last.lowerBound..<end
            } else {
                joined.append(next)
            }
        }
    }
}
