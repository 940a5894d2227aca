/// The words of a stretch of the base, as both sides are compared with them.
struct OldWords {
    let pieces: TextPieces
    let places: WordPlaces
    let lines: PieceLines

    /// - Parameter kinds: above all ids of pieces.
    init(_ pieces: TextPieces, kinds: Int, in bytes: [UInt8]) {
        self.pieces = pieces
        places = WordPlaces(in: pieces, kinds: kinds, of: bytes)
        lines = PieceLines(pieces, in: bytes)
    }
}

/// Where each word of a stretch stands that is there once; marks of points are no such words.
struct WordPlaces {
    private static let none = -1
    private static let many = -2
    private var places: [Int]

    /// - Parameter kinds: above all ids of pieces.
    init(in pieces: TextPieces, kinds: Int, of bytes: [UInt8]) {
        places = Array(repeating: Self.none, count: kinds)
        for piece in 0..<pieces.count
        where pieces.isWord(piece, in: bytes) && !pieces.isMark(piece, in: bytes) {
            let id = Int(pieces.ids[piece])
            places[id] = places[id] == Self.none ? piece : Self.many
        }
    }

    /// By the number of a word; nil for others.
    subscript(id: Int32) -> Int? {
        let place = places[Int(id)]
        return place >= 0 ? place : nil
    }
}
