/// Reads the tags and links of a note, line by line, and each line once.
struct MarkReader {
    private var found = FoundTags()
    private var direct: [NoteMarks.Link] = []
    private var references = LinkReferences()

    /// In the order of the text, each once, as they are written.
    var tags: [String] { found.outside(of: references) }
    var links: [NoteMarks.Link] { references.among(direct) }

    /// - Parameter wanted: of other marks, only those are read that share a line with one of these.
    mutating func read(_ text: UnsafeBufferPointer<UInt8>, for wanted: NoteMarks.Kind) {
        guard !read(text, for: wanted, in: FrontMatter()) else { return }
        self = MarkReader()
        _ = read(text, for: wanted, in: .none)
    }

    /// - Returns: whether the front matter ends.
    private mutating func read(
        _ text: UnsafeBufferPointer<UInt8>,
        for wanted: NoteMarks.Kind,
        in front: FrontMatter
    ) -> Bool {
        let signs = wanted.signs
        var fence = CodeFence()
        var front = front
        var number = 0
        // The mark that some editors put in front is no part of the first line.
        var start = text.starts(with: "\u{FEFF}".utf8) ? 3 : 0
        while start <= text.count {
            let end = UnsafeRawBufferPointer(text).lineEnd(from: start)
            var line = text[start..<end]
            if end < text.count, line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            start = end + 1
            number += 1
            if !front.isBehind,
                let tags = front.take(Self.text(line)[...], number: number)
            {
                for tag in tags { add(tag, isInBrackets: false) }
                if line.has(UInt8(ascii: "[")) { readProperty(Self.scalars(line), number) }
            } else if !fence.take(line) {
                if signs.contains(where: line.has) {
                    read(Self.scalars(line), number)
                } else if line.mayDefine {
                    _ = define(Self.scalars(line))
                }
            }
        }
        return front.isBehind
    }

    private static func scalars(_ line: CodeFence.Line) -> [Unicode.Scalar] {
        Array(text(line).unicodeScalars)
    }

    private static func text(_ line: CodeFence.Line) -> String {
        String(decoding: line, as: UTF8.self).streamSafe
    }

    /// The wiki links between quotes: without, such brackets are a list within a list.
    private mutating func readProperty(_ line: [Unicode.Scalar], _ number: Int) {
        var quote: Unicode.Scalar?
        var at = 0
        while at < line.count {
            let scalar = line[at]
            let isFirst = at == 0 || " \t[,".unicodeScalars.contains(line[at - 1])
            if scalar == quote {
                quote = nil
            } else if quote != nil {
                if let (target, end) = LinkSyntax.wikiLink(line, from: at) {
                    add(target, isWiki: true, number)
                    at = end
                    continue
                }
            } else if isFirst, scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if isFirst, scalar == "#" {
                return
            }
            at += 1
        }
    }

    /// - Returns: whether a line says where a label leads.
    private mutating func define(_ line: [Unicode.Scalar]) -> Bool {
        guard let (label, target) = LinkSyntax.definition(line) else { return false }
        references.define(label, as: target)
        return true
    }

    private mutating func read(_ line: [Unicode.Scalar], _ number: Int) {
        guard !define(line) else { return }
        var at = 0
        // Others write notes, too: no part of a line is looked through once more for each of its signs.
        var spans = CodeSpans()
        var brackets = OpenBrackets()
        while at < line.count {
            switch line[at] {
            case "\\": at += 2
            case "`": at = spans.end(in: line, from: at)
            case "#" where at == 0 || line[at - 1].properties.isWhitespace:
                let word = NoteTag.word(in: line, from: at + 1)
                add(word.trimmedText, isInBrackets: !brackets.isEmpty)
                at = word.endIndex
            case "[":
                if let (target, end) = LinkSyntax.wikiLink(line, from: at) {
                    add(target, isWiki: true, number)
                    at = end
                } else {
                    let isImage = at > 0 && line[at - 1] == "!"
                    brackets.open(at, isImage: isImage, tags: found.count)
                    at += 1
                }
            case "]":
                if let text = brackets.close(at) {
                    at = readLink(text, in: line, number, &brackets)
                } else {
                    at += 1
                }
            default: at += 1
            }
        }
    }

    /// Reads what follows the bracket behind a text.
    ///
    /// - Returns: where to go on.
    private mutating func readLink(
        _ text: OpenBrackets.Text,
        in line: [Unicode.Scalar],
        _ number: Int,
        _ brackets: inout OpenBrackets
    ) -> Int {
        let close = text.range.upperBound
        if let (target, end) = LinkSyntax.inline(line, behind: close) {
            add(target, isWiki: false, number)
            if !text.isImage { brackets.spend() }
            found.forget(from: text.tags)
            return end
        }
        let next = LinkSyntax.label(line, from: close + 1)
        if let next, !next.label.isEmpty {
            use(next.label, text, number)
        } else if text.isLabel {
            use(line[text.range].trimmedText, text, number)
        }
        return next?.end ?? close + 1
    }

    private mutating func add(_ target: String, isWiki: Bool, _ number: Int) {
        // One without a target leads out of here, or to a heading of the note itself.
        guard !target.isEmpty else { return }
        direct.append(NoteMarks.Link(target: target, isWiki: isWiki, line: number))
    }

    private mutating func use(_ label: String, _ text: OpenBrackets.Text, _ number: Int) {
        references.use(label, line: number, behind: direct.count)
        found.use(label, from: text.tags)
    }

    private mutating func add(_ word: String, isInBrackets: Bool) {
        let tag = NoteTag.withoutEmptyLevels(word)
        if NoteTag.isTag(tag) { found.add(tag, isInBrackets: isInBrackets) }
    }
}
