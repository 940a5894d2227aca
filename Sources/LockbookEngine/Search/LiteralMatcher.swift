import CLinux
import Glibc

/// Finds lines that hold a text, byte by byte.
struct LiteralMatcher: Sendable {
    private let needle: [UInt8]
    private let folding: CaseFolding?

    init(_ text: String, ignoresCase: Bool) {
        let bytes = Array(text.utf8)
        folding = ignoresCase ? CaseFolding(for: bytes) : nil
        needle = folding?.fold(bytes) ?? bytes
    }

    /// The text as it is searched: positions in it are those of the text itself.
    func prepared(_ text: [UInt8]) -> [UInt8] { folding?.fold(text) ?? text }

    func nextLine(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        guard let found = position(in: text, from: start, to: text.count) else { return nil }
        return text.line(around: found, notBefore: start)
    }

    func matches(in text: UnsafeRawBufferPointer, line: Range<Int>) -> [Range<Int>] {
        var matches: [Range<Int>] = []
        var start = line.lowerBound
        while let found = position(in: text, from: start, to: line.upperBound) {
            start = found + needle.count
            matches.append(found - line.lowerBound..<start - line.lowerBound)
        }
        return matches
    }

    private func position(in text: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        guard let base = text.baseAddress, start < end else { return nil }
        guard let found = memmem(base + start, end - start, needle, needle.count) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }
}

extension UnsafeRawBufferPointer {
    static let newline = Int32(UInt8(ascii: "\n"))

    /// Where the line ends that this position is in: at its `\n`, or at the end of all.
    func lineEnd(from position: Int) -> Int {
        guard let baseAddress, position < count,
            let end = memchr(baseAddress + position, Self.newline, count - position)
        else { return count }
        return UnsafeRawPointer(end) - baseAddress
    }

    var hasZero: Bool {
        guard let baseAddress else { return false }
        return memchr(baseAddress, 0, count) != nil
    }

    func line(around position: Int, notBefore start: Int) -> Range<Int> {
        var low = start
        if let baseAddress, position > start,
            let before = memrchr(baseAddress + start, Self.newline, position - start)
        {
            low = UnsafeRawPointer(before) - baseAddress + 1
        }
        return low..<lineEnd(from: position)
    }

    func lineCount(in range: Range<Int>) -> Int {
        var lines = 0
        for byte in self[range] where byte == UInt8(ascii: "\n") { lines &+= 1 }
        return lines
    }
}
