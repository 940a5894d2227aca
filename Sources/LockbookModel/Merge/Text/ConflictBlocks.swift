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
    ///   first and of the second, in UTF-8: whoever wrote the text chose it, and its length.
    package func resolved(
        keeping side: ConflictSide,
        local: (_ first: [UInt8], _ second: [UInt8]) throws -> Local
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
    private func label(_ marker: Range<Int>) -> [UInt8] {
        let sign = bytes[marker.lowerBound]
        var label = bytes[marker].drop { $0 == sign }.drop { $0 == 0x20 }
        while let last = label.last, last <= 0x20 { label.removeLast() }
        return Array(label)
    }
}
