import Testing

@testable import LockbookModel

/// Cutting a version of a text that was cut already.
struct TextPiecesLikeTests {
    @Test func `gives the same as cutting it alone`() {
        let words = [
            "a", "b", " ", "  ", "\n", "\r\n", "\r", "'", ".", ",", "-", "/", "1", "23",
            "1,10,20,30", "é",
            "日", "本", "[", "]", "_", "@",
        ]
        var random = Seeded(5)
        for _ in 0..<4_000 {
            let base = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                words.randomElement(using: &random)
            }
            var side = base
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let at = Int.random(in: 0...side.count, using: &random)
                let end = min(side.count, at + Int.random(in: 0...2, using: &random))
                side.replaceSubrange(at..<end, with: words.shuffled(using: &random).prefix(1))
            }
            let text = MergeText(
                base: Array(base.joined().utf8),
                local: Array(side.joined().utf8),
                remote: []
            )
            var table = PieceTable(of: text)
            let old = table.words(of: text.base)
            let like = table.words(of: text.local, like: old)
            let alone = table.words(of: text.local)
            #expect(like.ids == alone.ids && like.starts == alone.starts, "\(base) \(side)")
        }
    }
}
