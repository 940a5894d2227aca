/// Links by label, `[text][label]`, whose targets stand anywhere in the note.
struct LinkReferences {
    private struct Use {
        let label: String
        let line: Int
        /// The number of other links in front of it.
        let place: Int
    }

    /// Brackets, of which most are no links: nothing is done about them before there is a target.
    private var uses: [Use] = []
    private var targets: [String: String] = [:]

    /// The first target of a label counts; an empty one leads out of here.
    mutating func define(_ label: String, as target: String) {
        let label = Self.folded(label)
        if targets[label] == nil { targets[label] = target }
    }

    mutating func use(_ label: String, line: Int, behind place: Int) {
        // What begins with this sign is a footnote.
        guard !label.isEmpty, !label.hasPrefix("^") else { return }
        uses.append(Use(label: label, line: line, place: place))
    }

    /// Whether a label has a target, also one that leads out of here.
    func has(_ label: String) -> Bool { targets[Self.folded(label)] != nil }

    /// These and the other links of a note, in the order of the text.
    func among(_ links: [NoteMarks.Link]) -> [NoteMarks.Link] {
        guard !targets.isEmpty else { return links }
        var all: [NoteMarks.Link] = []
        var place = 0
        for use in uses {
            guard let target = targets[Self.folded(use.label)], !target.isEmpty else { continue }
            all += links[place..<use.place]
            place = use.place
            all.append(NoteMarks.Link(target: target, isWiki: false, line: use.line))
        }
        return all + links[place...]
    }

    private static func folded(_ label: String) -> String {
        label.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
