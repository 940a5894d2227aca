import LockbookEngine

/// How a difference looks: as `diff -u` writes it into a pipe; on a terminal harmless and coloured.
struct DiffStyle {
    private let isTerminal = Terminal.outputIsTerminal
    private let isColoured =
        Terminal.outputIsTerminal && Environment["NO_COLOR"] == nil
        && Environment["TERM"] != "dumb"

    func lines(_ difference: Difference) -> [[UInt8]] {
        let header = [
            line("--- ", Array("\(difference.path)\t\(difference.from)".utf8), "1"),
            line(
                "+++ ",
                Array("\(difference.otherPath ?? difference.path)\t\(difference.to)".utf8),
                "1"
            ),
        ]
        return header
            + (difference.lines ?? []).map { part in
                switch part.kind {
                case .place: line("", part.bytes, "36")
                case .same: line(" ", part.bytes, nil)
                case .removed: line("-", part.bytes, "31")
                case .added: line("+", part.bytes, "32")
                case .remark: line("\\ ", part.bytes, nil)
                }
            }
    }

    private func line(_ sign: String, _ bytes: [UInt8], _ colour: String?) -> [UInt8] {
        var shown = bytes
        if isTerminal {
            // A tab moves the cursor where everybody expects it.
            let text = bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { printable(String(decoding: $0, as: UTF8.self)) }.joined(separator: "\t")
            shown = Array(text.utf8)
        }
        let whole = Array(sign.utf8) + shown
        guard isColoured, let colour else { return whole + [0x0A] }
        return Array("\u{1b}[\(colour)m".utf8) + whole + Array("\u{1b}[m\n".utf8)
    }
}
