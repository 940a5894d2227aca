/// Where the places of a text, their versions and what stands around them are.
extension ConflictBlocks {
    /// Both versions of each place, those of places that others are in first.
    var versions: [Range<Int>] {
        var level = parts
        var versions: [Range<Int>] = []
        while !level.isEmpty {
            var next: [Part] = []
            for case .block(let opening, let first, let middle, let second, let closing) in level {
                versions.append(opening.upperBound..<middle.lowerBound)
                versions.append(middle.upperBound..<closing.lowerBound)
                next += first + second
            }
            level = next
        }
        return versions
    }

    /// The marker lines of all places.
    var markers: [Range<Int>] {
        var markers: [Range<Int>] = []
        func add(_ parts: [Part]) {
            for case .block(let opening, let first, let middle, let second, let closing) in parts {
                markers += [opening, middle, closing]
                add(first)
                add(second)
            }
        }
        add(parts)
        return markers
    }

    /// What stands with a version, whichever of the others is chosen.
    func around(_ version: Range<Int>) -> [Range<Int>] {
        var around: [Range<Int>] = []
        func add(_ parts: [Part]) {
            for part in parts {
                switch part {
                case .lines(let range): around.append(range)
                case .block(let opening, let first, let middle, let second, let closing):
                    let one = opening.upperBound..<middle.lowerBound
                    let two = middle.upperBound..<closing.lowerBound
                    if one == version || two == version { continue }
                    // Behind its last line a version has a marker, so that none begins where it ends.
                    if one.contains(version.lowerBound) {
                        add(first)
                    } else if two.contains(version.lowerBound) {
                        add(second)
                    } else {
                        around.append(opening.lowerBound..<closing.upperBound)
                    }
                }
            }
        }
        add(parts)
        return around
    }

    /// The lines that stand in no place.
    var outside: [Range<Int>] {
        parts.compactMap { if case .lines(let range) = $0 { range } else { nil } }
    }
}
