/// Reads the maps of YAML that are written in lines: each key by how far it is indented.
///
/// Maps in brackets are read as well, texts in quotes and in blocks are passed over. Nothing is said of a
/// document with tabs before words, with anchors, tags or keys behind question marks, nor of one that is
/// no YAML.
struct YAMLKeys {
    /// A map, or a list, of which each key or point stands in one column.
    private struct Block {
        let column: Int
        /// The level of the keys; nil of a list.
        let level: Int?
    }

    /// What stands behind the last key or point.
    private enum Given {
        case nothing
        /// A text without quotes: lines that are indented further go on with it.
        case plain
        case whole
    }

    private var cursor: LineCursor
    private var levels = KeyLevels()
    /// The maps and lists around, outermost first.
    private var blocks: [Block] = []
    /// How far the last key or point was indented; nil where a document starts.
    private var column: Int?
    private var given = Given.nothing
    private var isSure = true

    private static let depthLimit = 128

    /// The keys that are there again; nil where the reader is not sure.
    static func repeated(in bytes: ArraySlice<UInt8>) -> [RepeatedKey]? {
        var reader = YAMLKeys(cursor: LineCursor(bytes))
        while reader.isSure, let line = reader.cursor.line() { reader.read(line) }
        return reader.isSure && !reader.levels.isFull ? reader.levels.repeated : nil
    }

    private init(cursor: LineCursor) {
        self.cursor = cursor
    }

    private mutating func read(_ line: ArraySlice<UInt8>) {
        if Self.isMark(line.withoutTrail) {
            blocks = []
            column = nil
            given = .nothing
            return
        }
        let words = line.drop { $0 == 0x20 }
        guard words.first != 0x09, !levels.isFull else {
            isSure = false
            return
        }
        read(words, from: words.startIndex - line.startIndex)
    }

    /// Reads points of lists, and a key with what follows it.
    private mutating func read(_ words: ArraySlice<UInt8>, from start: Int) {
        guard let first = words.first, first != 0x23 else { return }
        var (words, start) = (words, start)
        if given == .plain, column.map({ start > $0 }) ?? false {
            // Whatever it begins with goes on with the text, and no key is in one.
            if key(words) != nil { isSure = false }
            return
        }
        var isPoint = false
        while words.first == 0x2D, words.dropFirst().first.map({ $0 == 0x20 }) ?? true {
            openList(start)
            let rest = words.dropFirst().drop { $0 == 0x20 }
            column = start
            given = .nothing
            isPoint = true
            start += rest.startIndex - words.startIndex
            words = rest
            // Nobody writes more points in one another than that on a line.
            isSure = isSure && start <= KeyLevels.lengthLimit && words.first != 0x09
            guard isSure else { return }
        }
        guard let first = words.first, first != 0x23 else { return }
        if let key = key(words) {
            openMap(start)
            guard isSure, let level = blocks.last?.level else { return }
            if key.name != Self.merging { levels.add(key.name, to: level, at: key.start) }
            column = start
            value(key.rest)
        } else if isPoint || given == .nothing && column.map({ start > $0 }) ?? false {
            value(words)
        } else {
            isSure = false
        }
    }

    /// Ends the maps and lists that are further in.
    private mutating func close(beyond column: Int) {
        while let block = blocks.last, block.column > column { blocks.removeLast() }
    }

    /// Goes on with the map whose keys are in this column, or starts one.
    private mutating func openMap(_ column: Int) {
        close(beyond: column)
        // Points may stand in the column of the key that has them.
        if blocks.last?.column == column, blocks.last?.level == nil { blocks.removeLast() }
        if blocks.last?.column == column { return }
        open(Block(column: column, level: levels.new()), behind: column)
    }

    /// Goes on with the list whose points are in this column, or starts one.
    private mutating func openList(_ column: Int) {
        close(beyond: column)
        guard let block = blocks.last, block.column == column else {
            open(Block(column: column, level: nil), behind: column)
            return
        }
        if block.level != nil { open(Block(column: column, level: nil), behind: column + 1) }
    }

    /// Starts a map or a list: only what has no value yet, and is indented less, may have one.
    private mutating func open(_ block: Block, behind column: Int) {
        if given != .nothing || self.column.map({ $0 >= column }) ?? false { isSure = false }
        if blocks.count >= Self.depthLimit { isSure = false }
        blocks.append(block)
    }

    /// Reads the key that words begin with; nil where they are no key.
    private mutating func key(_ words: ArraySlice<UInt8>)
        -> (name: [UInt8], start: Int, rest: ArraySlice<UInt8>)?
    {
        guard let first = words.first else { return nil }
        if Self.unsure.contains(first) { isSure = false }
        var rest = words
        var name: ArraySlice<UInt8> = []
        if first == 0x22 || first == 0x27 {
            guard let end = words.dropFirst().firstIndex(of: first) else { return nil }
            name = words[words.startIndex + 1..<end]
            rest = words[(end + 1)...].withoutIndentation
            guard rest.first == 0x3A else { return nil }
            if name.contains(0x5C) { isSure = false }
        } else {
            guard !Self.opening.contains(first), let end = Self.colon(in: words) else { return nil }
            name = words[..<end].withoutTrail
            rest = words[end...]
        }
        rest = rest.dropFirst()
        guard rest.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true else { return nil }
        return (Array(name), words.startIndex, rest.withoutIndentation)
    }

    /// Where the colon stands that ends a plain key; nil where none is before a comment.
    private static func colon(in words: ArraySlice<UInt8>) -> Int? {
        var before: UInt8?
        for at in words.indices {
            let byte = words[at]
            if byte == 0x23, before == 0x20 || before == 0x09 { return nil }
            if byte == 0x3A, at + 1 == words.endIndex || words[at + 1] <= 0x20 { return at }
            before = byte
        }
        return nil
    }

    /// Passes what stands behind a key or point, and the lines that it goes on in.
    private mutating func value(_ words: ArraySlice<UInt8>) {
        given = .nothing
        guard let first = words.first, first != 0x23 else { return }
        given = .whole
        switch first {
        case 0x7C, 0x3E: skipBlock()
        case 0x22, 0x27: skipQuotes(from: words.startIndex, in: first)
        case 0x5B, 0x7B: readFlow(from: words.startIndex)
        // Another name for what has an anchor elsewhere.
        case 0x2A: break
        default:
            given = .plain
            if Self.unsure.contains(first) { isSure = false }
        }
    }

    /// Passes the lines of a text that is indented further than its key.
    private mutating func skipBlock() {
        guard let column else { return }
        while true {
            let start = cursor.next
            guard let line = cursor.line() else { return }
            let words = line.drop { $0 == 0x20 }
            if !words.isEmpty, words.startIndex - line.startIndex <= column {
                cursor.next = start
                return
            }
        }
    }

    private mutating func skipQuotes(from start: Int, in quote: UInt8) {
        pass(YAMLFlow.end(of: cursor.bytes[start...], in: quote))
    }

    private mutating func readFlow(from start: Int) {
        var flow = YAMLFlow(bytes: cursor.bytes[start...])
        pass(flow.read(into: &levels))
    }

    /// Goes on behind the last byte of a value, which has to stand at the end of a line.
    private mutating func pass(_ last: Int?) {
        guard let last else {
            isSure = false
            return
        }
        cursor.next = last + 1
        let rest = (cursor.line() ?? []).withoutIndentation
        isSure = isSure && rest.first.map { $0 == 0x23 } ?? true
    }

    /// Whether a line starts or ends a document.
    static func isMark(_ line: ArraySlice<UInt8>) -> Bool {
        line.elementsEqual("---".utf8) || line.elementsEqual("...".utf8)
    }

    /// The key that takes in another map, and may be there several times.
    static let merging = Array("<<".utf8)
    /// What a text in quotes, and what stands in brackets, begins with.
    private static let opening = Set("\"'[]{},|>".utf8)
    /// What begins anchors, tags, keys of several lines, and what no text may begin with.
    private static let unsure = Set("&*!?%@`".utf8)
}
