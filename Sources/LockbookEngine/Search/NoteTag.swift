/// What is a tag here, for the reader of notes and for what writes tags into them.
enum NoteTag {
    /// Whether it may stand in a tag.
    static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "/": true
        // Most are none of the others, and it takes long to look those up.
        case "\0"..."\u{7F}": false
        default:
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || scalar.properties.isEmojiPresentation
                || scalar.properties.generalCategory == .nonspacingMark
        }
    }

    /// Whether a word is one; a number alone is none, as it follows `#` in many texts.
    static func isTag(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy(isPart)
            && word.unicodeScalars.contains { $0.properties.isAlphabetic }
    }

    /// What a tag of another program is here; nil where nothing is left of it.
    ///
    /// One that is a tag stays as it is. In any other `-` stands for what cannot be in one, and
    /// `tag-` in front of one that has no letter.
    static func made(of name: String) -> String? {
        let name = name.streamSafe
        guard !isTag(name) else { return name }
        let levels = name.unicodeScalars.split(separator: "/").map(level)
        let tag = levels.filter { !$0.isEmpty }.joined(separator: "/")
        guard !tag.isEmpty else { return nil }
        return isTag(tag) ? tag : "tag-" + tag
    }

    /// A level of a nested tag: its words with one `-` between them.
    private static func level(_ scalars: Substring.UnicodeScalarView) -> String {
        var level = String.UnicodeScalarView()
        var isApart = true
        for scalar in scalars {
            // A mark is lost with the sign that it belongs to.
            guard isPart(scalar), scalar != "-", !(isApart && scalar.isCombiningMark) else {
                isApart = true
                continue
            }
            if isApart, !level.isEmpty { level.append("-") }
            level.append(scalar)
            isApart = false
        }
        return String(level)
    }
}
