import Testing

@testable import LockbookModel

/// Into which version of an older conflict a change belongs, and how it stands there.
struct BlockStretchTests {
    private static let base = Array("a".utf8)

    /// A text whose last line has no end, one with an older conflict, and another change.
    private func text(first: String) -> MergeText {
        let local = "a\n<<<<<<< x\n\(first)=======\nb\n>>>>>>> y\n"
        return MergeText(base: Self.base, local: Array(local.utf8), remote: Array("a 2".utf8))
    }

    @Test func `a version is the base with one more line end at its end, and not with two`() {
        let text = text(first: "a\n")
        let start = text.local.lowerBound + 12
        let stretch = BlockStretch(base: text.base, text: text)
        #expect(stretch.version(for: text.remote, in: text.local) == start..<start + 2)
        for first in ["a\n\n", "a\t\n", "ab\n", ""] {
            let text = self.text(first: first)
            let stretch = BlockStretch(base: text.base, text: text)
            #expect(stretch.version(for: text.remote, in: text.local) == nil, "\(first)")
        }
    }

    @Test func `a last line without its end gets the one that the version has`() {
        let text = text(first: "a\n")
        let start = text.local.lowerBound + 12
        let stretch = BlockStretch(base: text.base, text: text)
        var budget = DiffBudget(pieces: 10)
        let version = start..<start + 2
        let parts = stretch.merged(version, text.remote, endingAs: version, &budget)
        let wanted: [MergedPart] = [.kept(text.remote), .kept(start + 1..<start + 2)]
        #expect(parts == wanted)
    }
}
