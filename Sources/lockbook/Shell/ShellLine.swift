/// A line of the shell, taken apart into words.
///
/// Blanks divide words. `'` keeps everything up to the next one, `"` everything but a backslash in
/// front of `"`, `\` and `u{…}`, and outside of quotes a backslash keeps what follows it. Nothing
/// is ever expanded: a name with `$`, `*` or a backquote in it is that name.
struct ShellLine {
    struct Word {
        var bytes: [UInt8] = []
        /// Where it begins in the line, in bytes.
        var start: Int

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private(set) var words: [Word] = []
    /// The quote that is still open at the end, `'` or `"`.
    private(set) var openQuote: UInt8?
    /// Whether the line ends within its last word, or right behind it.
    private(set) var endsInWord = false

    private static let backslash = UInt8(ascii: "\\")
    private static let single = UInt8(ascii: "'")
    private static let double = UInt8(ascii: "\"")

    init(_ line: [UInt8]) {
        var word: Word?
        var at = 0
        while at < line.count {
            let byte = line[at]
            if openQuote == nil, Self.isBlank(byte) {
                words += word.map { [$0] } ?? []
                word = nil
                at += 1
                continue
            }
            var current = word ?? Word(start: at)
            // Its bytes stand in one place, or each one more would copy them all.
            word = nil
            if byte == openQuote {
                openQuote = nil
                at += 1
            } else if openQuote == nil, byte == Self.single || byte == Self.double {
                openQuote = byte
                at += 1
            } else if byte == Self.backslash, openQuote != Self.single {
                at += Self.escaped(line[(at + 1)...], isQuoted: openQuote != nil, into: &current)
            } else {
                current.bytes.append(byte)
                at += 1
            }
            word = current
        }
        endsInWord = word != nil
        words += word.map { [$0] } ?? []
    }

    /// What a backslash makes of the bytes behind it.
    /// - Returns: how many bytes that was, with the backslash.
    private static func escaped(
        _ rest: ArraySlice<UInt8>,
        isQuoted: Bool,
        into word: inout Word
    ) -> Int {
        guard let next = rest.first else { return 1 }
        if next == UInt8(ascii: "u"), let (scalar, length) = character(rest.dropFirst()) {
            word.bytes += Array(String(scalar).utf8)
            return 2 + length
        }
        if isQuoted, next != double, next != backslash {
            word.bytes.append(backslash)
            return 1
        }
        word.bytes.append(next)
        return 2
    }

    /// A character by its number in braces: `{202e}`.
    private static func character(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, length: Int)? {
        guard bytes.first == UInt8(ascii: "{"),
            let end = bytes.prefix(9).firstIndex(of: UInt8(ascii: "}")),
            let number = UInt32(
                String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self),
                radix: 16
            ),
            let scalar = Unicode.Scalar(number), number >= 0x20
        else { return nil }
        return (scalar, end - bytes.startIndex + 1)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }
}

extension ShellLine {
    /// A word as it has to be typed so that it is read back as it is.
    /// - Parameters:
    ///   - quote: the quote that the user opened, to be kept where it can be.
    ///   - isWhole: whether the word ends here, so that its quote is closed.
    ///
    /// Characters that cannot be seen, or that turn text around, are written as their numbers.
    static func quoted(_ text: String, in quote: UInt8?, isWhole: Bool) -> String {
        let isVisible = text.utf8.allSatisfy { $0 < 0x80 } || printable(text) == text
        guard isVisible, let quote else { return escaped(text, isVisible: isVisible) }
        var inner = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'" where quote == single: inner += "'\\''"
            case "\"" where quote == double, "\\" where quote == double:
                inner += "\\" + String(scalar)
            default: inner.unicodeScalars.append(scalar)
            }
        }
        let mark = String(Unicode.Scalar(quote))
        return mark + inner + (isWhole ? mark : "")
    }

    private static func escaped(_ text: String, isVisible: Bool) -> String {
        guard !text.isEmpty else { return "" }
        var word = ""
        for scalar in text.unicodeScalars {
            if " '\"\\".unicodeScalars.contains(scalar) {
                word += "\\" + String(scalar)
            } else if !isVisible, !scalar.isASCII, printable(String(scalar)) != String(scalar) {
                word += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        return word
    }
}
