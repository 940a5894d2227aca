extension MarkedWords {
    private static let doubleQuotes = signs("„“”«»「」")
    private static let singleQuotes = signs("‚‘‹›『』")
    /// One of these alone is a share, or parts the fields of a table.
    private static let doubled = ["%%", "||"].map { Array($0.utf8) }
    /// Also an apostrophe: what it begins nothing tells, so it only ends.
    private static let singleEnd = Array("’".utf8)
    private static let comment = (start: Array("<!--".utf8), end: Array("-->".utf8))

    /// The kind of mark that what was added ends with, where it opens something: by the byte.
    static func opened(by added: ArraySlice<UInt8>) -> UInt8? {
        guard let first = added.first, let last = added.last else { return nil }
        switch last {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return last
        case UInt8(ascii: ">"):
            let isTag =
                first == UInt8(ascii: "<") && added.dropFirst().first != UInt8(ascii: "/")
            return isTag ? first : nil
        default:
            if added.suffix(comment.start.count).elementsEqual(comment.start) {
                return UInt8(ascii: "!")
            }
            guard let kind = kind(lastIn: added), kind != Self.kind(firstIn: added) || isOne(added)
            else { return nil }
            return kind
        }
    }

    /// The kind of mark that what was added begins with, where it closes something.
    static func closed(by added: ArraySlice<UInt8>) -> UInt8? {
        guard let first = added.first else { return nil }
        switch first {
        case UInt8(ascii: ")"): return UInt8(ascii: "(")
        case UInt8(ascii: "]"): return UInt8(ascii: "[")
        case UInt8(ascii: "}"): return UInt8(ascii: "{")
        case UInt8(ascii: "<"):
            return added.dropFirst().first == UInt8(ascii: "/") ? first : nil
        default:
            if added.starts(with: comment.end) { return UInt8(ascii: "!") }
            if added.starts(with: singleEnd) {
                let isInWord = added.dropFirst(singleEnd.count).first.map(isLetter) ?? false
                return isInWord ? nil : UInt8(ascii: "'")
            }
            guard let kind = kind(firstIn: added), kind != Self.kind(lastIn: added) || isOne(added)
            else { return nil }
            return kind
        }
    }

    /// A letter or a digit of ASCII.
    static func isLetter(_ byte: UInt8) -> Bool {
        byte < 0x80 && byte != UInt8(ascii: "_") && TextPieces.isOfWord(byte)
    }

    private static func kind(firstIn added: ArraySlice<UInt8>) -> UInt8? {
        if let first = added.first, isSymmetric(first) { return first }
        return kind { added.starts(with: $0) }
    }

    private static func kind(lastIn added: ArraySlice<UInt8>) -> UInt8? {
        if let last = added.last, isSymmetric(last) { return last }
        return kind { added.suffix($0.count).elementsEqual($0) }
    }

    /// The kind of a mark of several bytes; which of the quotes open differs between languages.
    private static func kind(where isThere: ([UInt8]) -> Bool) -> UInt8? {
        if doubleQuotes.contains(where: isThere) { return UInt8(ascii: "\"") }
        if singleQuotes.contains(where: isThere) { return UInt8(ascii: "'") }
        return doubled.first(where: isThere)?.first
    }

    /// Whether what was added is nothing but one mark, which may be of several signs.
    private static func isOne(_ added: ArraySlice<UInt8>) -> Bool {
        added.allSatisfy { $0 == added.first } || doubleQuotes.contains { added.elementsEqual($0) }
            || singleQuotes.contains { added.elementsEqual($0) }
    }

    private static func isSymmetric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "*"),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "="), UInt8(ascii: "$"),
            UInt8(ascii: "^"):
            true
        default: false
        }
    }

    private static func signs(_ text: String) -> [[UInt8]] {
        text.unicodeScalars.map { Array(String($0).utf8) }
    }
}
