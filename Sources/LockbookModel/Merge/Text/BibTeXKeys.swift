/// Reads the entries of BibTeX, and the fields of each as far as they are plainly such.
struct BibTeXKeys {
    private let bytes: [UInt8]
    private var at: Int
    private var levels = KeyLevels()

    /// The keys of entries, and the fields of one entry in small letters, that are there again.
    ///
    /// Nil where there are too many.
    static func repeated(in bytes: [UInt8]) -> [RepeatedKey]? {
        var reader = BibTeXKeys(bytes: bytes)
        var cursor = LineCursor(bytes[...])
        var depth = 0
        while let line = cursor.line(), !reader.levels.isFull {
            if depth == 0, let (key, comma) = entry(line.withoutIndentation) {
                reader.levels.add(Array(key), to: KeyLevels.top, at: line.startIndex)
                reader.at = comma
                reader.fields()
            }
            for byte in line {
                // Outside of entries all text is a comment.
                if byte == 0x7B { depth += 1 } else if byte == 0x7D, depth > 0 { depth -= 1 }
            }
        }
        return reader.levels.isFull ? nil : reader.levels.repeated
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        at = bytes.startIndex
    }

    /// The key of an entry that a line begins, and where it ends; nil where it begins none.
    private static func entry(_ line: ArraySlice<UInt8>) -> (key: ArraySlice<UInt8>, comma: Int)? {
        guard line.first == 0x40, let brace = line.firstIndex(of: 0x7B) else { return nil }
        let kind = line[line.startIndex + 1..<brace].withoutTrail
        guard kind.count <= 64, kind.allSatisfy(TextPieces.isOfWord) else { return nil }
        let rest = line[(brace + 1)...].prefix(KeyLevels.lengthLimit).withoutIndentation
        guard let comma = rest.firstIndex(of: 0x2C) else { return nil }
        let key = rest[..<comma].withoutTrail
        // `@comment`, `@preamble` and `@string` have words, quotes or an equals sign there.
        let isKey = !key.contains { $0 <= 0x20 || $0 == 0x3D || $0 == 0x22 || $0 == 0x7B }
        guard isKey, !key.isEmpty else { return nil }
        return (key, comma)
    }

    /// Reads fields, each behind a comma, to the end of their entry or to what is no field.
    private mutating func fields() {
        let entry = levels.new()
        while take(0x2C), !levels.isFull {
            skipBlanks()
            let start = at
            let name = word()
            skipBlanks()
            guard !name.isEmpty, name.count <= KeyLevels.lengthLimit, take(0x3D) else { return }
            levels.add(name.map(Self.small), to: entry, at: start)
            guard value() else { return }
        }
    }

    /// Passes a value of one or several parts with `#` between them; false where it is none.
    private mutating func value() -> Bool {
        repeat {
            skipBlanks()
            guard part() else { return false }
            skipBlanks()
        } while take(0x23)
        return true
    }

    /// Passes a number, the name of a text, or what stands in braces or quotes, to its end.
    private mutating func part() -> Bool {
        let isQuoted = take(0x22)
        guard isQuoted || take(0x7B) else { return !word().isEmpty }
        var depth = 0
        while let byte = peek {
            at += 1
            if byte == 0x22, isQuoted, depth == 0 { return true }
            if byte == 0x7B { depth += 1 }
            if byte == 0x7D {
                // The one that ends the text, or the entry around it.
                if depth == 0 { return !isQuoted }
                depth -= 1
            }
        }
        return false
    }

    private mutating func word() -> ArraySlice<UInt8> {
        let start = at
        while let byte = peek, byte > 0x20, !Self.signs.contains(byte) { at += 1 }
        return bytes[start..<at]
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte <= 0x20 { at += 1 }
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
    }

    /// What is in no name of a field.
    private static let signs = Set("\"#%'(),={}".utf8)
}
