import LockbookModel

/// Links of a TextBundle to its assets, made to paths.
struct TextBundleLinks {
    /// What a link to an asset begins with, or that behind `./`.
    static let assets = "assets/"

    /// Where the note is.
    let folder: [FileName]
    /// Where assets are, by their paths in the bundle.
    let places: [String: [FileName]]

    /// A text whose links to assets, with and without `%20` and the like, lead to where these are now.
    ///
    /// Those that it still has then lead to what the bundle does not hold.
    func made(of bytes: [UInt8]) -> ForeignPlan.Made {
        guard let text = String(validating: bytes, as: UTF8.self),
            text[...].firstRange(ofASCII: Self.assets) != nil
        else { return ForeignPlan.Made(bytes: bytes) }
        let result = relative(text)
        var lost: Set<String> = []
        for link in NoteMarks(result).links where !link.isWiki {
            let isDotted = link.target.utf8.starts(with: "./".utf8)
            let target = isDotted ? link.target.behind("./") : link.target
            let isAsset = target.utf8.starts(with: Self.assets.utf8)
            if isAsset, places[target] == nil { lost.insert(target) }
        }
        return ForeignPlan.Made(bytes: Array(result.utf8), lost: lost.sorted())
    }

    private func relative(_ text: String) -> String {
        // A path may have three times the bytes where its letters are composed otherwise, and each in an
        // escape of three. Behind each of many beginnings the end of a text would be far.
        let longest = 9 * (places.keys.map(\.utf8.count).max() ?? 0)
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstRange(ofASCII: Self.assets) {
            var before = rest[..<start]
            if before.utf8.suffix(2).elementsEqual("./".utf8) {
                before = Substring(before.utf8.dropLast(2))
            }
            let ends = Self.ends(behind: before, in: rest[start...].utf8.prefix(longest + 1))
            let targets = ends.map { rest[start..<$0] }
            let target = targets.first { place(of: $0) != nil }
            if let target, let found = place(of: target) {
                result += before
                result += ForeignNames.link(from: folder, to: found)
                rest = rest[target.endIndex...]
            } else {
                result += rest[..<start]
                result += Self.assets
                rest = Substring(rest[start...].utf8.dropFirst(Self.assets.utf8.count))
            }
        }
        return result + rest
    }

    private func place(of target: Substring) -> [FileName]? {
        let text = String(target)
        return places[NoteMarks.decoded(text)] ?? places[text]
            ?? places[NoteMarks.decoded(Self.unescaped(text))]
    }

    /// A target as Markdown reads it: a backslash stands in front of signs that would mean something.
    private static func unescaped(_ target: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(target.utf8)[...]
        while let byte = rest.popFirst() {
            let isEscape = byte == UInt8(ascii: "\\") && rest.first.map(isPunctuation) ?? false
            bytes.append(isEscape ? rest.removeFirst() : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        (0x21...0x2f).contains(byte) || (0x3a...0x40).contains(byte) || (0x5b...0x60).contains(byte)
            || (0x7b...0x7e).contains(byte)
    }

    /// Where a target may end, by what stands before it, the likeliest first; a few at most.
    private static func ends(
        behind before: Substring,
        in text: Substring.UTF8View
    ) -> [Substring.Index] {
        var ends: [Substring.Index?] = []
        switch before.utf8.last {
        case UInt8(ascii: "("):
            // The target may have such signs itself, and a title behind it.
            ends = [closing(text), text.firstIndex(of: UInt8(ascii: ")")), blank(text)]
        case UInt8(ascii: "<"): ends = [text.firstIndex(of: UInt8(ascii: ">"))]
        case UInt8(ascii: "\""): ends = [text.firstIndex(of: UInt8(ascii: "\""))]
        case UInt8(ascii: "'"): ends = [text.firstIndex(of: UInt8(ascii: "'"))]
        case UInt8(ascii: "=") where isAttribute(before):
            ends = [text.firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") }]
        default:
            guard isDefinition(before) else { return [] }
            let line = text.firstIndex { $0 == 0x0a || $0 == 0x0d }
            ends = [blank(text), line ?? text.endIndex]
        }
        // Of a heading or page in it.
        ends.append(text.firstIndex(of: UInt8(ascii: "#")))
        return ends.compactMap { $0 }
    }

    /// The parenthesis that closes the one before the text.
    private static func closing(_ text: Substring.UTF8View) -> Substring.Index? {
        var depth = 1
        var isEscaped = false
        return text.firstIndex { byte in
            guard !isEscaped else {
                isEscaped = false
                return false
            }
            isEscaped = byte == UInt8(ascii: "\\")
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            return depth == 0
        }
    }

    private static func blank(_ text: Substring.UTF8View) -> Substring.Index? {
        text.firstIndex { $0 == 0x20 || $0 == 0x09 }
    }

    /// Whether a text ends with what HTML has in front of a target without quotes.
    private static func isAttribute(_ before: Substring) -> Bool {
        ["src=", "href="].contains {
            String(Substring(before.utf8.suffix($0.utf8.count))).lowercased() == $0
        }
    }

    /// Whether a line begins so that says where a label leads: `[label]: `.
    private static func isDefinition(_ before: Substring) -> Bool {
        var text = before.utf8
        // Many blanks are no beginning of a link, and not gone through for each.
        for _ in 0..<8 where text.last == 0x20 || text.last == 0x09 { text = text.dropLast() }
        return text.suffix(2).elementsEqual("]:".utf8)
    }
}

extension Substring {
    fileprivate func firstRange(ofASCII word: String) -> Index? {
        var at = startIndex
        while at < endIndex {
            guard let first = self[at...].utf8.firstIndex(of: word.utf8.first ?? 0) else {
                return nil
            }
            if self[first...].utf8.starts(with: word.utf8) { return first }
            at = utf8.index(after: first)
        }
        return nil
    }
}
