/// The tags and links of a note, as Markdown and wikis write them; what stands in code is neither.
///
/// A tag is `#` and letters, digits, `_`, `-` or `/`, with a letter among them, behind a blank or at
/// the beginning of a line; or an entry of `tags` in the front matter that is made of these. A link is
/// `[[target|text]]` or `[text](target "title")`; one that has a scheme, as in `https:`, leads out of
/// here and is none.
public struct NoteMarks: Sendable, Equatable {
    public struct Link: Sendable, Equatable {
        /// As it is written, without its text, title and heading; percent signs resolved.
        public var target: String
        public var isWiki: Bool
        /// From 1.
        public var line: Int
    }

    /// In the order of the text, each once, as they are written.
    public private(set) var tags: [String] = []
    public private(set) var links: [Link] = []
    private var known: Set<String> = []

    public init(_ text: String) {
        var text = text
        // By bytes that lie together: to find the characters of all notes takes longer than all else here.
        text.withUTF8 { read($0) }
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
        var fence: UInt8?
        var front = FrontMatter()
        var number = 0
        // The mark that some editors put in front is no part of the first line.
        var rest = text.starts(with: "\u{FEFF}".utf8) ? text.dropFirst(3) : text[...]
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            var line = end.map { rest[..<$0] } ?? rest
            if end != nil, line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            number += 1
            if !front.isBehind,
                let found = front.take(String(decoding: line, as: UTF8.self)[...], number: number)
            {
                for tag in found { add(tag) }
            } else if let mark = Self.fence(line) {
                if fence == nil { fence = mark } else if fence == mark { fence = nil }
            } else if fence == nil,
                line.contains(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "[") })
            {
                let line = String(decoding: line, as: UTF8.self)
                read(Array(line.unicodeScalars), number: number)
            }
            guard let end else { return }
            rest = rest[(end + 1)...]
        }
    }

    /// Of what the fence is made that a line begins with: three of these stand around code.
    private static func fence(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8? {
        let start = line.drop { $0 == UInt8(ascii: " ") }.prefix(3)
        guard start.count == 3, let mark = start.first,
            mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~")
        else { return nil }
        return start.allSatisfy { $0 == mark } ? mark : nil
    }

    private mutating func add(_ tag: String) {
        let isTag =
            tag.unicodeScalars.allSatisfy(Self.isOfTag)
            && tag.unicodeScalars.contains { $0.properties.isAlphabetic }
        if isTag, known.insert(tag.lowercased()).inserted { tags.append(tag) }
    }

    private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "_-/".unicodeScalars.contains(scalar) || scalar.properties.isEmojiPresentation
            || scalar.properties.generalCategory == .nonspacingMark
    }

    private mutating func read(_ line: [Unicode.Scalar], number: Int) {
        var at = 0
        // Others write notes, too: no part of a line is looked through once more for each of its signs.
        var lastRuns: [Int: Int]?
        var close = -1
        while at < line.count {
            switch line[at] {
            case "\\": at += 2
            case "`":
                let runs = lastRuns ?? Self.lastRuns(of: line)
                lastRuns = runs
                at = Self.endOfCode(line, from: at, runs)
            case "#" where at == 0 || line[at - 1].properties.isWhitespace:
                let word = line[(at + 1)...].prefix(while: Self.isOfTag)
                add(Self.text(word))
                at = max(at + 1, word.endIndex)
            case "[":
                if close < at { close = line[at...].firstIndex(of: "]") ?? line.count }
                if let (link, end) = Self.wikiLink(line, from: at, number: number)
                    ?? Self.markdownLink(line, closedAt: close, number: number)
                {
                    links += link.map { [$0] } ?? []
                    at = end
                } else {
                    at += 1
                }
            default: at += 1
            }
        }
    }

    /// Behind as many backquotes as it began with; behind these where no others follow.
    /// - Parameter runs: where the last of as many begins.
    private static func endOfCode(
        _ line: [Unicode.Scalar],
        from start: Int,
        _ runs: [Int: Int]
    ) -> Int {
        let ticks = line[start...].prefix { $0 == "`" }.count
        guard let last = runs[ticks], last > start else { return start + ticks }
        var at = start + ticks
        while at < line.count {
            let run = line[at...].prefix { $0 == "`" }.count
            if run == ticks { return at + run }
            at += max(1, run)
        }
        return start + ticks
    }

    private static func lastRuns(of line: [Unicode.Scalar]) -> [Int: Int] {
        var runs: [Int: Int] = [:]
        var at = 0
        while at < line.count {
            let run = line[at...].prefix { $0 == "`" }.count
            if run > 0 { runs[run] = at }
            at += max(1, run)
        }
        return runs
    }

    /// Longer ones lead nowhere: no path is as long.
    private static let maximumTargetLength = 4_096

    private static func wikiLink(_ line: [Unicode.Scalar], from start: Int, number: Int)
        -> (Link?, end: Int)?
    {
        guard start + 1 < line.count, line[start + 1] == "[" else { return nil }
        var at = start + 2
        while at + 1 < line.count, !(line[at] == "]" && line[at + 1] == "]") {
            guard line[at] != "[" else { return nil }
            at += 1
        }
        guard at + 1 < line.count else { return nil }
        let inner = line[(start + 2)..<at].prefix { $0 != "|" && $0 != "#" && $0 != "^" }
        return (link(text(inner), isWiki: true, number: number), at + 2)
    }

    private static func markdownLink(_ line: [Unicode.Scalar], closedAt close: Int, number: Int)
        -> (Link?, end: Int)?
    {
        guard close + 1 < line.count, line[close + 1] == "(" else { return nil }
        let from = close + 2
        var depth = 1
        var at = from
        while at < min(line.count, from + maximumTargetLength) {
            if line[at] == "(" { depth += 1 }
            if line[at] == ")" { depth -= 1 }
            if depth == 0 { break }
            at += 1
        }
        guard depth == 0 else { return nil }
        var inner = line[from..<at]
        if inner.first == "<", let end = inner.firstIndex(of: ">") {
            inner = inner[(from + 1)..<end]
        } else {
            // A title follows behind a blank.
            inner = inner.prefix { $0 != " " }
        }
        let target = text(inner.prefix { $0 != "#" })
        let scheme = target.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        let leadsOut = scheme.count > 1 && target.dropFirst(scheme.count).hasPrefix(":")
        guard !leadsOut, !target.hasPrefix("//") else { return (nil, at + 1) }
        return (link(decoded(target), isWiki: false, number: number), at + 1)
    }

    private static func link(_ target: String, isWiki: Bool, number: Int) -> Link? {
        // One without a target is about a heading of the note itself.
        target.isEmpty ? nil : Link(target: target, isWiki: isWiki, line: number)
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        var text = Substring(String(view))
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// A link's target with its percent signs resolved.
    static func decoded(_ target: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(target.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? target
    }
}

/// What stands between two lines `---` at the beginning: of it, the tags.
private struct FrontMatter {
    private enum State { case before, inside, tags, behind }
    private var state = State.before

    var isBehind: Bool { state == .behind }

    /// The tags of a line; nil when it belongs to the note itself.
    mutating func take(_ line: Substring, number: Int) -> [String]? {
        let text = line.trimmed
        switch state {
        case .behind: return nil
        case .before:
            state = number == 1 && text == "---" ? .inside : .behind
            return state == .inside ? [] : nil
        case .inside, .tags:
            if text == "---" || text == "..." {
                state = .behind
            } else if state == .tags, text.hasPrefix("-") {
                return [Self.plain(text.dropFirst())]
            } else if text.hasPrefix("tags:") {
                state = .tags
                let value = text.dropFirst(5).trimmed
                let isList = value.hasPrefix("[")
                let inner = isList ? value.dropFirst().prefix { $0 != "]" } : value
                return inner.split { $0 == "," || (!isList && $0 == " ") }.map(Self.plain)
            } else {
                state = .inside
            }
            return []
        }
    }

    private static func plain(_ text: Substring) -> String {
        String(text.trimmed.filter { $0 != "\"" && $0 != "'" }.drop { $0 == "#" })
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
