import LockbookEngine

/// How paths and lines look: as they are in a pipe; on a terminal made harmless, and coloured as
/// grep does.
struct SearchStyle {
    let newline = UInt8(ascii: "\n")
    private let isTerminal = Terminal.outputIsTerminal
    private let isColoured = Terminal.outputIsColoured

    func path(_ path: String) -> [UInt8] { coloured(shown(path), "35") }

    func number(_ number: Int) -> [UInt8] { coloured("\(number)", "32") }

    func separator(_ sign: String) -> [UInt8] { coloured(sign, "36") }

    func line(_ line: SearchLine) -> [UInt8] {
        guard isTerminal else { return line.bytes }
        var bytes = line.bytes[...]
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        var shown: [UInt8] = []
        var start = 0
        for match in line.matches where match.upperBound <= bytes.count {
            shown += part(bytes[start..<match.lowerBound])
            shown += coloured(printable(bytes[match]), "1;31")
            start = match.upperBound
        }
        return shown + part(bytes[start...])
    }

    private func part(_ bytes: ArraySlice<UInt8>) -> [UInt8] { Array(printable(bytes).utf8) }

    private func shown(_ text: String) -> String { isTerminal ? printable(text) : text }

    private func coloured(_ text: String, _ colour: String) -> [UInt8] {
        Array((isColoured ? "\u{1b}[\(colour)m\(text)\u{1b}[m" : text).utf8)
    }
}
