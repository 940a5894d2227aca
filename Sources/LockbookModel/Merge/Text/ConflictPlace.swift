/// What a side took of a conflict in markers.
enum ConflictDecision {
    case first, second, both
}

/// A conflict of a text, by its lines.
struct ConflictPlace {
    let opening: Int
    let middle: Int
    let closing: Int
    let inFirst: [ConflictPlace]
    let inSecond: [ConflictPlace]

    var first: Range<Int> { opening + 1..<middle }
    var second: Range<Int> { middle + 1..<closing }

    /// - Parameter line: which line a byte is in.
    static func all(in parts: [ConflictBlocks.Part], line: (Int) -> Int) -> [ConflictPlace] {
        var places: [ConflictPlace] = []
        for case .block(let opening, let first, let middle, let second, let closing) in parts {
            places.append(
                ConflictPlace(
                    opening: line(opening.lowerBound),
                    middle: line(middle.lowerBound),
                    closing: line(closing.lowerBound),
                    inFirst: all(in: first, line: line),
                    inSecond: all(in: second, line: line)
                )
            )
        }
        return places
    }

    /// The lines that go with a decision, besides the markers.
    func dropped(by decision: ConflictDecision) -> Range<Int>? {
        switch decision {
        case .first: second
        case .second: first
        case .both: nil
        }
    }
}
