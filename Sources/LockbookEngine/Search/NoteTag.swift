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
                || scalar.properties.isEmoji || scalar == keycap
                || scalar.properties.generalCategory == .nonspacingMark
        }
    }

    /// What a digit and a variation selector in front of it are an emoji with.
    private static let keycap: Unicode.Scalar = "\u{20e3}"

    /// Whether what is at a place may stand in a tag there, as what joins two emoji to one may.
    private static func isPart(of text: [Unicode.Scalar], at place: Int) -> Bool {
        if isPart(text[place]) { return true }
        return switch text[place] {
        case "\u{200d}": joinsEmoji(text, at: place) || isSpelling(text, at: place)
        case "\u{200c}": isSpelling(text, at: place)
        case "\u{e0030}"..."\u{e0039}", "\u{e0061}"..."\u{e007a}", "\u{e007f}":
            isOfFlag(text, at: place)
        default: false
        }
    }

    /// Whether a joiner, or a non-joiner, stands between letters that it tells how to be written.
    private static func isSpelling(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        place > 0 && place + 1 < text.count && text[place - 1].isOfJoiningScript
            && text[place + 1].isOfJoiningScript
    }

    /// Whether it says of a black flag in front of it whose flag that is (UTS #51, 2.8.1).
    private static func isOfFlag(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        // Six letters or digits at most, and what ends them; no longer row is gone through again for each.
        let before = text[max(0, place - 7)..<place].reversed()
        let code = before.prefix { "\u{e0030}"..."\u{e007a}" ~= $0 }
        return before.dropFirst(code.count).first == "\u{1f3f4}"
    }

    /// A tag as it is compared: capitals do not count, nor what chooses how an emoji is drawn.
    static func compared(_ tag: String) -> String {
        let lower = tag.lowercased()
        // Each of them begins with this byte, which most tags are without.
        guard lower.utf8.contains(0xef) else { return lower }
        var compared = String.UnicodeScalarView()
        compared.append(
            contentsOf: lower.unicodeScalars.filter { $0 != "\u{fe0e}" && $0 != "\u{fe0f}" }
        )
        return String(compared)
    }

    private static func joinsEmoji(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        let hasSelector = place > 0 && text[place - 1] == "\u{fe0f}"
        let first = place - (hasSelector ? 2 : 1)
        return first >= 0 && place + 1 < text.count
            && [text[first], text[place + 1]].allSatisfy { !$0.isASCII && $0.properties.isEmoji }
    }

    /// What from a place on may stand in a tag.
    static func word(in line: [Unicode.Scalar], from start: Int) -> ArraySlice<Unicode.Scalar> {
        var end = start
        while end < line.count, isPart(of: line, at: end) { end += 1 }
        return line[start..<end]
    }

    /// Whether a word is one as it stands.
    ///
    /// A number alone is none, as it follows `#` in many texts, nor what has nothing before, behind or
    /// between slashes.
    static func isTag(_ word: String) -> Bool {
        let scalars = Array(word.unicodeScalars)
        return self.word(in: scalars, from: 0).count == scalars.count
            && scalars.contains { $0.properties.isAlphabetic }
            && !scalars.split(separator: "/", omittingEmptySubsequences: false)
                .contains(where: \.isEmpty)
    }

    /// A word with one slash for several, and none at its ends.
    static func withoutEmptyLevels(_ word: String) -> String {
        let levels = word.unicodeScalars.split(separator: "/")
        return levels.map { String($0) }.joined(separator: "/")
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
        let scalars = Array(scalars)
        var level = String.UnicodeScalarView()
        var isApart = true
        for (place, scalar) in scalars.enumerated() {
            // A mark is lost with the sign that it belongs to.
            guard isPart(of: scalars, at: place), scalar != "-",
                !(isApart && scalar.isCombiningMark)
            else {
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
