import CLinux
import Glibc

/// Names side by side, as many as the terminal has room for.
struct Columns {
    private(set) var lines: [String]
    /// More are of no use to anybody who reads them.
    private static let limit = 200

    /// - Parameter names: as they are shown, so without control characters.
    init(_ names: [String], width: Int = ProgressLine.width()) {
        let shown = names.prefix(Self.limit)
        let widths = shown.map(Self.width)
        let column = (widths.max() ?? 0) + 2
        let columns = max(1, min(shown.count, width / column))
        let rows = (shown.count + columns - 1) / columns
        lines = (0..<rows).map { row in
            stride(from: row, to: shown.count, by: rows).map { index in
                let isLast = index + rows >= shown.count
                let gap = isLast ? 0 : column - widths[index]
                return shown[index] + String(repeating: " ", count: gap)
            }.joined()
        }
        if names.count > shown.count { lines.append("… and \(names.count - shown.count) more") }
    }
}

extension Columns {
    /// How many columns a text takes on a terminal.
    static func width(_ text: String) -> Int {
        readingUTF8 { text.unicodeScalars.reduce(0) { $0 + columns(of: $1) } }
    }

    /// The beginning of a text for which so many columns have room.
    static func cut(_ text: String, to width: Int) -> String {
        readingUTF8 {
            var left = width
            return String(
                String.UnicodeScalarView(
                    text.unicodeScalars.prefix { scalar in
                        left -= columns(of: scalar)
                        return left >= 0
                    }
                )
            )
        }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        max(0, Int(wcwidth(wchar_t(scalar.value))))
    }

    /// Names are UTF-8, whatever the machine says of its locale; this one is in the C library itself.
    ///
    /// An address, for a pointer could not be shared.
    private static let utf8 = UInt(bitPattern: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))

    /// Does what asks the C library about letters, on this thread alone.
    private static func readingUTF8<Result>(_ body: () -> Result) -> Result {
        let former = uselocale(locale_t(bitPattern: utf8))
        defer { uselocale(former) }
        return body()
    }
}
