/// Entries of a log, each a point of a list that begins with date and time ("- 2026-11-23 14:05 …",
/// as `jot` writes them), with the indented lines below it.
///
/// What two devices add to a log at one place has an order: that of time.
struct DatedEntries {
    private let bytes: [UInt8]
    private let entries: [Range<Int>]

    /// - Returns: nil when anything else stands in these lines.
    init?(_ lines: Range<Int>, of bytes: [UInt8]) {
        guard !lines.isEmpty, bytes[lines.upperBound - 1] == UInt8(ascii: "\n") else { return nil }
        var entries: [Range<Int>] = []
        var start = lines.lowerBound
        while start < lines.upperBound {
            let feed = bytes[start..<lines.upperBound].firstIndex(of: UInt8(ascii: "\n"))
            let end = (feed ?? lines.upperBound - 1) + 1
            if Self.isDated(bytes[start..<end]) {
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
    }

    /// Both, the earlier entry first; each side's entries stay in their own order, and what is the
    /// same in both is there once.
    func merged(with other: DatedEntries) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        var (mine, theirs) = (entries[...], other.entries[...])
        while let one = mine.first, let another = theirs.first {
            // Dates of this form, and what follows within one minute, are ordered by their bytes.
            let isSame = bytes[one] == other.bytes[another]
            if isSame || bytes[one].lexicographicallyPrecedes(other.bytes[another]) {
                merged.append(one)
                mine.removeFirst()
                if isSame { theirs.removeFirst() }
            } else {
                merged.append(another)
                theirs.removeFirst()
            }
        }
        return merged + mine + theirs
    }

    /// `0` stands for a digit.
    private static let form = Array("- 0000-00-00 00:00".utf8)

    private static func isDated(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count > form.count else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isForm = zip(form, line).allSatisfy { form, byte in
            form == UInt8(ascii: "0") ? digits.contains(byte) : form == byte
        }
        return isForm && " \r\n".utf8.contains(line[line.startIndex + form.count])
    }
}
