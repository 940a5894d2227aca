/// The records of a text: a line, and those that are indented below it, or stand in its section.
struct TextRecords {
    struct Record {
        /// The line that it is called by, and those below it.
        let lines: Range<Int>
        /// The line that says what tells it from all others, whatever it is called: `id: a7`.
        let id: Int?

        /// The line that says what it is called: the first one with more than a bracket.
        func name(of pieces: TextPieces, in bytes: [UInt8]) -> Int {
            lines.first { line in
                let text = bytes[pieces.bytes(of: line..<line + 1)]
                return text.contains(where: TextPieces.isOfWord)
                    && !text.withoutIndentation.starts(with: "[[".utf8)
            } ?? lines.lowerBound
        }
    }

    private struct Open {
        let start: Int
        let depth: Int
        /// Whether a line may say what tells it from all others: a point of a list, or a section.
        let mayHaveID: Bool
        var end: Int
        var id: Int?
    }

    /// Those with more than one line, or with what tells them from others, by where they end.
    private(set) var all: [Record] = []
    private let pieces: TextPieces
    private let bytes: [UInt8]
    private let isOrg: Bool
    private var open: [Open] = []
    /// What the block of code that is read ends with.
    private var fence: ArraySlice<UInt8>?

    /// Records in more others than that are part of these only.
    private static let depthLimit = 128

    init(of lines: TextPieces, in bytes: [UInt8], isOrg: Bool = false) {
        (pieces, self.bytes, self.isOrg) = (lines, bytes, isOrg)
        for line in 0..<lines.count { read(line) }
        close(beyond: .min)
    }

    private mutating func read(_ line: Int) {
        guard let indentation = pieces.depth(ofLine: line, in: bytes) else { return }
        let words = bytes[pieces.bytes(of: line..<line + 1)].withoutIndentation.withoutEnd
        if let fence {
            extend(to: line)
            if words == fence { self.fence = nil }
            return
        }
        for sign in ["```", "~~~"] where words.starts(with: sign.utf8) {
            fence = words.prefix { $0 == words.first }
        }
        let heading = isOrg ? words.depth(ofHeading: 0x2A) : words.headingDepth
        let isSection = heading == nil && words.first == 0x5B && words.last == 0x5D
        // What is in a heading's text is below it, however little it is indented.
        let depth = heading.map { $0 - 16 } ?? (isSection ? -1 : indentation)
        close(beyond: depth)
        if let outer = open.indices.last, open[outer].mayHaveID, open[outer].id == nil,
            words.isID
        {
            open[outer].id = line
        }
        extend(to: line)
        guard open.count < Self.depthLimit else { return }
        let point = words.point
        let mayHaveID = isSection || isOrg && heading != nil || point != nil || words.first == 0x3C
        open.append(
            Open(
                start: line,
                depth: depth,
                mayHaveID: mayHaveID,
                end: line + 1,
                id: point?.isID == true || words.isEntry || words.idAttribute != nil ? line : nil
            )
        )
    }

    private mutating func extend(to line: Int) {
        if let last = open.indices.last { open[last].end = line + 1 }
    }

    private mutating func close(beyond depth: Int) {
        while let record = open.last, record.depth >= depth {
            open.removeLast()
            if let outer = open.indices.last { open[outer].end = max(open[outer].end, record.end) }
            let lines = record.start..<record.end
            if lines.count > 1 || record.id != nil {
                all.append(Record(lines: lines, id: record.id))
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// What a record is called by a line: without blanks, marks of headings and lists, and boxes.
    var recordName: ArraySlice<UInt8> {
        let words = withoutIndentation.withoutEnd
        if let id = words.idAttribute { return id }
        if let depth = words.headingDepth { return words.dropFirst(depth + 1).withoutIndentation }
        let name = words.point ?? words
        guard name.first == 0x5B, name.count > 3, name[name.startIndex + 2] == 0x5D,
            name[name.startIndex + 3] == 0x20
        else { return name }
        return name.dropFirst(4)
    }

    fileprivate var withoutEnd: ArraySlice<UInt8> {
        self[startIndex..<(lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? startIndex)]
    }

    /// What stands behind the mark of a point of a list; nil where there is none.
    fileprivate var point: ArraySlice<UInt8>? {
        guard let first, [0x2A, 0x2B, 0x2D].contains(first), dropFirst().first == 0x20 else {
            return nil
        }
        return dropFirst(2).withoutIndentation
    }

    /// The attribute of an element that tells it from all others; nil where this line has none.
    fileprivate var idAttribute: ArraySlice<UInt8>? {
        guard first == 0x3C else { return nil }
        var rest = prefix { $0 != 0x3E }
        while let blank = rest.firstIndex(where: { $0 <= 0x20 }) {
            rest = rest[(blank + 1)...]
            guard rest.starts(with: "id=".utf8), let quote = rest.dropFirst(3).first,
                quote == 0x22 || quote == 0x27,
                let end = rest.dropFirst(4).firstIndex(of: quote)
            else { continue }
            return rest[...end]
        }
        return nil
    }

    /// Whether an entry of BibTeX begins with it, which says its key.
    fileprivate var isEntry: Bool {
        guard first == 0x40, let start = firstIndex(of: 0x7B) else { return false }
        return self[(start + 1)...].contains(where: TextPieces.isOfWord)
    }

    /// How many `#` a heading begins with.
    fileprivate var headingDepth: Int? { depth(ofHeading: 0x23) }

    /// How many of a sign a heading begins with.
    fileprivate func depth(ofHeading sign: UInt8) -> Int? {
        let signs = prefix { $0 == sign }.count
        return (1...6).contains(signs) && dropFirst(signs).first == 0x20 ? signs : nil
    }

    /// Whether it is a key and a value, and the key one of those that tell records apart.
    fileprivate var isID: Bool {
        // A property of Org stands between two colons.
        if first == 0x3A { return dropFirst().isID }
        guard let end = firstIndex(where: { $0 == 0x3A || $0 == 0x3D }),
            self[(end + 1)...].contains(where: { $0 > 0x20 })
        else { return false }
        let name = self[..<end].withoutEnd.filter { $0 != 0x22 && $0 != 0x27 }
        return JSONTree.isID(name)
    }
}
