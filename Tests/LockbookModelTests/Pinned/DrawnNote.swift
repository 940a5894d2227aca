/// A note with a form that merges know, and two edits of it: outlines, tables with columns, marks around
/// words, and keys that may stand once at a level.
struct DrawnNote: DrawnTexts {
    enum Kind: String, CaseIterable, Sendable {
        case points, headings, stars, table, csv, tsv, marks, blocks, frontMatter, toml, yaml, ini,
            bib
    }

    private(set) var base: [UInt8]
    private(set) var local: [UInt8]
    private(set) var remote: [UInt8]

    /// - Parameters:
    ///   - length: units (points with what is below, rows, lines) of the base, at most.
    ///   - edits: of each side, at most.
    init(seed: UInt64, kind: Kind, length: Int, edits: Int) {
        var random = Seeded(seed)
        var base = Note(kind: kind, length: length, &random)
        base.endsLine = Int.random(in: 0..<8, using: &random) > 0
        var (local, remote) = (base, base)
        for _ in 0..<Int.random(in: 1...edits, using: &random) { local.edit(&random) }
        for _ in 0..<Int.random(in: 1...edits, using: &random) {
            if Int.random(in: 0..<12, using: &random) == 0 { remote = local }
            remote.edit(&random)
        }
        (self.base, self.local, self.remote) = (base.bytes, local.bytes, remote.bytes)
    }

    /// What files of this kind are called.
    static func fileExtension(_ kind: Kind) -> String {
        switch kind {
        case .points, .headings, .table, .marks, .blocks, .frontMatter: "md"
        case .stars: "org"
        case .csv, .tsv, .toml, .yaml, .ini, .bib: kind.rawValue
        }
    }
}

/// The lines of a note, each with how deep it stands.
private struct Note {
    private struct Line {
        var depth: Int
        var text: String
        /// More of the line before, which goes where that goes.
        var isMore = false
    }

    private let kind: DrawnNote.Kind
    private var lines: [Line] = []
    var endsLine = true

    private static let words = [
        "alpha", "beta", "gamma", "delta", "pay", "boat", "the", "of", "12", "€ 3", "é", "船", "x",
    ]
    private static let keys = ["title", "tags", "when", "status", "Title", "a", "b"]
    private static let marks: [(String, String)] = [
        ("**", "**"), ("_", "_"), ("*", "*"), ("`", "`"), ("[", "](u)"), ("[[", "]]"),
        ("\"", "\""), ("„", "“"), ("(", ")"), ("<b>", "</b>"), ("%%", "%%"), ("<!-- ", " -->"),
        ("~~", "~~"), ("==", "=="), ("$", "$"), ("{", "}"), ("«", "»"),
    ]
    private static let fences = ["```", "~~~", "$$", "%%", "<!--", "-->", ":::", "---", "", ""]

    init(kind: DrawnNote.Kind, length: Int, _ random: inout Seeded) {
        self.kind = kind
        var depth = 0
        for _ in 0..<Int.random(in: 1...length, using: &random) {
            depth = max(0, depth + Int.random(in: -2...1, using: &random))
            add(at: lines.count, depth, &random)
        }
    }

    private static func text(_ count: ClosedRange<Int>, _ random: inout Seeded) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in
            words.randomElement(using: &random) ?? ""
        }.joined(separator: " ")
    }

    private mutating func add(at place: Int, _ depth: Int, _ random: inout Seeded) {
        var line = Line(depth: depth, text: Self.text(1...3, &random))
        var more: [Line] = []
        let key = Self.keys.randomElement(using: &random) ?? ""
        switch kind {
        case .points, .headings, .stars:
            for _ in 0..<max(0, Int.random(in: -1...2, using: &random)) {
                let isBlank = Int.random(in: 0..<4, using: &random) == 0
                let text = isBlank ? "" : Self.text(1...4, &random)
                more.append(Line(depth: depth, text: text, isMore: true))
            }
        case .table, .csv, .tsv:
            line.text = (0..<3).map { _ in Self.text(0...1, &random) }.joined(separator: "|")
        case .marks: line.text = Self.text(3...8, &random)
        case .blocks:
            let isFence = Int.random(in: 0..<3, using: &random) == 0
            if isFence { line.text = Self.fences.randomElement(using: &random) ?? "" }
        case .frontMatter, .yaml: line.text = key + ": " + line.text
        case .toml, .ini:
            let isTable = Int.random(in: 0..<4, using: &random) == 0
            line.text = isTable ? "[\(key)]" : "\(key) = \"\(line.text)\""
        case .bib:
            line.text = "@book{\(key),"
            more =
                (0..<2).map { _ in
                    let field = Self.keys.randomElement(using: &random) ?? ""
                    let text = "  \(field) = {\(Self.text(1...2, &random))},"
                    return Line(depth: 0, text: text, isMore: true)
                } + [Line(depth: 0, text: "}", isMore: true)]
        }
        lines.insert(contentsOf: [line] + more, at: place)
    }

    /// The line with what is more of it and, if that is drawn, with all that is below it.
    private func unit(at place: Int, _ random: inout Seeded) -> Range<Int> {
        let withBelow = Bool.random(using: &random)
        var end = place + 1
        while end < lines.count,
            lines[end].isMore || withBelow && lines[end].depth > lines[place].depth
        {
            end += 1
        }
        return place..<end
    }

    mutating func edit(_ random: inout Seeded) {
        guard !lines.isEmpty else { return add(at: 0, 0, &random) }
        let place = Int.random(in: 0..<lines.count, using: &random)
        let unit = unit(at: place, &random)
        let depth = lines[place].depth
        switch Int.random(in: 0..<12, using: &random) {
        case 0: lines.removeSubrange(unit)
        case 1: add(at: unit.upperBound, depth + Int.random(in: 0...1, using: &random), &random)
        case 2: add(at: unit.lowerBound, depth, &random)
        case 3:
            let moved = lines[unit]
            lines.removeSubrange(unit)
            let target = Int.random(in: 0...lines.count, using: &random)
            lines.insert(contentsOf: moved, at: target)
        case 4, 5:
            // Below a new one.
            for index in unit { lines[index].depth += 1 }
            if Bool.random(using: &random) { add(at: place, depth, &random) }
        case 6: for index in unit { lines[index].depth = max(0, lines[index].depth - 1) }
        case 7: lines.insert(contentsOf: lines[unit], at: unit.upperBound)
        case 8, 9: editForm(at: place, &random)
        default: editWord(of: place, &random)
        }
    }

    private mutating func editWord(of place: Int, _ random: inout Seeded) {
        var parts = lines[place].text.split(separator: " ", omittingEmptySubsequences: false)
            .map(String.init)
        let part = Int.random(in: 0..<parts.count, using: &random)
        parts[part] += Bool.random(using: &random) ? Self.text(1...1, &random) : " new"
        lines[place].text = parts.joined(separator: " ")
    }

    /// Changes what only notes of this kind have.
    private mutating func editForm(at place: Int, _ random: inout Seeded) {
        switch kind {
        case .table, .csv, .tsv: editColumns(&random)
        case .marks, .points, .headings:
            var parts = lines[place].text.split(separator: " ", omittingEmptySubsequences: false)
                .map(String.init)
            let first = Int.random(in: 0..<parts.count, using: &random)
            let last = Int.random(in: first..<min(first + 3, parts.count), using: &random)
            guard let mark = Self.marks.randomElement(using: &random) else { return }
            parts[first] = mark.0 + parts[first]
            parts[last] += mark.1
            lines[place].text = parts.joined(separator: " ")
        case .blocks:
            for at in [place, min(place + 3, lines.count)] {
                lines.insert(Line(depth: 0, text: Self.fences[0]), at: at)
            }
        default: editWord(of: place, &random)
        }
    }

    /// Adds a column, takes one out or moves one, in all rows.
    private mutating func editColumns(_ random: inout Seeded) {
        let (one, other) = (
            Int.random(in: 0..<3, using: &random), Int.random(in: 0..<3, using: &random)
        )
        let how = Int.random(in: 0..<3, using: &random)
        for index in lines.indices {
            var fields = lines[index].text
                .split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard one < fields.count, other < fields.count else { continue }
            switch how {
            case 0: fields.insert("c\(index)", at: one)
            case 1: fields.remove(at: one)
            default: fields.swapAt(one, other)
            }
            lines[index].text = fields.joined(separator: "|")
        }
    }

    private func rendered(_ line: Line) -> String {
        let indentation = String(repeating: "  ", count: line.depth)
        let signs = { (sign: String) in String(repeating: sign, count: line.depth + 1) }
        switch kind {
        case .points: return indentation + (line.isMore ? "  " : "- ") + line.text
        case .headings: return line.isMore ? line.text : signs("#") + " " + line.text
        case .stars: return line.isMore ? line.text : signs("*") + " " + line.text
        case .table:
            return "| " + line.text.replacing("|", with: " | ") + " |"
        case .csv: return line.text.replacing("|", with: ",")
        case .tsv: return line.text.replacing("|", with: "\t")
        case .yaml: return indentation + line.text
        case .marks, .blocks, .frontMatter, .toml, .ini, .bib: return line.text
        }
    }

    var bytes: [UInt8] {
        var rows = lines.map(rendered)
        if kind == .table, !rows.isEmpty { rows.insert("|---|---|---|", at: 1) }
        if kind == .frontMatter { rows = ["---"] + rows + ["---", "text"] }
        return Array((rows.joined(separator: "\n") + (endsLine ? "\n" : "")).utf8)
    }
}
