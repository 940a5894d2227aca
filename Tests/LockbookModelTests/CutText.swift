@testable import LockbookModel

/// A text alone, cut into its words or its lines.
struct CutText {
    let bytes: [UInt8]
    let words: TextPieces
    let lines: TextPieces
    /// Above all numbers of its pieces.
    let kinds: Int

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var table = PieceTable(of: bytes)
        words = table.words(of: bytes.indices)
        lines = table.lines(of: bytes.indices)
        kinds = table.count
        self.bytes = bytes
    }
}

/// The versions of a text, cut by one table.
struct CutVersions {
    let text: MergeText
    let base: (words: TextPieces, lines: TextPieces)
    let local: (words: TextPieces, lines: TextPieces)
    let remote: (words: TextPieces, lines: TextPieces)
    /// Above all numbers of their pieces.
    let kinds: Int

    init(_ base: String, _ local: String, _ remote: String) {
        text = MergeText(
            base: Array(base.utf8),
            local: Array(local.utf8),
            remote: Array(remote.utf8)
        )
        var table = PieceTable(of: text)
        self.base = (table.words(of: text.base), table.lines(of: text.base))
        self.local = (table.words(of: text.local), table.lines(of: text.local))
        self.remote = (table.words(of: text.remote), table.lines(of: text.remote))
        kinds = table.count
    }
}
