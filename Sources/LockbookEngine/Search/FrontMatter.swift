/// What stands between two lines `---` at the beginning: of it, the tags.
///
/// Where no second one follows, the first is a line across the page, and `none` is what to read with.
///
/// Of YAML this is what people write there: a list in brackets, over several lines too, one of
/// lines with `-`, or words; and comments.
struct FrontMatter {
    /// As they begin a line: below another key they are of something else.
    static let tagKeys = ["tags:", "Tags:", "TAGS:"]

    /// As YAML says that there is nothing.
    private static let nothing = ["~", "null", "Null", "NULL"]

    private enum State { case before, inside, tags, list, behind }

    /// How entries are told apart: by blanks and commas, by commas up to a bracket, or not at all.
    private enum Shape { case words, list, entry }

    private var state = State.before

    static var none: FrontMatter {
        var front = FrontMatter()
        front.state = .behind
        return front
    }

    /// Whether it is over, or was none.
    var isBehind: Bool { state == .behind }

    /// The tags of a line; nil when it belongs to the note itself.
    mutating func take(_ line: Substring, number: Int) -> [String]? {
        let text = line.trimmed
        switch state {
        case .behind: return nil
        case .before:
            state = number == 1 && text == "---" ? .inside : .behind
            return state == .inside ? [] : nil
        case .inside, .tags, .list:
            guard text != "---", text != "..." else {
                state = .behind
                return []
            }
            return tags(of: text, isIndented: line.first == " " || line.first == "\t")
        }
    }

    private mutating func tags(of text: Substring, isIndented: Bool) -> [String] {
        let isFurther = isIndented || text.isEmpty || text.hasPrefix("#")
        if state == .list, isFurther || text.hasPrefix("]") { return list(text) }
        if state == .tags {
            if text.isEmpty || text.hasPrefix("#") { return [] }
            if text.hasPrefix("-") { return Self.entries(text.dropFirst(), .entry).found }
            if isIndented, text.hasPrefix("[") { return list(text.dropFirst()) }
        }
        guard !isIndented, let key = Self.tagKeys.first(where: { text.hasPrefix($0) }) else {
            state = .inside
            return []
        }
        let value = text.dropFirst(key.count).trimmed
        if value.hasPrefix("[") { return list(value.dropFirst()) }
        let found = Self.entries(value, .words).found
        state = found.isEmpty ? .tags : .inside
        return found
    }

    private mutating func list(_ text: Substring) -> [String] {
        let (found, isClosed) = Self.entries(text, .list)
        state = isClosed ? .inside : .list
        return found
    }

    /// Without quotes and comments; closed is what ends with a bracket.
    private static func entries(_ text: Substring, _ shape: Shape) -> (
        found: [String], isClosed: Bool
    ) {
        let text = Array(text.unicodeScalars)
        var entry: [Unicode.Scalar] = []
        var found: [String] = []
        var quote: Unicode.Scalar?
        var wasQuoted = false
        func add() {
            let name = entry.drop { $0 == "#" }.trimmedText
            let isNothing = !wasQuoted && nothing.contains(entry[...].trimmedText)
            if !name.isEmpty, !isNothing { found.append(name) }
            (entry, wasQuoted) = ([], false)
        }
        for (at, scalar) in text.enumerated() {
            if scalar == quote {
                quote = nil
                continue
            }
            if quote == nil {
                if shape == .list, scalar == "]" {
                    add()
                    return (found, true)
                }
                if isComment(text, at) { break }
                if entry.isEmpty, scalar == "\"" || scalar == "'" {
                    (quote, wasQuoted) = (scalar, true)
                    continue
                }
            }
            let isBlank = LinkSyntax.isBlank(scalar)
            if separates(scalar, shape, isQuoted: quote != nil) {
                add()
            } else if !isBlank || !entry.isEmpty {
                entry.append(scalar)
            }
        }
        add()
        return (found, false)
    }

    private static func separates(
        _ scalar: Unicode.Scalar,
        _ shape: Shape,
        isQuoted: Bool
    ) -> Bool {
        switch shape {
        case .words: scalar == "," || LinkSyntax.isBlank(scalar)
        case .list: scalar == "," && !isQuoted
        case .entry: false
        }
    }

    /// Whether a comment begins: with a `#` before a blank, as `tags: #one #two` says what was meant,
    /// though YAML would not read on.
    private static func isComment(_ text: [Unicode.Scalar], _ at: Int) -> Bool {
        text[at] == "#" && (at == 0 || LinkSyntax.isBlank(text[at - 1]))
            && (at + 1 == text.count || LinkSyntax.isBlank(text[at + 1]))
    }
}
