/// How a device calls itself.
///
/// Whoever signs a record puts any text there; people read it in conflict markers, on terminals and
/// in editors.
package enum DeviceName {
    /// A longer one is cut.
    package static let maximumByteCount = 64

    /// The name as it may be shown and stored: what is invisible, moves the cursor or turns text
    /// around stands there as `\u202e`, and it is at most 64 bytes of UTF-8.
    package static func plain(_ name: String) -> String {
        var shown = ""
        for scalar in name.unicodeScalars {
            let piece = isPlain(scalar) ? String(scalar) : escaped(scalar)
            guard shown.utf8.count + piece.utf8.count <= maximumByteCount else { break }
            shown += piece
        }
        return shown
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
