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

    /// The version of an older conflict on the local side into which the remote change belongs.
    private func version(of base: String, in local: String, for remote: String) -> String? {
        let text = MergeText(
            base: Array(base.utf8),
            local: Array(local.utf8),
            remote: Array(remote.utf8)
        )
        return BlockStretch(base: text.base, text: text)
            .version(for: text.remote, in: text.local)
            .map { String(decoding: text.bytes[$0], as: UTF8.self) }
    }

    @Test func `of two versions with as many lines of the base it is the one with less besides`() {
        let base = lines("a", "b", "c", "d", "e", "f", "g", "h")
        let (short, long) = (lines("a", "b", "c", "d", "e"), lines("d", "e", "f", "g", "h", "x"))
        for (first, second) in [(short, long), (long, short)] {
            #expect(version(of: base, in: conflict(first, second), for: "y\n") == short)
        }
    }

    @Test func `a line that stands beside a version was taken out by who does not have it`() {
        let (base, most) = (lines("a", "b", "c", "d", "e"), lines("a", "b", "c", "d"))
        let local = conflict(most, "x\n") + "e\n"
        #expect(version(of: base, in: local, for: base + "f\n") == most)
        #expect(version(of: base, in: local, for: most + "f\n") == nil)
    }
}
