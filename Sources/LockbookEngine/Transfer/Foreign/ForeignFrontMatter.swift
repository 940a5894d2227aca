/// What is known of a note besides its text, as YAML in front of it.
struct ForeignFrontMatter {
    private var fields: [(key: String, value: String)] = []
    private var tags: [String] = []
    private var knownTags: Set<String> = []

    /// Nothing is put down for an empty value.
    mutating func add(_ key: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        fields.append((key, Self.scalar(value)))
    }

    /// As a reader of tags takes them, each once.
    mutating func add(tags names: [String]) {
        for tag in names.compactMap(NoteTag.made) where knownTags.insert(tag).inserted {
            tags.append(tag)
        }
    }

    /// The note with it in front.
    ///
    /// Where the note has front matter already, what that says stays; tags go to the end of the text
    /// then, if it has some of its own. A byte order mark stays the first of all.
    func before(_ text: String) -> String {
        guard !fields.isEmpty || !tags.isEmpty else { return text }
        guard text.unicodeScalars.first == Self.byteOrderMark else { return inFront(of: text) }
        return String(Self.byteOrderMark)
            + inFront(of: String(text.unicodeScalars.dropFirst()))
    }

    private func inFront(of text: String) -> String {
        var lines = fields.map { "\($0.key): \($0.value)" }
        let list = "tags: [" + tags.map(Self.scalar).joined(separator: ", ") + "]"
        let safe = text.streamSafe
        guard let end = Self.lineEnd(of: safe), let known = Self.keys(of: safe) else {
            if !tags.isEmpty { lines.append(list) }
            return "---\n" + lines.joined(separator: "\n") + "\n---\n\n" + text
        }
        lines = fields.filter { !known.contains($0.key) }.map { "\($0.key): \($0.value)" }
        var rest = text.dropFirst(Self.line.count + 1)
        if !tags.isEmpty, known.contains("tags") {
            rest += rest.utf8.last == UInt8(ascii: "\n") ? end : end + end
            rest += tags.map { "#" + $0 }.joined(separator: " ") + end
        } else if !tags.isEmpty {
            lines.append(list)
        }
        return ([Self.line] + lines).map { $0 + end }.joined() + rest
    }

    private static let byteOrderMark: Unicode.Scalar = "\u{feff}"
    private static let line = "---"

    /// What a text ends its lines with that may begin with front matter; nil for any other.
    private static func lineEnd(of text: String) -> String? {
        ["\n", "\r\n"].first { text.hasPrefix(line + $0) }
    }

    /// Both ends of a line are one character.
    private static func isLineEnd(_ character: Character) -> Bool {
        character == "\n" || character == "\r\n"
    }

    /// The keys of a text's own front matter; nil when that does not end.
    private static func keys(of text: String) -> Set<String>? {
        var keys: Set<String> = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd)
        for line in lines.dropFirst() {
            if line == Self.line || line == "..." { return keys }
            if let colon = line.firstIndex(of: ":"), line.first?.isWhitespace == false {
                keys.insert(String(line[..<colon]))
            }
        }
        return nil
    }

    /// Plain where YAML takes it for the same text, else in quotes.
    private static func scalar(_ value: String) -> String {
        let isPlain = value.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0)
                || "_-/.+".unicodeScalars.contains($0)
        }
        // With a mark, what stands before it would be another sign.
        if isPlain, let first = value.unicodeScalars.first, first.properties.isAlphabetic,
            !first.isCombiningMark,
            !["true", "false", "null", "yes", "no", "on", "off"].contains(value.lowercased())
        {
            return value
        }
        var quoted = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default:
                if scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) {
                    quoted += " "
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return "\"" + quoted + "\""
    }
}
