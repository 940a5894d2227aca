/// The three documents of a merge in one buffer, so that a range alone says which text is meant.
struct MergeText {
    let bytes: [UInt8]
    let base: Range<Int>
    let local: Range<Int>
    let remote: Range<Int>

    init(base: [UInt8], local: [UInt8], remote: [UInt8]) {
        bytes = base + local + remote
        self.base = 0..<base.count
        self.local = base.count..<base.count + local.count
        self.remote = base.count + local.count..<bytes.count
    }

    func same(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        bytes[one] == bytes[other]
    }
}

/// A stretch of the merged document: text of one version, or two versions that exclude each other.
enum MergedPart: Equatable {
    case kept(Range<Int>)
    case conflict(local: Range<Int>, remote: Range<Int>)

    var isConflict: Bool {
        if case .conflict = self { true } else { false }
    }
}

extension [MergedPart] {
    /// Adds text, joined to the part before where the two are neighbours in the buffer.
    mutating func keep(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if case .kept(let before)? = last, before.upperBound == range.lowerBound {
            self[count - 1] = .kept(before.lowerBound..<range.upperBound)
        } else {
            append(.kept(range))
        }
    }

    /// Adds what follows.
    mutating func add(_ parts: [MergedPart]) {
        for part in parts {
            if case .kept(let range) = part { keep(range) } else { append(part) }
        }
    }

    /// Adds two versions of whole lines; lines both begin or both end with are kept once.
    mutating func add(local: Range<Int>, remote: Range<Int>, of text: MergeText) {
        let bytes = text.bytes
        let shorter = Swift.min(local.count, remote.count)
        var (equal, head) = (0, 0)
        while equal < shorter, bytes[local.lowerBound + equal] == bytes[remote.lowerBound + equal] {
            equal += 1
            if bytes[local.lowerBound + equal - 1] == 0x0A { head = equal }
        }
        if equal == local.count, equal == remote.count { return keep(local) }

        var tail = 0
        equal = 0
        while equal < shorter - head {
            let (l, r) = (local.upperBound - equal - 1, remote.upperBound - equal - 1)
            // A line feed ends the line before, so what follows it is a whole line.
            if bytes[l] == 0x0A, bytes[r] == 0x0A { tail = equal }
            guard bytes[l] == bytes[r] else { break }
            equal += 1
        }
        let (l, r) = (local.upperBound - equal, remote.upperBound - equal)
        if startsLine(l, in: local, bytes), startsLine(r, in: remote, bytes) { tail = equal }

        keep(local.prefix(head))
        append(
            .conflict(
                local: local.dropFirst(head).dropLast(tail),
                remote: remote.dropFirst(head).dropLast(tail)
            )
        )
        keep(local.suffix(tail))
    }

    private func startsLine(_ at: Int, in range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        at == range.lowerBound || bytes[at - 1] == 0x0A
    }
}
