/// The lines that set two versions of a text apart, in the manner of git.
struct ConflictMarkers {
    let opening: [UInt8]
    let middle: [UInt8]
    let closing: [UInt8]
    let lineEnding: [UInt8]

    init(for text: MergeText, labels: MergeLabels) {
        let length = Self.freeLength(in: text.bytes)
        lineEnding = Self.lineEnding(of: text)
        func marker(_ byte: UInt8, _ label: String) -> [UInt8] {
            // A label comes from names people chose; a line feed in it would end the marker.
            let words = label.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
            return Array(repeating: byte, count: length) + (words.isEmpty ? [] : [0x20]) + words
        }
        opening = marker(0x3C, labels.local) + lineEnding
        middle = marker(0x3D, "") + lineEnding
        closing = marker(0x3E, labels.remote) + lineEnding
    }

    /// The least length from 7 up that no line of the text could be taken for a marker of.
    ///
    /// The lengths in a text add up to less than its size, so markers stay short on hostile input.
    private static func freeLength(in bytes: [UInt8]) -> Int {
        var taken: Set<Int> = []
        var cursor = LineCursor(bytes[...])
        while let line = cursor.line() {
            guard let sign = line.first, "<=>|".utf8.contains(sign) else { continue }
            let signs = line.prefix { $0 == sign }
            let ends = line.dropFirst(signs.count).first.map { $0 <= 0x20 } ?? true
            if ends, signs.count >= 7 { taken.insert(signs.count) }
        }
        var length = 7
        while taken.contains(length) { length += 1 }
        return length
    }

    /// The ending of the first line there is: of this side, of the other, of the base.
    private static func lineEnding(of text: MergeText) -> [UInt8] {
        [text.local, text.remote, text.base].lazy
            .compactMap { text.bytes[$0].lineEnding }.first ?? [0x0A]
    }
}

extension MergeText {
    /// Writes the merged document out.
    ///
    /// Behind markers, too, its last line has no end where neither side has one there.
    func render(_ parts: [MergedPart], labels: MergeLabels) -> [UInt8] {
        let markers =
            parts.contains(where: \.isConflict)
            ? ConflictMarkers(for: self, labels: labels) : nil
        var output: [UInt8] = []
        output.reserveCapacity(max(local.count, remote.count))
        for part in parts {
            switch part {
            case .kept(let range): output += bytes[range]
            case .conflict(let local, let remote):
                guard let markers else { continue }
                output.endLine(with: markers.lineEnding)
                output += markers.opening
                output += bytes[local]
                output.endLine(with: markers.lineEnding)
                output += markers.middle
                output += bytes[remote]
                output.endLine(with: markers.lineEnding)
                output += markers.closing
            }
        }
        if let markers, parts.last?.isConflict == true, isUnended {
            output.dropLineEnd(markers.lineEnding)
        }
        return output
    }

    /// Whether neither side ends its last line.
    private var isUnended: Bool { bytes[local].last != 0x0A && bytes[remote].last != 0x0A }
}

extension [UInt8] {
    /// Ends a last line that has no ending, so that a marker can follow.
    mutating func endLine(with ending: [UInt8]) {
        if let last, last != 0x0A { self += ending }
    }

    /// Takes away what ends the last line, and what `endLine` gave it as a whole.
    mutating func dropLineEnd(_ ending: [UInt8]) {
        guard last == 0x0A else { return }
        removeLast(suffix(ending.count).elementsEqual(ending) ? ending.count : 1)
    }
}
