/// Makes visible what would move the cursor, hide, or turn text around on a terminal.
///
/// Controls (C0, DEL, C1), line separators, bidirectional controls, zero-width and other invisible
/// characters are shown as `\u202e`; outside of the first plane as the two units of UTF-16. That
/// is what JSON would write, so JSON stays JSON.
func printable(_ text: String, keepingLines: Bool = false) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7e }) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if isHarmless(scalar) || (keepingLines && scalar == "\n") {
            shown.append(scalar)
        } else {
            appendEscaped(scalar, to: &shown)
        }
    }
    return String(shown)
}

/// Whether a name has characters that nobody sees or that turn text around, but for those that join
/// emoji and letters of other scripts.
func isDeceptive(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.contains { index in
        let scalar = scalars[index]
        guard scalar.value > 0x7e, !isHarmless(scalar) else { return false }
        let isJoining =
            (scalar == "\u{200c}" || scalar == "\u{200d}") && index > 0
            && index + 1 < scalars.count && scalars[index - 1].value > 0x7e
            && scalars[index + 1].value > 0x7e
        return !isJoining
    }
}

/// A character as `\u202e`.
func appendEscaped(_ scalar: Unicode.Scalar, to shown: inout String.UnicodeScalarView) {
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        shown.append(contentsOf: ("\\u" + zeros + digits).unicodeScalars)
    }
}

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7e: true
    // A soft hyphen, the grapheme joiner, fillers of Hangul and Khmer, variation separators.
    case 0...0x9f, 0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b...0x180f: false
    // The Arabic letter mark; zero widths, marks of direction; separators, embeddings, overrides;
    // the word joiner, isolates and deprecated formatting.
    case 0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f: false
    case 0x3164, 0xfeff, 0xffa0, 0xfff0...0xfffb, 0x1d173...0x1d17a, 0xe0000...0xe0fff: false
    default: true
    }
}
