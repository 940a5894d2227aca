/// Reads the tables and keys of TOML (https://toml.io/en/v1.0.0), and where values end.
struct TOMLKeys {
    private let bytes: ArraySlice<UInt8>
    private var at: Int
    private var levels = KeyLevels()
    private var table = KeyLevels.top
    /// The levels of tables that keys with points in them made.
    private var dotted: Set<Int> = []
    /// The levels of the elements of `[[x]]`.
    private var elements: Set<Int> = []
    /// The levels that nothing can stand at, since their keys have values.
    private var values: Set<Int> = []
    /// Where the first header stands that made tables for others in them, by their levels.
    private var outer: [Int: Int] = [:]

    /// The keys and tables that are there again; nil where the reader is not sure.
    static func repeated(in bytes: ArraySlice<UInt8>) -> [RepeatedKey]? {
        var reader = TOMLKeys(bytes: bytes)
        while reader.at < bytes.endIndex {
            guard reader.statement(), !reader.levels.isFull else { return nil }
        }
        return reader.levels.repeated
    }

    private init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        at = bytes.startIndex
    }

    /// Reads a header or a key with its value, or an empty line; false where it is neither.
    private mutating func statement() -> Bool {
        let start = at
        skipBlanks()
        guard let byte = peek else { return true }
        switch byte {
        case 0x0A, 0x0D, 0x23: return endLine()
        case 0x5B: return header(at: start)
        default: break
        }
        guard let path = path(), take(0x3D) else { return false }
        var level = table
        for name in path.dropLast() {
            let inner = levels.level(of: name, in: level)
            // Neither a header nor a value may have the name besides.
            if dotted.insert(inner).inserted { levels.add(name, to: level, at: start) }
            level = inner
        }
        guard let name = path.last else { return false }
        let inner = levels.level(of: name, in: level)
        values.insert(inner)
        if let first = outer[inner] {
            levels.addAgain(name, first: first, at: start)
        } else {
            levels.add(name, to: level, at: start)
        }
        return value()
    }

    private mutating func header(at start: Int) -> Bool {
        at += 1
        let isElement = take(0x5B)
        guard let path = path(), let name = path.last, take(0x5D), !isElement || take(0x5D) else {
            return false
        }
        var level = KeyLevels.top
        for name in path.dropLast() {
            let inner = levels.level(of: name, in: level)
            if values.contains(inner) { levels.add(name, to: level, at: start) }
            if outer[inner] == nil { outer[inner] = start }
            level = inner
        }
        if isElement {
            let known = levels.level(of: name, in: level)
            if let first = outer[known], !elements.contains(known) {
                // What tables in it made one table can be no list of them.
                levels.addAgain(name, first: first, at: start)
            } else if !elements.contains(known) {
                levels.add(name, to: level, at: start)
            }
            table = levels.newLevel(of: name, in: level)
            elements.insert(table)
        } else {
            levels.add(name, to: level, at: start)
            table = levels.level(of: name, in: level)
        }
        skipBlanks()
        return endLine()
    }

    /// Reads names with points between them.
    private mutating func path() -> [[UInt8]]? {
        var path: [[UInt8]] = []
        repeat {
            skipBlanks()
            guard let name = name(), path.count < 64 else { return nil }
            path.append(name)
            skipBlanks()
        } while take(0x2E)
        return path
    }

    private mutating func name() -> [UInt8]? {
        let start = at
        if let quote = peek, quote == 0x22 || quote == 0x27 {
            at += 1
            while let byte = peek, byte != quote {
                // What an escape stands for is not looked at.
                guard byte != 0x0A, byte != 0x5C else { return nil }
                at += 1
            }
            guard take(quote) else { return nil }
            return Array(bytes[start + 1..<at - 1])
        }
        while let byte = peek, byte < 0x80, TextPieces.isOfWord(byte) || byte == 0x2D { at += 1 }
        return start < at ? Array(bytes[start..<at]) : nil
    }

    /// Passes a value and the end of its line; false where it has no end.
    private mutating func value() -> Bool {
        var depth = 0
        while let byte = peek {
            switch byte {
            case 0x22, 0x27: guard string(in: byte) else { return false }
            case 0x23: skipLine()
            case 0x0A where depth == 0: return endLine()
            case 0x5B, 0x7B:
                depth += 1
                at += 1
            case 0x5D, 0x7D:
                depth -= 1
                at += 1
                guard depth >= 0 else { return false }
            default: at += 1
            }
        }
        return depth == 0
    }

    private mutating func string(in quote: UInt8) -> Bool {
        let isLong = bytes[at...].starts(with: [quote, quote, quote])
        at += isLong ? 3 : 1
        while let byte = peek {
            if byte == 0x5C, quote == 0x22 {
                at = min(at + 2, bytes.endIndex)
            } else if byte == quote, !isLong || bytes[at...].starts(with: [quote, quote, quote]) {
                at += 1
                // Of three that end a string; more may stand directly before them.
                while isLong, peek == quote { at += 1 }
                return true
            } else if byte == 0x0A, !isLong {
                return false
            } else {
                at += 1
            }
        }
        return false
    }

    private var peek: UInt8? { at < bytes.endIndex ? bytes[at] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipBlanks() {
        while peek == 0x20 || peek == 0x09 { at += 1 }
    }

    private mutating func skipLine() {
        while let byte = peek, byte != 0x0A { at += 1 }
    }

    /// Passes the end of a line, with a comment before it.
    private mutating func endLine() -> Bool {
        if peek == 0x23 { skipLine() }
        _ = take(0x0D)
        return at == bytes.endIndex || take(0x0A)
    }

    /// Whether a line starts or ends front matter in TOML, as Hugo has it.
    static func isMark(_ line: ArraySlice<UInt8>) -> Bool {
        line.elementsEqual("+++".utf8)
    }
}
