/// A text cut into lines or words, each known by a number that equal pieces share.
struct TextPieces {
    private(set) var ids: [Int32] = []
    /// Where each piece starts in the buffer, and after them where the last one ends.
    private(set) var starts: [Int]

    init(startingAt start: Int) {
        starts = [start]
    }

    var count: Int { ids.count }

    mutating func reserve(_ count: Int) {
        ids.reserveCapacity(count)
        starts.reserveCapacity(count + 1)
    }

    mutating func append(_ id: Int32, endingAt end: Int) {
        ids.append(id)
        starts.append(end)
    }

    /// The bytes of a run of pieces.
    func bytes(of pieces: Range<Int>) -> Range<Int> {
        starts[pieces.lowerBound]..<starts[pieces.upperBound]
    }

    /// The piece that a byte is in.
    func index(holding byte: Int) -> Int { starts.index(past: { $0 <= byte }) - 1 }

    /// Whether a line starts with this piece, as one does with the first.
    func startsLine(_ piece: Int, in bytes: [UInt8]) -> Bool {
        piece == 0 || endsLine(piece - 1, in: bytes)
    }

    func endsLine(_ piece: Int, in bytes: [UInt8]) -> Bool {
        bytes[starts[piece + 1] - 1] == 0x0A
    }

    /// Whether pieces are whole lines, one at least.
    func areLines(_ run: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard let last = run.last else { return false }
        return startsLine(run.lowerBound, in: bytes) && endsLine(last, in: bytes)
    }

    /// Whether a piece is a word, and no blank or sign.
    func isWord(_ piece: Int, in bytes: [UInt8]) -> Bool {
        Self.isOfWord(bytes[starts[piece]])
    }

    /// Whether a piece is a run of blanks, or ends a line.
    func isBlank(_ piece: Int, in bytes: [UInt8]) -> Bool {
        bytes[starts[piece]] <= 0x20
    }

    /// Whether a piece is a run of blanks within a line.
    func isIndentation(_ piece: Int, in bytes: [UInt8]) -> Bool {
        isBlank(piece, in: bytes) && !endsLine(piece, in: bytes)
    }

    /// Whether a word is in these lines.
    func hasWord(_ lines: Range<Int>, in bytes: [UInt8]) -> Bool {
        bytes[self.bytes(of: lines)].contains(where: Self.isOfWord)
    }

    static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
        default: false
        }
    }
}

/// Gives equal pieces of one buffer equal numbers, counted from zero.
///
/// A hash table of its own, since a `Dictionary` would want a copy of every piece as its key.
/// What hashes them is seeded anew in each process, so no document can be made to collide on purpose.
struct PieceTable {
    private static let seed = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    let bytes: [UInt8]
    /// Where in the buffer each text stands.
    let texts: [Range<Int>]
    /// Whether each comma outside of quotes parts two fields.
    private(set) var partsNumbers = false
    private var slots: [Int32]
    /// Pieces of one byte, which are half of all words and signs, by that.
    private var letters = [Int32](repeating: -1, count: 256)
    private var pieces: [(range: Range<Int>, hash: Int)] = []

    init(of bytes: [UInt8], texts: [Range<Int>] = []) {
        self.bytes = bytes
        self.texts = texts
        slots = Array(repeating: -1, count: 64)
    }

    init(of text: MergeText) {
        self.init(of: text.bytes, texts: [text.base, text.local, text.remote])
        partsNumbers = text.tables.partsNumbers
    }

    /// How many different pieces there are.
    var count: Int { pieces.count }

    mutating func id(of range: Range<Int>) -> Int32 {
        if range.count == 1 {
            let byte = Int(bytes[range.lowerBound])
            if letters[byte] < 0 { letters[byte] = add(range, hash: 0) }
            return letters[byte]
        }
        if pieces.count * 2 >= slots.count { grow() }
        let hash = hash(of: range)
        let slot = slot(of: range, hash)
        if slots[slot] < 0 { slots[slot] = add(range, hash: hash) }
        return slots[slot]
    }

    /// The number of a piece; nil for one that got none.
    func known(_ range: Range<Int>) -> Int32? {
        let id =
            range.count == 1
            ? letters[Int(bytes[range.lowerBound])] : slots[slot(of: range, hash(of: range))]
        return id < 0 ? nil : id
    }

    private mutating func add(_ range: Range<Int>, hash: Int) -> Int32 {
        pieces.append((range, hash))
        return Int32(pieces.count - 1)
    }

    private func hash(of range: Range<Int>) -> Int {
        if range.count <= 8 {
            // Most words are as short as that, and `Hasher` takes longer than all else that is done with them.
            var word: UInt64 = 0
            for at in range { word = word << 8 | UInt64(bytes[at]) }
            let seed = Self.seed
            let product = (word ^ seed.0).multipliedFullWidth(by: seed.1 | 1)
            return Int(truncatingIfNeeded: product.high ^ product.low)
        }
        return bytes.withUnsafeBytes { buffer in
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: buffer[range]))
            return hasher.finalize()
        }
    }

    /// Where a piece stands in the table, or would.
    private func slot(of range: Range<Int>, _ hash: Int) -> Int {
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let known = pieces[Int(slots[slot])]
            if known.hash == hash, isSame(known.range, range) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        for offset in 0..<one.count
        where bytes[one.lowerBound + offset] != bytes[other.lowerBound + offset] {
            return false
        }
        return true
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (id, piece) in pieces.enumerated() where piece.range.count > 1 {
            var slot = piece.hash & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(id)
        }
    }
}
