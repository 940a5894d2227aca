/// The words of a stretch of the base, as both sides are compared with them.
struct OldWords {
    let pieces: TextPieces
    let places: PiecePlaces
    let lines: PieceLines

    /// - Parameter kinds: above all ids of pieces.
    init(_ pieces: TextPieces, kinds: Int, in bytes: [UInt8]) {
        self.pieces = pieces
        places = PiecePlaces(ofWordsIn: pieces, kinds: kinds, of: bytes)
        lines = PieceLines(pieces, in: bytes)
    }
}

/// Where each piece of a text stands that is there once.
struct PiecePlaces {
    private static let none = Int32(-1)
    private static let many = Int32(-2)
    private var places: [Int32]

    /// Those of words; marks of points are no such words.
    ///
    /// - Parameter kinds: above all ids of pieces.
    init(ofWordsIn pieces: TextPieces, kinds: Int, of bytes: [UInt8]) {
        places = Array(repeating: Self.none, count: kinds)
        for piece in 0..<pieces.count
        where pieces.isWord(piece, in: bytes) && !pieces.isMark(piece, in: bytes) {
            add(pieces.ids[piece], at: piece)
        }
    }

    /// Those of all pieces.
    ///
    /// - Parameter kinds: above all ids of pieces.
    init(ofAllIn pieces: TextPieces, kinds: Int) {
        places = Array(repeating: Self.none, count: kinds)
        for (piece, id) in pieces.ids.enumerated() { add(id, at: piece) }
    }

    private mutating func add(_ id: Int32, at piece: Int) {
        places[Int(id)] = places[Int(id)] == Self.none ? Int32(piece) : Self.many
    }

    /// By the number of a piece; nil for one that is not there, or several times.
    subscript(id: Int32) -> Int? {
        let place = places[Int(id)]
        return place >= 0 ? Int(place) : nil
    }

    func hasSeveral(_ id: Int32) -> Bool { places[Int(id)] == Self.many }
}
