/// Reads what stands in brackets in YAML, over as many lines as it takes: the keys of maps, and its end.
struct YAMLFlow {
    /// A list or a map that has no end yet, and what was read of the entry that it is at.
    private struct Bracket {
        let isMap: Bool
        let level: Int
        let start: Int
        /// Whether the entry has the colon behind its key.
        var hasKey = false
    }

    /// What stands before a byte, blanks aside.
    private enum Before {
        /// A bracket that opens, or a comma.
        case start
        case colon
        /// A text without quotes.
        case plain
        /// A text in quotes, or a list or a map with its end.
        case whole
    }

    private let bytes: ArraySlice<UInt8>
    private var at: Int
    private var brackets: [Bracket] = []
    private var before = Before.start
    /// The last text: that of a key, once its colon comes.
    private var text: Range<Int>

    private static let depthLimit = 128
    private static let signs = Set(",[]{}".utf8)

    init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        at = bytes.startIndex
        text = at..<at
    }

    /// Reads from the first bracket to the one that ends it; nil where that is none, or no YAML.
    /// - Returns: where the last bracket stands.
    mutating func read(into levels: inout KeyLevels) -> Int? {
        repeat {
            guard at < bytes.endIndex, !levels.isFull, sign(into: &levels) else { return nil }
            at += 1
        } while !brackets.isEmpty
        return at - 1
    }

    /// Passes a sign, a text in quotes, or a byte of one without; false where it may not stand there.
    private mutating func sign(into levels: inout KeyLevels) -> Bool {
        let byte = bytes[at]
        switch byte {
        case 0x5B, 0x7B:
            guard isAtValue, brackets.count < Self.depthLimit else { return false }
            brackets.append(Bracket(isMap: byte == 0x7B, level: levels.new(), start: at))
            before = .start
        case 0x5D, 0x7D:
            guard let bracket = brackets.popLast(), bracket.isMap == (byte == 0x7D) else {
                return false
            }
            text = bracket.start..<at + 1
            before = .whole
        case 0x2C:
            guard before != .start else { return false }
            brackets[brackets.count - 1].hasKey = false
            before = .start
        case 0x3A where endsKey: return colon(into: &levels)
        case 0x23 where bytes[at - 1] <= 0x20: skipComment()
        case 0x22 where isAtValue, 0x27 where isAtValue:
            guard let end = Self.end(of: bytes[at...], in: byte) else { return false }
            text = at + 1..<end
            before = .whole
            at = end
        case ...0x20: break
        default: return plain()
        }
        return true
    }

    private var isAtValue: Bool { before == .start || before == .colon }

    /// Whether the colon here stands behind a key: a text without quotes may have one before more of it.
    private var endsKey: Bool {
        guard before != .whole, at + 1 < bytes.endIndex else { return true }
        return bytes[at + 1] <= 0x20 || Self.signs.contains(bytes[at + 1])
    }

    private mutating func colon(into levels: inout KeyLevels) -> Bool {
        let bracket = brackets[brackets.count - 1]
        guard !bracket.hasKey, before != .colon else { return false }
        let name = Array(bytes[text])
        if bracket.isMap, before != .start, name != YAMLKeys.merging {
            levels.add(name, to: bracket.level, at: text.lowerBound)
        }
        brackets[brackets.count - 1].hasKey = true
        before = .colon
        return true
    }

    private mutating func plain() -> Bool {
        guard before != .whole else { return false }
        text = (before == .plain ? text.lowerBound : at)..<at + 1
        before = .plain
        return true
    }

    private mutating func skipComment() {
        while at + 1 < bytes.endIndex, bytes[at + 1] != 0x0A { at += 1 }
    }

    /// Where the quote stands that ends a text in quotes.
    static func end(of text: ArraySlice<UInt8>, in quote: UInt8) -> Int? {
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
}
