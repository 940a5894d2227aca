/// A text of whole records, and two edits in which lines and records come, go, move and change.
struct DrawnPage: DrawnTexts {
    enum Kind: String, CaseIterable, Sendable {
        case events, contacts, objects, records, elements, older, journal, outline, sheet, prose
    }

    private(set) var base: [UInt8]
    private(set) var local: [UInt8]
    private(set) var remote: [UInt8]

    /// What files of this kind are called.
    static func fileExtension(_ kind: Kind) -> String {
        switch kind {
        case .events: "ics"
        case .contacts: "vcf"
        case .objects: "json"
        case .records: "jsonl"
        case .elements: "svg"
        case .outline: "org"
        case .sheet: "csv"
        case .older, .journal, .prose: "md"
        }
    }

    /// - Parameters:
    ///   - length: records of the base, at most.
    ///   - edits: of each side, at most.
    init(seed: UInt64, kind: Kind, length: Int, edits: Int) {
        var random = Seeded(seed)
        let base = PageRecords.page(kind, Int.random(in: 1...length, using: &random), &random)
        var (local, remote) = (base, base)
        for _ in 0..<Int.random(in: 1...edits, using: &random) {
            Self.edit(&local, kind, &random)
        }
        for _ in 0..<Int.random(in: 1...edits, using: &random) {
            if Int.random(in: 0..<10, using: &random) == 0 { remote = local }
            Self.edit(&remote, kind, &random)
        }
        let ending = Int.random(in: 0..<9, using: &random) == 0 ? "\r\n" : "\n"
        let bytes = [base, local, remote].map { lines in
            let own = Int.random(in: 0..<30, using: &random) == 0 ? "\r\n" : ending
            let isEnded = Int.random(in: 0..<9, using: &random) > 0
            let hasMark = Int.random(in: 0..<25, using: &random) == 0
            let text = lines.joined(separator: own) + (isEnded ? own : "")
            return (hasMark ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
        }
        (self.base, self.local, self.remote) = (bytes[0], bytes[1], bytes[2])
    }

    private static func edit(_ lines: inout [String], _ kind: Kind, _ random: inout Seeded) {
        let new = PageRecords.record(kind, &random)
        guard !lines.isEmpty else {
            lines = new
            return
        }
        let at = Int.random(in: 0..<lines.count, using: &random)
        let end = min(lines.count, at + Int.random(in: 1...4, using: &random))
        let other = Int.random(in: 0...lines.count, using: &random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: lines.remove(at: at)
        case 1: lines.removeSubrange(at..<end)
        case 2: lines.insert(contentsOf: new, at: at)
        case 3: lines.insert(contentsOf: new, at: other)
        case 4: lines.insert(new.randomElement(using: &random) ?? "", at: at)
        case 5: lines[at] = new.randomElement(using: &random) ?? ""
        case 6, 7:
            let moved = lines[at..<end]
            lines.removeSubrange(at..<end)
            lines.insert(contentsOf: moved, at: min(other, lines.count))
        case 8: lines.replaceSubrange(at..<end, with: new)
        case 9: editBytes(of: &lines[at], &random)
        default: editWord(of: &lines[at], &random)
        }
    }

    /// Puts a sign at a place of a line, or takes one out.
    private static func editBytes(of line: inout String, _ random: inout Seeded) {
        let signs = [",", "\"", ":", " ", "*", "`", "(", ")", "_", "<", ">", "é", "1", ""]
        var letters = Array(line)
        let at = Int.random(in: 0...letters.count, using: &random)
        if at < letters.count, Bool.random(using: &random) { letters.remove(at: at) }
        line =
            String(letters[..<at]) + (signs.randomElement(using: &random) ?? "")
            + String(letters[at...])
    }

    private static func editWord(of line: inout String, _ random: inout Seeded) {
        let signs = ["*", "_", "**", "`", "==", "\"", "(", "[["]
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let at = Int.random(in: 0..<words.count, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: words.insert(PageRecords.word(&random), at: at)
        case 1: words.remove(at: at)
        case 2: words[at] = (signs.randomElement(using: &random) ?? "") + words[at]
        case 3: words[at] += signs.randomElement(using: &random) ?? ""
        case 4: words[at] += PageRecords.word(&random)
        default: words[at] = PageRecords.word(&random)
        }
        line = words.joined(separator: " ")
    }
}
