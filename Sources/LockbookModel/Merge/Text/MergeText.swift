/// The three documents of a merge in one buffer, so that a range alone says which text is meant.
struct MergeText {
    let bytes: [UInt8]
    private(set) var base: Range<Int>
    private(set) var local: Range<Int>
    private(set) var remote: Range<Int>
    /// What stands in the buffer behind each of them that does not end its last line, or nothing.
    private(set) var ending: [UInt8]
    /// How tables in it are read.
    var tables = TableForm.drawn
    /// Whether its records are known by their lines.
    var hasRecords = false
    /// Whether lines with `*` are headings, and no points of a list.
    var isOrg = false
    /// The records of one line that others may have taken the place of.
    var gone = NamedLines()
    /// How what both sides added at one place is joined; nil where both versions of it stay.
    var joint: AdditionJoint?

    init(base: [UInt8], local: [UInt8], remote: [UInt8]) {
        let ending = Self.missingEnding(of: [base, local, remote])
        var bytes: [UInt8] = []
        bytes.reserveCapacity(base.count + local.count + remote.count + 3 * ending.count)
        func add(_ text: [UInt8]) -> Range<Int> {
            let start = bytes.count
            bytes += text
            defer { if Self.lacksEnd(text[...]) { bytes += ending } }
            return start..<bytes.count
        }
        self.base = add(base)
        self.local = add(local)
        self.remote = add(remote)
        self.bytes = bytes
        self.ending = ending
    }

    /// Bytes of all three versions.
    var size: Int { base.count + local.count + remote.count }

    /// The same with an end of the last line in all three; nil where that is so already.
    var ended: MergeText? {
        guard !ending.isEmpty else { return nil }
        func ended(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound..<range.upperBound + (lacksEnd(range) ? ending.count : 0)
        }
        var text = self
        text.base = ended(base)
        text.local = ended(local)
        text.remote = ended(remote)
        text.ending = []
        return text
    }

    /// Whether the merge of them ends its last line: as the side that changed that.
    ///
    /// An empty side has no last line, and a base that is empty ended none.
    var endsLastLine: Bool {
        func isEnded(_ range: Range<Int>) -> Bool? { bytes[range].last.map { $0 == 0x0A } }
        guard let mine = isEnded(local), let theirs = isEnded(remote) else {
            return isEnded(local) ?? isEnded(remote) ?? true
        }
        return mine == theirs ? mine : isEnded(base) != true
    }

    /// Whether a text has a last line without an end.
    func lacksEnd(_ range: Range<Int>) -> Bool { Self.lacksEnd(bytes[range]) }

    private static func lacksEnd(_ text: ArraySlice<UInt8>) -> Bool {
        text.last.map { $0 != 0x0A } ?? false
    }

    /// What would end the last lines as the first ones end.
    /// - Parameter texts: the base and both sides.
    private static func missingEnding(of texts: [[UInt8]]) -> [UInt8] {
        guard texts.contains(where: { Self.lacksEnd($0[...]) }) else { return [] }
        // As markers end, where both sides have one way.
        let endings = Set(texts.dropFirst().compactMap { $0[...].lineEnding })
        if endings.isEmpty { return texts[0][...].lineEnding ?? [0x0A] }
        return endings.count == 1 ? endings.first ?? [0x0A] : [0x0A]
    }

    /// What merged parts say with one side chosen in every conflict.
    func document(of parts: [MergedPart], choosingLocal isLocal: Bool) -> [UInt8] {
        var document: [UInt8] = []
        for part in parts { document += bytes[part.range(ofLocal: isLocal)] }
        return document
    }

    func same(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        bytes[one] == bytes[other]
    }
}

extension ArraySlice<UInt8> {
    /// What ends its first line; nil where none is ended.
    var lineEnding: [UInt8]? {
        guard let end = firstIndex(of: 0x0A) else { return nil }
        return end > startIndex && self[end - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
    }
}

/// A stretch of the merged document: text of one version, or two versions that exclude each other.
enum MergedPart: Equatable {
    case kept(Range<Int>)
    case conflict(local: Range<Int>, remote: Range<Int>)

    var isConflict: Bool {
        if case .conflict = self { true } else { false }
    }

    /// What stands there with one side chosen in every conflict.
    func range(ofLocal isLocal: Bool) -> Range<Int> {
        switch self {
        case .kept(let range): range
        case .conflict(let local, let remote): isLocal ? local : remote
        }
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

    /// Leaves out what ends the last line where the merge does not end it; behind markers there is none.
    mutating func dropEnd(of text: MergeText) {
        let ending = text.ending
        guard !text.endsLastLine, case .kept(let range)? = last,
            text.bytes[range].suffix(ending.count).elementsEqual(ending)
        else { return }
        removeLast()
        keep(range.dropLast(ending.count))
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
