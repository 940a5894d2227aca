/// The bytes of a note as a terminal gets them.
///
/// Others wrote them: what would move the cursor, set the clipboard or answer for whoever sits there
/// is shown as `printable` shows it in names. Lines, tabs and every other character stay as they are,
/// also what joins or turns letters around, which texts of many languages need.
struct ShownBytes {
    /// The beginning of a character, or of the end of a line, that the next piece goes on with.
    private var open: [UInt8] = []

    /// - Returns: what can be shown of everything that was passed so far.
    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        var bytes = open + piece
        open = Array(bytes.suffix(Self.openCount(bytes)))
        bytes.removeLast(open.count)
        return Self.shown(bytes)
    }

    /// - Returns: what was kept back, once nothing comes after it.
    mutating func end() -> [UInt8] {
        defer { open = [] }
        return Self.shown(open)
    }

    private static func shown(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x7f || $0 < 0x20 && $0 != 0x0a && $0 != 0x09 }) else {
            return bytes
        }
        var shown = String.UnicodeScalarView()
        var isAtReturn = false
        // Bytes that are no UTF-8 may be controls to a terminal that expects another encoding.
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if isAtReturn {
                if scalar == "\n" { shown.append("\r") } else { appendEscaped("\r", to: &shown) }
            }
            isAtReturn = scalar == "\r"
            switch scalar.value {
            case 0x0d: continue
            case 0x09, 0x0a, 0x20...0x7e, 0xa0...: shown.append(scalar)
            default: appendEscaped(scalar, to: &shown)
            }
        }
        if isAtReturn { appendEscaped("\r", to: &shown) }
        return Array(String(shown).utf8)
    }

    /// How many bytes at the end may be the beginning of something.
    private static func openCount(_ bytes: [UInt8]) -> Int {
        if bytes.last == 0x0d { return 1 }
        for count in 1...3 where count <= bytes.count {
            switch bytes[bytes.count - count] {
            case 0x80..<0xc0: continue
            case 0xc0..<0xe0: return count < 2 ? count : 0
            case 0xe0..<0xf0: return count < 3 ? count : 0
            case 0xf0...: return count < 4 ? count : 0
            default: return 0
            }
        }
        return 0
    }
}
