/// A text out of few lines that are hard to tell apart, and two edits of it in which they move, come again
/// and change by a word.
struct DrawnSoup: DrawnTexts {
    enum Kind: String, CaseIterable, Sendable {
        case paths, padded, ragged, twins, sections, flow, events, asides
    }

    private(set) var base: [UInt8]
    private(set) var local: [UInt8]
    private(set) var remote: [UInt8]

    private static let pool: [Kind: [String]] = [
        .paths: [
            "C:\\a\\b1 to D:\\x–y\\2", "see C:\\日本\\b3, then", "\\alpha+\\beta-3", "「A」と「B」、7個",
            "a ⣿ b 12", "x:\\ 1 y:\\ 2", "日本語の本 3冊", "/a/b1/c2?x=1&y=2", "!", "! !", "12–14 km",
            "〇一二", "鿿 1", "ꀀ 1", "the mast and the boat 7", "\t8", "a\\b\\c\\d\\e\\f 1", "",
        ],
        .padded: [
            "| a   | b  | c |", "|-----|----|---|", "| one | 12 | x |", "| two |  3 |   |",
            "|  é  | 船 | y |", "| one | 12 | z |", "|  1  |  2 | 3 |", "| four | 5 | 6 |",
            "|:---:|---:|---|", "", "text below", "| a | b |", "|   |    |   |",
        ],
        .ragged: [
            "1,2,3,4", "9,10,11,12", "\"a,b\",c,d", "\"a\nb\",c,d", "a,b", "", "\"x\"\"y\",1,2,3",
            "1,,3", ",,,", "12,34,567", "a;b;c", "name,of,it,4", "a,b,c,d,e,f,g,h", "1,2,3,5",
            "!,!",
        ],
        .twins: [
            "a", "b", "a b", "{", "}", "", "", "- a", "- b", "  - a", "a:", "b: 1", "a b c", "c",
            "same", "same", "* * *", "1. a", "2. b", "x = 1", "x = 2", "=======", "<<<<<<< x",
            ">>>>>>> y", "||||||| z",
        ],
        .sections: [
            "[a]", "[b]", "[a] !", "[a]!", "# a", "## b", "#c", "# d !", "k = 1", "k = 2", "l: 1",
            "BEGIN:a", "END:a", "", "text", "[x](y)", "[[a]]", "\u{1}", "m > 1", "  [a]", "  k = 1",
        ],
        .flow: [
            "a: {b: 1, c: 2}", "a: {[b]: 1, b: 2}", "a: {[b]: 1, [b]: 2}", "d: [1, {e: 1}]",
            "f: {g: {h: 1}, h: 2}", "i: {j:1, j: 2}", "k: {l:}", "k: {l:,m:}", "n: [o", "  , p]",
            "q: {\"r\": 1, 's': 2}", "t: {\"r\":1,\"r\":2}", "u: {v: # x", "  1}", "w: 'x' # y",
            "w: 'x' y", "z: \"1\"x", "a: [b]#c", "a: [b] #c", "a: {b: 1}}", "? a", "", "- {a: 1}",
        ],
        .events: [
            "BEGIN:VEVENT\nUID:1\nSUMMARY:a\nEND:VEVENT",
            "BEGIN:VEVENT\nUID:2\nSUMMARY:b\nEND:VEVENT",
            "BEGIN:VEVENT\nRECURRENCE-ID:7\nUID:1\nSUMMARY:c\nEND:VEVENT",
            "BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:7\nSUMMARY:d\nEND:VEVENT",
            "BEGIN:VTODO\nUID:3\nDUE:1\nEND:VTODO",
            "BEGIN:VEVENT\nUID:4\n 5\nSUMMARY:e f\nEND:VEVENT",
            "BEGIN:VCARD\nFN:a\nN;ALTID=1;LANGUAGE=de:x\nN;ALTID=1:y\nEND:VCARD",
            "BEGIN:VCARD\nUID:6\nFN:b\nN;X=1:x\nN;X=2:y\nEND:VCARD", "X-A:1",
        ],
        .asides: [
            "{\"a\": 1, // x", "\"b\": 2, /* y */", "\"c\": [1,2,", "3]}", "/* z */", "// w",
            "/**/",
            "/*", "*/", "/", "\"d\": \"//\"", "}", "[", "]", ",", "\"e\": 1,", "\"e\": 2,", "",
        ],
    ]

    /// - Parameters:
    ///   - length: lines of the base, at most.
    ///   - edits: of each side, at most.
    init(seed: UInt64, kind: Kind, length: Int, edits: Int) {
        var random = Seeded(seed)
        let pool = Self.pool[kind] ?? []
        let base = (0..<Int.random(in: 1...length, using: &random)).map { _ in
            pool.randomElement(using: &random) ?? ""
        }
        var (local, remote) = (base, base)
        for _ in 0..<Int.random(in: 1...edits, using: &random) { Self.edit(&local, pool, &random) }
        for _ in 0..<Int.random(in: 1...edits, using: &random) {
            if Int.random(in: 0..<10, using: &random) == 0 { remote = local }
            Self.edit(&remote, pool, &random)
        }
        let isEnded = (0..<3).map { _ in Int.random(in: 0..<5, using: &random) > 0 }
        let bytes = zip([base, local, remote], isEnded).map { lines, isEnded in
            Array((lines.joined(separator: "\n") + (isEnded ? "\n" : "")).utf8)
        }
        (self.base, self.local, self.remote) = (bytes[0], bytes[1], bytes[2])
    }

    private static func edit(_ lines: inout [String], _ pool: [String], _ random: inout Seeded) {
        let new = pool.randomElement(using: &random) ?? ""
        guard !lines.isEmpty else { return lines.append(new) }
        let at = Int.random(in: 0..<lines.count, using: &random)
        let end = min(lines.count, at + Int.random(in: 1...3, using: &random))
        let other = Int.random(in: 0...lines.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: lines.removeSubrange(at..<end)
        case 1, 2: lines.insert(new, at: other)
        case 3: lines[at] = new
        case 4: lines.insert(contentsOf: lines[at..<end], at: other)
        case 5, 6:
            let moved = lines[at..<end]
            lines.removeSubrange(at..<end)
            lines.insert(contentsOf: moved, at: min(other, lines.count))
        case 7: lines[at] += " " + new
        case 8: lines[at] = "  " + lines[at]
        default: editWord(of: &lines[at], new, &random)
        }
    }

    /// Takes a word out, puts another one there, or moves it to the end.
    private static func editWord(of line: inout String, _ new: String, _ random: inout Seeded) {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let at = Int.random(in: 0..<words.count, using: &random)
        let others = new.split(separator: " ").map(String.init)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: words.remove(at: at)
        case 1: words.append(words.remove(at: at))
        case 2: words[at] += others.last ?? "1"
        default: words.insert(others.first ?? "2", at: at)
        }
        line = words.joined(separator: " ")
    }
}
