/// Which side of a conflict stays.
package enum ConflictSide: Sendable {
    case local, remote, both
}

/// The places of a text where two versions stand between markers, as a merge left them.
///
/// Markers are lines of at least seven of one sign; those of one place are equally long, so that a
/// place may stand in a version of another one. No more than 32 stand in one another: what opens around
/// those is text, as what is never closed.
package struct ConflictBlocks {
    /// Which of the two versions of a place is the local one.
    package enum Local {
        case first, second
        /// The place is left as it is, unless what it stands in goes.
        case neither
    }

    /// A part of the text: lines of it, or a place with two versions.
    indirect enum Part: Equatable {
        case lines(Range<Int>)
        /// The three marker lines, and what stands between them.
        case block(opening: Range<Int>, [Part], middle: Range<Int>, [Part], closing: Range<Int>)
    }

    let parts: [Part]
    private let bytes: [UInt8]

    /// Finds the places in a text; what is not closed is text.
    package init(in bytes: [UInt8]) {
        self.bytes = bytes
        var reader = Reader(bytes)
        parts = reader.read()
    }

    /// Whether there is what could open one.
    static func mayBe(in bytes: ArraySlice<UInt8>) -> Bool {
        var signs = 0
        return bytes.contains { byte in
            signs = byte == 0x3C ? signs + 1 : 0
            return signs == 7
        }
    }

    /// How many places there are that are in no other one.
    package var count: Int {
        parts.count { if case .block = $0 { true } else { false } }
    }

    /// The lines that look like markers, and are of no place.
    var strays: Set<ArraySlice<UInt8>> {
        var strays: Set<ArraySlice<UInt8>> = []
        func add(_ parts: [Part]) {
            for part in parts {
                switch part {
                case .lines(let range):
                    for line in bytes[range].split(separator: 0x0A) where Reader.hasMarker(line) {
                        strays.insert(line)
                    }
                case .block(_, let first, _, let second, _):
                    add(first)
                    add(second)
                }
            }
        }
        add(parts)
        return strays
    }

    /// Whether every line that looks like a marker is one of a place.
    var isWhole: Bool { strays.isEmpty }

    /// Whether a place is one that a merge here or on another device left: its markers tell whose versions they
    /// are, as those of `git` do not.
    package var namesWriters: Bool { countOfWriters > 0 }

    /// How many such places there are that are in no other one.
    package var countOfWriters: Int {
        parts.count {
            guard case .block(let opening, _, _, _, let closing) = $0 else { return false }
            return MergeLabels.nameWriters(label(opening), label(closing))
        }
    }

    /// The text with one side of every place, or both without their markers.
    ///
    /// Where it ends with a marker that has no line end, what stands there instead has none either: so
    /// a side is what it was before the merge.
    /// - Parameter local: which of a place's two versions is the local one, by what its markers say of the
    ///   first and of the second.
    package func resolved(
        keeping side: ConflictSide,
        local: (_ first: String, _ second: String) throws -> Local
    ) rethrows -> [UInt8] {
        var output: [UInt8] = []
        func add(_ parts: [Part]) throws {
            for part in parts {
                switch part {
                case .lines(let range): output += bytes[range]
                case .block(let opening, let first, let middle, let second, let closing):
                    switch (try local(label(opening), label(closing)), side) {
                    case (.neither, _):
                        output += bytes[opening]
                        try add(first)
                        output += bytes[middle]
                        try add(second)
                        output += bytes[closing]
                    case (_, .both):
                        try add(first)
                        try add(second)
                    case (.first, .local), (.second, .remote): try add(first)
                    case (.second, .local), (.first, .remote): try add(second)
                    }
                }
            }
        }
        try add(parts)
        if case .block(let opening, _, _, _, let closing)? = parts.last,
            bytes[closing].last != 0x0A
        {
            output.dropLineEnd(bytes[opening].lineEnding ?? [])
        }
        return output
    }

    /// Whether a text ends with a closing marker that has no line end.
    ///
    /// What is added to it would be of that line, and go with it.
    package static func endsInMarker(_ text: [UInt8]) -> Bool {
        let line = text[(text.lastIndex(of: 0x0A).map { $0 + 1 } ?? text.startIndex)...]
        return line.first == 0x3E && Reader.hasMarker(line)
    }

    /// What stands behind the signs of a marker.
    private func label(_ marker: Range<Int>) -> String {
        let sign = bytes[marker.lowerBound]
        var label = bytes[marker].drop { $0 == sign }.drop { $0 == 0x20 }
        while let last = label.last, last <= 0x20 { label.removeLast() }
        return String(decoding: label, as: UTF8.self)
    }
}

/// Reads lines once; each open place waits for its middle and its end.
private struct Reader {
    private struct Open {
        let length: Int
        let opening: Range<Int>
        /// The first version, and the marker behind it, once that was read.
        var first: (parts: [ConflictBlocks.Part], middle: Range<Int>)?
        /// Of the version that is being read.
        var parts: [ConflictBlocks.Part] = []
    }

    /// Many times what merges of merges make; with it neither time nor the stack runs out.
    private static let deepest = 32

    private let bytes: [UInt8]
    /// Each inside of the one before.
    private var open: [Open] = []
    private var parts: [ConflictBlocks.Part] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read() -> [ConflictBlocks.Part] {
        // The mark of UTF-8 stands in front of the first line, which may be a marker.
        var start = 0
        if bytes.starts(with: TextForm.mark) {
            start = TextForm.mark.count
            add([.lines(0..<start)])
        }
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            let line = start..<min(end + 1, bytes.count)
            take(line)
            start = line.upperBound
        }
        // What was opened and never closed is text after all.
        close(downTo: 0)
        return parts
    }

    private mutating func take(_ line: Range<Int>) {
        guard let (sign, length) = marker(line) else { return add([.lines(line)]) }
        switch sign {
        case 0x3C:
            if open.count == Self.deepest {
                for part in Self.text(open.removeFirst()) { Self.add(part, to: &parts) }
            }
            open.append(Open(length: length, opening: line))
        case 0x3D:
            guard let place = open.lastIndex(where: { $0.length == length && $0.first == nil })
            else { return add([.lines(line)]) }
            close(downTo: place + 1)
            open[place].first = (open[place].parts, line)
            open[place].parts = []
        default:
            guard let place = open.lastIndex(where: { $0.length == length && $0.first != nil }),
                let (first, middle) = open[place].first
            else { return add([.lines(line)]) }
            close(downTo: place + 1)
            let block = open.removeLast()
            add([
                .block(
                    opening: block.opening,
                    first,
                    middle: middle,
                    block.parts,
                    closing: line
                )
            ])
        }
    }

    private mutating func close(downTo count: Int) {
        while open.count > count { add(Self.text(open.removeLast())) }
    }

    private mutating func add(_ new: [ConflictBlocks.Part]) {
        for part in new {
            if open.isEmpty {
                Self.add(part, to: &parts)
            } else {
                Self.add(part, to: &open[open.count - 1].parts)
            }
        }
    }

    /// Lines come in order, so that nothing is between some and the ones before.
    private static func add(_ part: ConflictBlocks.Part, to parts: inout [ConflictBlocks.Part]) {
        if case .lines(let line) = part, case .lines(let before)? = parts.last {
            parts[parts.count - 1] = .lines(before.lowerBound..<line.upperBound)
        } else {
            parts.append(part)
        }
    }

    private static func text(_ place: Open) -> [ConflictBlocks.Part] {
        var parts: [ConflictBlocks.Part] = [.lines(place.opening)]
        if let (first, middle) = place.first { parts += first + [.lines(middle)] }
        return parts + place.parts
    }

    /// Whether a line of a text looks like a marker.
    static func hasMarker(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: 0x0A).contains { line in
            marker(line.startIndex..<line.endIndex, in: text) != nil
        }
    }

    private func marker(_ line: Range<Int>) -> (sign: UInt8, length: Int)? {
        Self.marker(line, in: bytes[...])
    }

    private static func marker(_ line: Range<Int>, in bytes: ArraySlice<UInt8>)
        -> (sign: UInt8, length: Int)?
    {
        let sign = bytes[line.lowerBound]
        guard sign == 0x3C || sign == 0x3D || sign == 0x3E else { return nil }
        var end = line.lowerBound
        while end < line.upperBound, bytes[end] == sign { end += 1 }
        guard end - line.lowerBound >= 7, end == line.upperBound || bytes[end] <= 0x20 else {
            return nil
        }
        // The middle has no label; a line under a heading does not stand between two versions.
        if sign == 0x3D {
            guard bytes[end..<line.upperBound].allSatisfy({ $0 == 0x0A || $0 == 0x0D }) else {
                return nil
            }
        }
        return (sign, end - line.lowerBound)
    }
}
