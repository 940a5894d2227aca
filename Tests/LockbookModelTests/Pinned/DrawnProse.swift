/// A document of words and two edits of it, with all that makes lines and words hard to tell apart.
struct DrawnProse {
    private(set) var base: [UInt8]
    private(set) var local: [UInt8]
    private(set) var remote: [UInt8]

    private static let words = [
        "a", "the", "of", "note", "3.14", "1,000", "x,y", "don't", "a@b.c", "naïve", "日本", "日",
        "本語",
        "snake_case", "well-known", "and/or", "10:30", "(so)", "end.", "…", "#", "-", "*", "Ω", "é",
        "z9", "0", "/", "'",
    ]
    private static let lines = [
        "", "", "", "{", "}", "---", "=======", "<<<<<<< alice on laptop", ">>>>>>> bob on phone",
        "||||||| base", "======== ", "<<<<<<<<", ">>>>>>>>> x", "\t", "  indented",
    ]

    /// - Parameters:
    ///   - length: lines of the base, at most.
    ///   - edits: of each side, at most.
    init(seed: UInt64, length: Int, edits: Int) {
        var random = Seeded(seed)
        var base = (0..<Int.random(in: 0...length, using: &random)).map { _ in
            Self.line(&random)
        }
        if !base.isEmpty, Int.random(in: 0..<6, using: &random) == 0 {
            Self.addConflict(to: &base, &random)
        }
        var (local, remote) = (base, base)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            Self.edit(&local, &random)
            remote = local
        }
        for _ in 0..<Int.random(in: 0...edits, using: &random) { Self.edit(&local, &random) }
        for _ in 0..<Int.random(in: 0...edits, using: &random) { Self.edit(&remote, &random) }
        let ending = Int.random(in: 0..<8, using: &random)
        self.base = Self.bytes(base, ending, &random)
        self.local = Self.bytes(local, ending, &random)
        self.remote = Self.bytes(remote, ending == 7 ? 1 : ending, &random)
    }

    private static func word(_ random: inout Seeded) -> String {
        words.randomElement(using: &random) ?? ""
    }

    private static func line(_ random: inout Seeded) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return lines.randomElement(using: &random) ?? ""
        }
        let count = Int.random(in: 1...9, using: &random)
        return (0..<count).map { _ in word(&random) }.joined(separator: " ")
    }

    /// Both versions of some lines between markers, of which one is often the line as it was.
    private static func addConflict(to text: inout [String], _ random: inout Seeded) {
        let at = Int.random(in: 0..<text.count, using: &random)
        let marker = { (sign: String) in String(repeating: sign, count: 7) }
        text.replaceSubrange(
            at...at,
            with: [marker("<") + " x", text[at], marker("="), line(&random), marker(">") + " y"]
        )
    }

    private static func edit(_ text: inout [String], _ random: inout Seeded) {
        let at = Int.random(in: 0...text.count, using: &random)
        let span = min(text.count - at, Int.random(in: 1...3, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0: text.removeSubrange(at..<at + span)
        case 1: text.replaceSubrange(at..<at + span, with: (0..<span).map { _ in line(&random) })
        case 2: text.insert(line(&random), at: at)
        case 3: text.insert(contentsOf: text[at..<at + span], at: min(at + 1, text.count))
        case 4 where span > 0: addConflict(to: &text, &random)
        case 5 where span > 0: text[at] += " " + word(&random)
        case 6 where span > 0: text[at] = word(&random) + " " + text[at]
        default:
            guard span > 0 else { return }
            var parts = text[at].split(separator: " ", omittingEmptySubsequences: false)
                .map(String.init)
            let part = Int.random(in: 0..<parts.count, using: &random)
            parts[part] = Bool.random(using: &random) ? word(&random) : parts[part] + word(&random)
            text[at] = parts.joined(separator: " ")
        }
    }

    private static func bytes(_ text: [String], _ ending: Int, _ random: inout Seeded) -> [UInt8] {
        var bytes: [UInt8] = []
        for (number, line) in text.enumerated() {
            bytes += line.utf8
            let isLast = number == text.count - 1
            if isLast, Int.random(in: 0..<5, using: &random) == 0 { continue }
            let isCRLF = ending == 1 || ending == 2 && Bool.random(using: &random)
            bytes += isCRLF ? [0x0D, 0x0A] : [0x0A]
        }
        return bytes
    }
}
