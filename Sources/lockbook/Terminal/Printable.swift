import LockbookEngine

/// Makes visible what would move the cursor, hide, or turn text around on a terminal.
///
/// Controls (C0, DEL, C1), line separators, bidirectional controls, zero-width and other invisible
/// characters are shown as `\u202e`; outside of the first plane as the two units of UTF-16. That
/// is what JSON would write, so JSON stays JSON. What joins emoji, and letters that are written in
/// one stroke, belongs to them and stays, and so does what chooses how an emoji is drawn, and whose a
/// flag is. A blank that no space bar types is shown, too: a name with it looks like another one.
func printable(_ text: String, keepingLines: Bool = false) -> String {
    shown(text, keepingLines: keepingLines, isBlankShown: isUntypedBlank)
}

private func shown(
    _ text: String,
    keepingLines: Bool,
    isBlankShown: (Unicode.Scalar, Unicode.Scalar?, Unicode.Scalar?) -> Bool
) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7e }) else { return text }
    var shown = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    var before: Unicode.Scalar?
    while let scalar = rest.popFirst() {
        if let tags = flagTags(behind: scalar, rest) {
            shown.append(scalar)
            shown.append(contentsOf: tags)
            rest = rest.dropFirst(tags.count)
            before = tags.last
            continue
        }
        if isHarmless(scalar) && !isBlankShown(scalar, before, rest.first)
            || (keepingLines && scalar == "\n")
            || isPartOfWriting(scalar, before, rest.first)
        {
            shown.append(scalar)
        } else {
            appendEscaped(scalar, to: &shown)
        }
        before = scalar
    }
    return String(shown)
}

/// A piece of a text as one of a name; a tab stays: it moves the cursor where everybody expects it.
///
/// So does every blank that is one: in a text they are typography.
func printable(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map {
            shown(String(decoding: $0, as: UTF8.self), keepingLines: false) { _, _, _ in false }
        }
        .joined(separator: "\t")
}

/// Whether a name has characters that nobody sees or that turn text around.
func isDeceptive(_ text: String) -> Bool {
    var rest = text.unicodeScalars[...]
    var before: Unicode.Scalar?
    while let scalar = rest.popFirst() {
        if let tags = flagTags(behind: scalar, rest) {
            rest = rest.dropFirst(tags.count)
            before = tags.last
            continue
        }
        if scalar.value > 0x7e, !isHarmless(scalar), !isPartOfWriting(scalar, before, rest.first) {
            return true
        }
        before = scalar
    }
    return false
}

/// What makes a black flag that of England, Scotland or Wales (UTS #51, RGI_Emoji_Tag_Sequence).
///
/// Behind any other code nearly everybody sees a black flag: what it says would be hidden.
private let tagsOfFlags = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
].map(\.unicodeScalars)

private func flagTags(behind flag: Unicode.Scalar, _ rest: Substring.UnicodeScalarView)
    -> String.UnicodeScalarView?
{
    guard flag == "\u{1f3f4}" else { return nil }
    return tagsOfFlags.first { rest.starts(with: $0) }
}

/// Whether a blank is another one than the space; that of Japanese and Chinese where it ends a name.
private func isUntypedBlank(
    _ scalar: Unicode.Scalar,
    _ before: Unicode.Scalar?,
    _ after: Unicode.Scalar?
) -> Bool {
    switch scalar.value {
    case 0xa0, 0x1680, 0x2000...0x200a, 0x202f, 0x205f: true
    case 0x3000: isEnd(before) || isEnd(after)
    default: false
    }
}

private func isEnd(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { "/ \n".unicodeScalars.contains($0) } ?? true
}

/// Whether a character that nobody sees by itself belongs to those around it.
private func isPartOfWriting(
    _ scalar: Unicode.Scalar,
    _ before: Unicode.Scalar?,
    _ after: Unicode.Scalar?
) -> Bool {
    isPresentation(scalar, before, after) || isJoining(scalar, before, after)
}

/// Whether a variation selector says of the emoji before it that it is drawn as text, or in colours.
///
/// Behind a digit it does so only in the sequence of a keycap: alone it would change nothing there.
private func isPresentation(
    _ scalar: Unicode.Scalar,
    _ before: Unicode.Scalar?,
    _ after: Unicode.Scalar?
) -> Bool {
    guard scalar == "\u{fe0e}" || scalar == "\u{fe0f}", let before, before.properties.isEmoji else {
        return false
    }
    return !before.isASCII || after == "\u{20e3}"
}

/// Whether a joiner, or a non-joiner, stands where writing needs it: between the parts of an emoji,
/// or in a word of a script whose letters join.
private func isJoining(
    _ scalar: Unicode.Scalar,
    _ before: Unicode.Scalar?,
    _ after: Unicode.Scalar?
) -> Bool {
    guard scalar == "\u{200d}" || scalar == "\u{200c}", let before, let after else { return false }
    if scalar == "\u{200d}", after.properties.isEmoji, after.value > 0x7e {
        // The signs that follow an emoji say how it is shown, and the colour of its skin.
        return before.value > 0x7e
            && (before == "\u{fe0f}" || before.properties.isEmoji
                || before.properties.isEmojiModifier)
    }
    return before.isOfJoiningScript && after.isOfJoiningScript
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
    // the word joiner, isolates and deprecated formatting; Braille without a dot.
    case 0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0x2800: false
    // A filler of Hangul; variation selectors; the byte order mark; one more filler; annotations.
    case 0x3164, 0xfe00...0xfe0f, 0xfeff, 0xffa0, 0xfff0...0xfffb: false
    // Formatting of hieroglyphs, a filler of Khitan, formatting of shorthand.
    case 0x13430...0x1343f, 0x16fe4, 0x1bca0...0x1bca3: false
    // A note head without ink, beams and slurs of music; tags and more variation selectors.
    case 0x1d159, 0x1d173...0x1d17a, 0xe0000...0xe0fff: false
    default: true
    }
}
