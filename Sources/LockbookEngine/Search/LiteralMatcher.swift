import CLinux
import Foundation
import Glibc

/// Finds lines that hold a text, byte by byte, in whichever form its accents are composed.
struct LiteralMatcher: Sendable {
    /// Where several forms are looked for, how far at first.
    private static let firstStretch = 256

    /// The text in each of its forms: nearly always one.
    private let needles: [Needle]
    private let folding: CaseFolding?

    init(_ text: String, ignoresCase: Bool) {
        let forms = text.composedForms.map { Array($0.utf8) }
        let folding = ignoresCase ? CaseFolding(for: forms.flatMap(\.self)) : nil
        needles = forms.map { Needle(folding?.fold($0) ?? $0) }
        self.folding = folding
    }

    /// The text as it is searched: positions in it are those of the text itself.
    func prepared(_ text: [UInt8]) -> [UInt8] { folding?.fold(text) ?? text }

    func nextLine(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        guard let found = first(in: text, from: start, to: text.count) else { return nil }
        return text.line(around: found.lowerBound, notBefore: start)
    }

    func matches(in text: UnsafeRawBufferPointer, line: Range<Int>) -> [Range<Int>] {
        var matches: [Range<Int>] = []
        var start = line.lowerBound
        while let found = first(in: text, from: start, to: line.upperBound) {
            start = found.upperBound
            matches.append(found.lowerBound - line.lowerBound..<start - line.lowerBound)
        }
        return matches
    }

    /// The first place of any form.
    ///
    /// Several are looked for in stretches, each twice as long as the one before: one that is rare is
    /// not looked for to the end of the text again at every place of another.
    private func first(
        in text: UnsafeRawBufferPointer,
        from start: Int,
        to end: Int
    ) -> Range<Int>? {
        var start = start
        var length = needles.count == 1 ? end - start : Self.firstStretch
        while start < end {
            let stretch = start..<min(end, start + length)
            if let found = first(in: text, beginningIn: stretch, to: end) { return found }
            start = stretch.upperBound
            length *= 2
        }
        return nil
    }

    private func first(
        in text: UnsafeRawBufferPointer,
        beginningIn stretch: Range<Int>,
        to end: Int
    ) -> Range<Int>? {
        guard let base = text.baseAddress else { return nil }
        var first: Range<Int>?
        for needle in needles {
            let bytes = needle.bytes
            // Only what begins before the one that was found already.
            let last = min(end, (first?.lowerBound ?? stretch.upperBound) + bytes.count - 1)
            var start = stretch.lowerBound
            while let found = memmem(base + start, last - start, bytes, bytes.count) {
                let place = UnsafeRawPointer(found) - base
                start = place + 1
                guard !needle.isCut(in: text, at: place + bytes.count) else { continue }
                first = place..<place + bytes.count
                break
            }
        }
        return first
    }
}

/// One form of a text that is looked for.
private struct Needle: Sendable {
    /// So far an accent may stand behind a letter; nobody writes more.
    private static let accentBytes = 64

    let bytes: [UInt8]
    /// Its last letter, with the accents behind that.
    private let tail: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let letter = scalars.lastIndex { !$0.continuesLetter } ?? scalars.startIndex
        tail = String(scalars[letter...])
    }

    /// Whether accents behind a match make another letter of its last one: "e" is not in a decomposed "é",
    /// as it is not in the composed one.
    func isCut(in text: UnsafeRawBufferPointer, at end: Int) -> Bool {
        // No accent is below U+0300.
        guard end < text.count, text[end] >= 0xcc else { return false }
        let next = String(decoding: text[end..<min(end + 4, text.count)], as: UTF8.self)
        guard next.unicodeScalars.first?.continuesLetter == true else { return false }
        let behind = String(
            decoding: text[end..<min(end + Self.accentBytes, text.count)],
            as: UTF8.self
        )
        var whole = tail
        whole.unicodeScalars.append(
            contentsOf: behind.unicodeScalars.prefix { $0.continuesLetter }
        )
        let composed = whole.precomposedStringWithCanonicalMapping.unicodeScalars
        return !composed.starts(with: tail.precomposedStringWithCanonicalMapping.unicodeScalars)
    }
}

extension Unicode.Scalar {
    /// Whether it may be one letter with what stands before it: accents, and the later parts of a syllable
    /// in Hangul.
    fileprivate var continuesLetter: Bool {
        properties.canonicalCombiningClass != .notReordered || (0x1161...0x11c2).contains(value)
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

    var hasZero: Bool { has(0) }

    func has(_ byte: UInt8) -> Bool {
        guard let baseAddress else { return false }
        return memchr(baseAddress, Int32(byte), count) != nil
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
