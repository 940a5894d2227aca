/// Reads the maps of YAML that are written in lines: each key by how far it is indented.
///
/// Texts in quotes, in blocks and in brackets are passed over. Nothing is said of a document with tabs
/// before words, with anchors, tags or keys behind question marks, nor of one that is no YAML.
struct YAMLKeys {
    private var cursor: LineCursor
    private var levels = KeyLevels()
    /// The maps around, outermost first, with the columns of their keys.
    private var maps: [(column: Int, level: Int)] = []
    /// How far the last key or point was indented; nil where a document starts.
    private var column: Int?
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
            maps = []
            column = nil
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
        var (words, start) = (words, start)
        let before = column
        var isPoint = false
        while words.first == 0x2D, words.dropFirst().first.map({ $0 == 0x20 }) ?? true {
            close(beyond: start)
            let rest = words.dropFirst().drop { $0 == 0x20 }
            column = start
            isPoint = true
            start += rest.startIndex - words.startIndex
            words = rest
            // Nobody writes more points in one another than that on a line.
            isSure = start <= KeyLevels.lengthLimit && words.first != 0x09
            guard isSure else { return }
        }
        guard let first = words.first, first != 0x23 else { return }
        if let key = key(words) {
            open(start)
            guard isSure, let map = maps.last else { return }
            if key.name != Self.merging { levels.add(key.name, to: map.level, at: key.start) }
            column = start
            value(key.rest)
        } else if isPoint {
            value(words)
        } else {
            // More of what stands behind the key or point before.
            if before.map({ start > $0 }) ?? false { value(words) } else { isSure = false }
        }
    }

    /// Ends the maps whose keys are further in.
    private mutating func close(beyond column: Int) {
        while let map = maps.last, map.column > column { maps.removeLast() }
    }

    /// Goes on with the map whose keys are in this column, or starts one.
    private mutating func open(_ column: Int) {
        close(beyond: column)
        if maps.last?.column == column { return }
        // A line that is indented less than the last one goes on with what is there.
        if let last = self.column, last >= column { isSure = false }
        if maps.count >= Self.depthLimit { isSure = false }
        maps.append((column, levels.new()))
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
        guard let first = words.first else { return }
        switch first {
        case 0x7C, 0x3E: skipBlock()
        case 0x22, 0x27, 0x5B, 0x7B: skipFlow(from: words.startIndex)
        // Another name for what has an anchor elsewhere.
        case 0x2A: break
        default: if Self.unsure.contains(first) { isSure = false }
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

    /// Passes a text in quotes, or what stands in brackets, to its end, which has to be a line's.
    private mutating func skipFlow(from start: Int) {
        let bytes = cursor.bytes
        var at = start
        var depth = 0
        var before: UInt8 = 0x2C
        repeat {
            isSure = at < bytes.endIndex
            guard isSure else { return }
            let byte = bytes[at]
            switch byte {
            case 0x22 where Self.beforeQuotes.contains(before),
                0x27 where Self.beforeQuotes.contains(before):
                let end = Self.end(of: bytes[at...], in: byte)
                isSure = end != nil
                guard let end else { return }
                at = end
            case 0x23 where bytes[at - 1] <= 0x20:
                at = bytes[at...].firstIndex(of: 0x0A) ?? bytes.endIndex
            case 0x5B, 0x7B: depth += 1
            case 0x5D, 0x7D: depth -= 1
            default: break
            }
            if byte > 0x20 { before = byte }
            at += 1
        } while depth > 0
        cursor.next = at
        let rest = (cursor.line() ?? []).withoutIndentation
        isSure = rest.first.map { $0 == 0x23 } ?? true
    }

    /// Where the quote stands that ends a text in quotes.
    private static func end(of text: ArraySlice<UInt8>, in quote: UInt8) -> Int? {
        var at = text.startIndex + 1
        while at < text.endIndex {
            if text[at] == quote {
                // Two of them are one in the text.
                guard quote == 0x27, text[(at + 1)...].first == quote else { return at }
                at += 1
            } else if text[at] == 0x5C, quote == 0x22 {
                at += 1
            }
            at += 1
        }
        return nil
    }

    /// Whether a line starts or ends a document.
    static func isMark(_ line: ArraySlice<UInt8>) -> Bool {
        line.elementsEqual("---".utf8) || line.elementsEqual("...".utf8)
    }

    /// The key that takes in another map, and may be there several times.
    private static let merging = Array("<<".utf8)
    private static let beforeQuotes = Set("[{,:".utf8)
    /// What a text in quotes, and what stands in brackets, begins with.
    private static let opening = Set("\"'[]{},|>".utf8)
    /// What begins anchors, tags, keys of several lines, and what no text may begin with.
    private static let unsure = Set("&*!?%@`".utf8)
}
