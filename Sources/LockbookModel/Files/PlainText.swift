/// Words that somebody else wrote, as they may stand in a line that people read.
package enum PlainText {
    /// A text as it may be shown and stored, on one line.
    /// - Parameter limit: how many scalars of it stay; an ellipsis says that there were more.
    package static func line(_ text: String, atMost limit: Int) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let piece = shown(scalar).unicodeScalars
            guard line.count + piece.count <= limit else { return String(line) + "…" }
            line.append(contentsOf: piece)
        }
        return String(line)
    }

    /// A character; what is invisible, ends a line, moves the cursor or turns text around as `\u202e`.
    package static func shown(_ scalar: Unicode.Scalar) -> String {
        isPlain(scalar) ? String(scalar) : escaped(scalar)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20...0x7e).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            return false
        default:
            return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        (UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter).map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
