/// The code between fences, as CommonMark has it, but however far they are indented, as in lists.
struct CodeFence {
    typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    private var fence: (mark: UInt8, length: Int)?

    /// Whether a line is a fence, or stands between two.
    mutating func take(_ line: Line) -> Bool {
        let line = line.drop { $0 == UInt8(ascii: " ") }
        if let (mark, length) = fence {
            let run = line.prefix { $0 == mark }
            let closes =
                run.count >= length
                && line[run.endIndex...].allSatisfy {
                    $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
                }
            if closes { fence = nil }
            return true
        }
        fence = Self.opening(line)
        return fence != nil
    }

    private static func opening(_ line: Line) -> (mark: UInt8, length: Int)? {
        guard let mark = line.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else {
            return nil
        }
        let run = line.prefix { $0 == mark }
        // With a backquote behind them, backquotes are around code within the line.
        guard run.count >= 3, mark == UInt8(ascii: "~") || !line[run.endIndex...].contains(mark)
        else { return nil }
        return (mark, run.count)
    }
}

extension CodeFence.Line {
    /// Whether it may say where a label leads.
    var mayDefine: Bool {
        first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "[")
    }

    func has(_ byte: UInt8) -> Bool {
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: self)).has(byte)
    }
}
