/// The brackets of a line that are open, as CommonMark looks for links: the last one closes first.
struct OpenBrackets {
    /// What stands between two brackets.
    struct Text {
        let range: Range<Int>
        let isImage: Bool
        /// Without other brackets in it.
        let isLabel: Bool
        /// The number of tags in front of it.
        let tags: Int
    }

    private struct Bracket {
        let place: Int
        let isImage: Bool
        let tags: Int
    }

    private var brackets: [Bracket] = []
    /// So many of the first ones have a link behind them: of these, images alone can lead anywhere.
    private var spent = 0
    private var last: Int?

    var isEmpty: Bool { brackets.isEmpty }

    mutating func open(_ place: Int, isImage: Bool, tags: Int) {
        brackets.append(Bracket(place: place, isImage: isImage, tags: tags))
        last = place
    }

    /// - Returns: nil where no bracket is open, or its text holds a link.
    mutating func close(_ place: Int) -> Text? {
        defer { last = place }
        guard let bracket = brackets.popLast() else { return nil }
        let isSpent = brackets.count < spent && !bracket.isImage
        spent = min(spent, brackets.count)
        guard !isSpent else { return nil }
        return Text(
            range: (bracket.place + 1)..<place,
            isImage: bracket.isImage,
            isLabel: bracket.place == last,
            tags: bracket.tags
        )
    }

    /// No link is within another one.
    mutating func spend() { spent = brackets.count }
}
