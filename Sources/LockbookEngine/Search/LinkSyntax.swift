/// How links are written: each is read from one place of a line, no further than its end may be.
enum LinkSyntax {
    /// Longer ones lead nowhere: no path is as long.
    private static let maximumTargetLength = 4_096

    /// Of brackets in a target, as many readers of Markdown have it.
    private static let maximumDepth = 32

    /// `[[target|text]]`; its target is empty when it is about a heading of the note itself.
    static func wikiLink(_ line: [Unicode.Scalar], from start: Int) -> (target: String, end: Int)? {
        guard start + 1 < line.count, line[start] == "[", line[start + 1] == "[" else { return nil }
        var at = start + 2
        while at + 1 < line.count, !(line[at] == "]" && line[at + 1] == "]") {
            guard line[at] != "[" else { return nil }
            at += 1
        }
        guard at + 1 < line.count else { return nil }
        var target = line[(start + 2)..<at].prefix { $0 != "|" && $0 != "#" }
        // In a table the sign in front of the text has a backslash, or it would end the cell.
        if target.last == "\\", line[target.endIndex] == "|" { target.removeLast() }
        return (target.trimmedText, at + 2)
    }

    /// What follows the text of `[text](target "title")`; of one that leads out, no target.
    static func inline(_ line: [Unicode.Scalar], behind close: Int) -> (target: String, end: Int)? {
        guard close + 1 < line.count, line[close + 1] == "(" else { return nil }
        let from = close + 2
        var depth = 1
        var at = from
        while at < min(line.count, from + maximumTargetLength), depth <= maximumDepth {
            if isEscape(line[from...], at) {
                at += 2
                continue
            }
            if line[at] == "(" { depth += 1 }
            if line[at] == ")" { depth -= 1 }
            if depth == 0 { break }
            at += 1
        }
        guard depth == 0 else { return nil }
        return (target(split(line[from..<at]).target), at + 1)
    }

    /// `[label]`, with no other bracket in it.
    static func label(_ line: [Unicode.Scalar], from start: Int) -> (label: String, end: Int)? {
        guard start < line.count, line[start] == "[" else { return nil }
        var at = start + 1
        while at < line.count, line[at] != "]" {
            guard line[at] != "[" else { return nil }
            at += line[at] == "\\" ? 2 : 1
        }
        guard at < line.count else { return nil }
        return (line[(start + 1)..<at].trimmedText, at + 1)
    }

    /// A line `[label]: target "title"`.
    static func definition(_ line: [Unicode.Scalar]) -> (label: String, target: String)? {
        guard let start = line.firstIndex(where: { $0 != " " }),
            let (label, end) = Self.label(line, from: start), !label.isEmpty, !label.hasPrefix("^"),
            end < line.count, line[end] == ":"
        else { return nil }
        let (path, rest) = split(line[(end + 1)...].drop(while: isBlank))
        let title = rest.trimmedText
        let isTitle = title.first.map { "\"'(".contains($0) } ?? true
        guard !path.isEmpty, isTitle else { return nil }
        return (label, target(path))
    }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    /// A target and, behind a blank, its title.
    private static func split(_ text: ArraySlice<Unicode.Scalar>) -> (
        target: ArraySlice<Unicode.Scalar>, rest: ArraySlice<Unicode.Scalar>
    ) {
        if text.first == "<",
            let end = text.indices.first(where: {
                text[$0] == ">" && !($0 > text.startIndex && isEscape(text, $0 - 1))
            })
        {
            return (text[(text.startIndex + 1)..<end], text[(end + 1)...])
        }
        let target = text.prefix { !isBlank($0) }
        return (target, text[target.endIndex...])
    }

    private static func target(_ text: ArraySlice<Unicode.Scalar>) -> String {
        let target = plain(text).trimmedText
        let scheme = target.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        let leadsOut = scheme.count > 1 && target.dropFirst(scheme.count).hasPrefix(":")
        return leadsOut || target.hasPrefix("//") ? "" : NoteMarks.decoded(target)
    }
}

extension LinkSyntax {
    private static let references = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\""]
        .map { (name: Array($0.unicodeScalars), sign: Array($1.unicodeScalars)) }

    /// Whether a sign is a backslash in front of one that it takes the meaning from, as CommonMark has
    /// it for what is punctuation in ASCII.
    fileprivate static func isEscape(_ text: ArraySlice<Unicode.Scalar>, _ at: Int) -> Bool {
        guard text[at] == "\\", at + 1 < text.endIndex, text[at + 1].isASCII else { return false }
        let next = text[at + 1]
        return next.value > 0x20 && next.value < 0x7F && !next.properties.isAlphabetic
            && !("0"..."9").contains(next)
    }

    /// A target up to the heading in it, without what Markdown writes to have signs as they are.
    fileprivate static func plain(
        _ text: ArraySlice<Unicode.Scalar>
    ) -> ArraySlice<Unicode.Scalar> {
        var plain: [Unicode.Scalar] = []
        var at = text.startIndex
        while at < text.endIndex, text[at] != "#" {
            if isEscape(text, at) {
                plain.append(text[at + 1])
                at += 2
            } else if let found = references.first(where: { text[at...].starts(with: $0.name) }) {
                plain += found.sign
                at += found.name.count
            } else {
                plain.append(text[at])
                at += 1
            }
        }
        return plain[...]
    }
}

extension ArraySlice<Unicode.Scalar> {
    /// Without blanks around it.
    var trimmedText: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: self)
        return String(Substring(String(view)).trimmed)
    }
}

extension Substring {
    /// Without blanks around it.
    var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
