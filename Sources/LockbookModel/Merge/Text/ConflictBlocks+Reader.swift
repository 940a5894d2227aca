extension ConflictBlocks {
    /// Reads lines once; each open place waits for its middle and its end.
    struct Reader {
        private struct Open {
            let length: Int
            let opening: Range<Int>
            /// The first version, and the marker behind it, once that was read.
            var first: (parts: [Part], middle: Range<Int>)?
            /// Of the version that is being read.
            var parts: [Part] = []
        }

        /// Many times what merges of merges make; with it neither time nor the stack runs out.
        private static let deepest = 32

        private let bytes: [UInt8]
        /// Each inside of the one before.
        private var open: [Open] = []
        private var parts: [Part] = []

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func read() -> [Part] {
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

        private mutating func add(_ new: [Part]) {
            for part in new {
                if open.isEmpty {
                    Self.add(part, to: &parts)
                } else {
                    Self.add(part, to: &open[open.count - 1].parts)
                }
            }
        }

        /// Lines come in order, so that nothing is between some and the ones before.
        private static func add(_ part: Part, to parts: inout [Part]) {
            if case .lines(let line) = part, case .lines(let before)? = parts.last {
                parts[parts.count - 1] = .lines(before.lowerBound..<line.upperBound)
            } else {
                parts.append(part)
            }
        }

        private static func text(_ place: Open) -> [Part] {
            var parts: [Part] = [.lines(place.opening)]
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
}
