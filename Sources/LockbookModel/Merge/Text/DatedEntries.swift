/// Entries of a log, each a point of a list that begins with date and time ("- 2026-11-23 14:05 …",
/// as `jot` writes them) or with the time alone, with the indented lines below it.
///
/// What two devices add to a log at one place has an order: that of time.
struct DatedEntries {
    private let bytes: [UInt8]
    private let entries: [Range<Int>]
    /// What each of them begins with.
    private let form: [UInt8]

    /// - Returns: nil when anything else stands in these lines, or the last one has no end.
    init?(_ lines: Range<Int>, of bytes: [UInt8]) {
        guard let form = Self.forms.first(where: { Self.begins(bytes[lines], as: $0) }) else {
            return nil
        }
        var entries: [Range<Int>] = []
        var start = lines.lowerBound
        while start < lines.upperBound {
            let rest = bytes[start..<lines.upperBound]
            guard let feed = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let end = feed + 1
            if Self.begins(bytes[start..<end], as: form) {
                entries.append(start..<end)
            } else if let last = entries.last, bytes[start..<end].starts(with: "  ".utf8) {
                entries[entries.count - 1] = last.lowerBound..<end
            } else {
                return nil
            }
            start = end
        }
        self.bytes = bytes
        self.entries = entries
        self.form = form
    }

    /// Whether the two have an order: their entries begin alike.
    func hasOrder(with other: DatedEntries) -> Bool { form == other.form }

    /// Both, the earlier entry first; each side's entries stay in their own order, and what is the
    /// same in both is there once.
    func merged(with other: DatedEntries) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        var (mine, theirs) = (Queue(self), Queue(other))
        while let one = mine.next(), let another = theirs.next() {
            let (text, otherText) = (bytes[one], other.bytes[another])
            if text == otherText {
                merged.append(one)
                mine.pass()
                theirs.pass()
                continue
            }
            // What the other side has, too, waits for it: a log may be kept with the newest in front.
            let (isShared, otherIsShared) = (theirs.has(text), mine.has(otherText))
            // Dates of this form, and what follows within one minute, are ordered by their bytes.
            let isFirst =
                isShared == otherIsShared
                ? text.lexicographicallyPrecedes(otherText) : otherIsShared
            merged.append(isFirst ? one : another)
            if isFirst {
                mine.pass()
                theirs.crossOut(text)
            } else {
                theirs.pass()
                mine.crossOut(otherText)
            }
        }
        while let one = mine.next() {
            merged.append(one)
            mine.pass()
        }
        while let another = theirs.next() {
            merged.append(another)
            theirs.pass()
        }
        return merged
    }

    /// One side's entries in order, but for those that were taken from the other one.
    private struct Queue {
        private let bytes: [UInt8]
        private var rest: ArraySlice<Range<Int>>
        private var counts: [ArraySlice<UInt8>: Int] = [:]
        private var crossedOut: [ArraySlice<UInt8>: Int] = [:]

        init(_ entries: DatedEntries) {
            bytes = entries.bytes
            rest = entries.entries[...]
            for entry in rest { counts[bytes[entry], default: 0] += 1 }
        }

        func has(_ text: ArraySlice<UInt8>) -> Bool { counts[text, default: 0] > 0 }

        mutating func next() -> Range<Int>? {
            while let first = rest.first, let count = crossedOut[bytes[first]], count > 0 {
                crossedOut[bytes[first]] = count - 1
                rest.removeFirst()
            }
            return rest.first
        }

        mutating func pass() {
            counts[bytes[rest.removeFirst()], default: 0] -= 1
        }

        /// Passes an entry when it comes; of those that do not come, none is passed.
        mutating func crossOut(_ text: ArraySlice<UInt8>) {
            counts[text, default: 0] -= 1
            crossedOut[text, default: 0] += 1
        }
    }

    /// `0` stands for a digit.
    private static let forms = ["- 0000-00-00 00:00", "- 00:00"].map { Array($0.utf8) }

    private static func begins(_ line: ArraySlice<UInt8>, as form: [UInt8]) -> Bool {
        guard line.count > form.count else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isForm = zip(form, line).allSatisfy { form, byte in
            form == UInt8(ascii: "0") ? digits.contains(byte) : form == byte
        }
        return isForm && " \r\n".utf8.contains(line[line.startIndex + form.count])
    }
}
