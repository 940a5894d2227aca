/// Which side of a conflict stays.
package enum ConflictSide: Sendable {
    case local, remote, both
}

/// The places of a text where two versions stand between markers, as a merge left them.
///
/// Markers are lines of at least seven of one sign; those of one place are equally long, so that a
/// place may stand in a version of another one.
package struct ConflictBlocks {
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

    /// How many places there are that are in no other one.
    package var count: Int {
        parts.count { if case .block = $0 { true } else { false } }
    }

    /// Whether a place is one that a merge here or on another device left: its markers tell whose versions they
    /// are, as those of `git` do not.
    package var namesWriters: Bool {
        parts.contains {
            guard case .block(let opening, _, _, _, let closing) = $0 else { return false }
            return [opening, closing].allSatisfy { label($0).firstRange(of: " on ".utf8) != nil }
        }
    }

    /// The text with one side of every place, or both without their markers, where all are merges of this device.
    package func resolved(keeping side: ConflictSide) -> [UInt8] {
        resolved(keeping: side) { _, _, _ in true }
    }

    /// The text with one side of every place, or both without their markers.
    /// - Parameter isLocalFirst: which of a place's two versions is the local one, by what its markers
    ///   say of the first and of the second, and by whether it is inside of a version of another place;
    ///   nil leaves the place as it is. A merge puts its own version first.
    package func resolved(
        keeping side: ConflictSide,
        isLocalFirst: (_ first: String, _ second: String, _ isInner: Bool) throws -> Bool?
    ) rethrows -> [UInt8] {
        var output: [UInt8] = []
        func add(_ parts: [Part], isInner: Bool) throws {
            for part in parts {
                switch part {
                case .lines(let range): output += bytes[range]
                case .block(let opening, let first, let middle, let second, let closing):
                    let isFirst = try isLocalFirst(
                        String(decoding: label(opening), as: UTF8.self),
                        String(decoding: label(closing), as: UTF8.self),
                        isInner
                    )
                    let marks = isFirst == nil && side != .both
                    if marks { output += bytes[opening] }
                    if marks || side == .both || isFirst == (side == .local) {
                        try add(first, isInner: true)
                    }
                    if marks { output += bytes[middle] }
                    if marks || side == .both || isFirst == (side == .remote) {
                        try add(second, isInner: true)
                    }
                    if marks { output += bytes[closing] }
                }
            }
        }
        try add(parts, isInner: false)
        return output
    }

    /// What stands behind the signs of a marker.
    private func label(_ marker: Range<Int>) -> ArraySlice<UInt8> {
        let sign = bytes[marker.lowerBound]
        var label = bytes[marker].drop { $0 == sign }.drop { $0 == 0x20 }
        while let last = label.last, last <= 0x20 { label.removeLast() }
        return label
    }
}

/// Reads lines once; each open place waits for its middle and its end.
private struct Reader {
    private struct Open {
        let length: Int
        let opening: Range<Int>
        var before: [ConflictBlocks.Part]
        var local: [ConflictBlocks.Part]?
        var middle: Range<Int> = 0..<0
    }

    private let bytes: [UInt8]
    private var open: [Open] = []
    private var current: [ConflictBlocks.Part] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read() -> [ConflictBlocks.Part] {
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            let line = start..<min(end + 1, bytes.count)
            take(line)
            start = line.upperBound
        }
        // What was opened and never closed is text after all.
        while let last = open.popLast() { unwind(last) }
        return current
    }

    private mutating func take(_ line: Range<Int>) {
        guard let (sign, length) = marker(line) else { return append(line) }
        switch sign {
        case 0x3C:
            open.append(Open(length: length, opening: line, before: current))
            current = []
        case 0x3D:
            guard let place = open.lastIndex(where: { $0.length == length && $0.local == nil })
            else { return append(line) }
            while open.count > place + 1, let last = open.popLast() { unwind(last) }
            open[place].local = current
            open[place].middle = line
            current = []
        default:
            guard let place = open.lastIndex(where: { $0.length == length && $0.local != nil })
            else { return append(line) }
            while open.count > place + 1, let last = open.popLast() { unwind(last) }
            let block = open.removeLast()
            current =
                block.before + [
                    .block(
                        opening: block.opening,
                        block.local ?? [],
                        middle: block.middle,
                        current,
                        closing: line
                    )
                ]
        }
    }

    private mutating func append(_ line: Range<Int>) {
        // Lines come in order, so that nothing is between these and the ones before.
        if case .lines(let before)? = current.last {
            current[current.count - 1] = .lines(before.lowerBound..<line.upperBound)
        } else {
            current.append(.lines(line))
        }
    }

    private mutating func unwind(_ place: Open) {
        var parts = place.before + [.lines(place.opening)]
        if let local = place.local { parts += local + [.lines(place.middle)] }
        current = parts + current
    }

    private func marker(_ line: Range<Int>) -> (sign: UInt8, length: Int)? {
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
