import CLinux

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

    /// How many columns a text takes on a terminal.
    static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { width, scalar in
            width + max(0, Int(wcwidth(wchar_t(scalar.value))))
        }
    }
}
