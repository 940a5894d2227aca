import LockbookEngine

/// How a difference looks: as `diff -u` writes it into a pipe; on a terminal harmless and coloured.
struct DiffStyle {
    private let isTerminal = Terminal.outputIsTerminal
    private let isColoured = Terminal.outputIsColoured

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
        let shown = isTerminal ? Array(printable(bytes[...]).utf8) : bytes
        let whole = Array(sign.utf8) + shown
        guard isColoured, let colour else { return whole + [0x0A] }
        return Array("\u{1b}[\(colour)m".utf8) + whole + Array("\u{1b}[m\n".utf8)
    }
}
