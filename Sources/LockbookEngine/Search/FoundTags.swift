/// The tags of a note as they are read, of which those in the text of a link are none.
///
/// Whether brackets are a link by its label is known at the end of the note: until then what stands in
/// them is kept apart.
struct FoundTags {
    /// In the order of the text; those in brackets as often as they stand there.
    private var found: [String] = []
    /// Those outside of brackets, as they are compared.
    private var known: Set<String> = []
    /// Brackets that are links if their label has a target, with the tags in them.
    private var texts: [(label: String, tags: Range<Int>)] = []

    var count: Int { found.count }

    mutating func add(_ tag: String, isInBrackets: Bool) {
        let compared = NoteTag.compared(tag)
        if isInBrackets {
            guard !known.contains(compared) else { return }
        } else {
            guard known.insert(compared).inserted else { return }
        }
        found.append(tag)
    }

    /// What looks like one in the text of a link is none, as in `[issue #a1](https://…)`.
    /// - Parameter place: their number in front of the brackets.
    mutating func forget(from place: Int) {
        found.removeSubrange(place...)
        while let last = texts.last, last.tags.upperBound > place { texts.removeLast() }
    }

    /// - Parameter place: their number in front of the brackets.
    mutating func use(_ label: String, from place: Int) {
        if place < found.count { texts.append((label, place..<found.count)) }
    }

    /// Each once, as it is written first.
    func outside(of references: LinkReferences) -> [String] {
        guard !found.isEmpty else { return [] }
        // Brackets stand in others: how many of them begin and end at each tag.
        var changes = Array(repeating: 0, count: found.count + 1)
        for text in texts where references.has(text.label) {
            changes[text.tags.lowerBound] += 1
            changes[text.tags.upperBound] -= 1
        }
        var depth = 0
        var known: Set<String> = []
        return zip(found, changes).compactMap { tag, change in
            depth += change
            return depth == 0 && known.insert(tag.lowercased()).inserted ? tag : nil
        }
    }
}
