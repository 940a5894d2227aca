/// The records of one line of which a side has the name no more, by where their lines start.
struct NamedLines {
    private(set) var local: [Int: NamedLine] = [:]
    private(set) var remote: [Int: NamedLine] = [:]

    init() {}

    /// Those in the regions that both sides changed, of names that the text has once.
    init(
        in regions: [MergeRegion],
        base: TextPieces,
        local: TextPieces,
        remote: TextPieces,
        of text: MergeText
    ) {
        guard text.size <= MergeText.wordSizeLimit else { return }
        let old = LineNames(in: text.base, of: text)
        var found: [(start: Int, key: Int, line: NamedLine)] = []
        for region in regions where region.taking == .both {
            for line in region.base {
                let range = base.bytes(of: line..<line + 1)
                guard let named = old.name(of: range) else { continue }
                found.append((range.lowerBound, old.key(of: named), named))
            }
        }
        guard !found.isEmpty else { return }
        var counts: [Int: [Int]] = [:]
        for (_, key, _) in found { counts[key] = [0, 0, 0] }
        let versions =
            [(base, old)]
            + [(local, text.local), (remote, text.remote)].map { pieces, range in
                (pieces, LineNames(in: range, of: text))
            }
        for (version, (pieces, names)) in versions.enumerated() {
            for line in 0..<pieces.count {
                guard let named = names.name(of: pieces.bytes(of: line..<line + 1)) else {
                    continue
                }
                counts[names.key(of: named)]?[version] += 1
            }
        }
        for (start, key, line) in found {
            guard let count = counts[key], count[0] == 1 else { continue }
            if count[1] == 0 { self.local[start] = line }
            if count[2] == 0 { self.remote[start] = line }
        }
    }
}

/// Says what the lines of one version are called by.
private struct LineNames {
    private let bytes: [UInt8]
    private let tables: TableForm
    /// The column that says what the rows of a table are called by, as its first row says.
    private var column: (index: Int, isID: Bool)?

    init(in version: Range<Int>, of text: MergeText) {
        (bytes, tables) = (text.bytes, text.tables)
        guard !tables.isDrawn else { return }
        var best = Int.max
        let heading = bytes[version].prefix { $0 != 0x0A }
        for (index, field) in tables.fields(of: heading).enumerated() {
            let key = field.filter { $0 != 0x22 && $0 != 0x0D }[...]
            if let rank = NamedLine.rank(ofKey: key), rank < best {
                (best, column) = (rank, (index, rank == 0))
            }
        }
    }

    func name(of line: Range<Int>) -> NamedLine? {
        let text = bytes[line]
        let end = text.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? text.startIndex
        let words = text[text.startIndex..<end].withoutIndentation
        let named =
            if !tables.isDrawn {
                NamedLine(row: text.dropLast(text.endIndex - end), form: tables, column: column)
            } else {
                switch words.first {
                case 0x7C: NamedLine(row: words, form: tables, column: nil)
                case 0x7B: NamedLine(object: words)
                case 0x3C: NamedLine(element: words)
                default: NamedLine(point: words)
                }
            }
        guard let named, named.isID || named.letters(in: bytes) >= Self.fewestLetters else {
            return nil
        }
        return named
    }

    /// What equal names have alike; seeded anew in each process.
    func key(of line: NamedLine) -> Int {
        var hasher = Hasher()
        for part in line.name { hasher.combine(Array(bytes[part])) }
        return hasher.finalize()
    }

    /// `x`, `no` and `A` are no names.
    private static let fewestLetters = 3
}

extension NamedLine {
    fileprivate func letters(in bytes: [UInt8]) -> Int {
        name.reduce(0) { $0 + bytes[$1].count(where: TextPieces.isOfWord) }
    }
}
