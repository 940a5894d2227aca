import Testing

@testable import LockbookModel

/// Words that a side took from one stretch of a text to another one.
struct WordsElsewhereTests {
    /// Words of a base.
    private struct Found: Equatable {
        /// Those that a side took to another stretch.
        var local: [String] = []
        var remote: [String] = []
        /// Those that are several times in what changed.
        var common: [String] = []
    }

    private static let base = lines("alpha one", "keep", "beta two two")
    private static let taken = lines("one", "keep", "beta alpha two two")

    /// Looks at three versions of a text whose lines of these numbers changed.
    private func found(
        _ base: String,
        _ local: String,
        _ remote: String,
        changed: [Int] = [0, 2]
    ) -> Found {
        let cut = CutVersions(base, local, remote)
        let regions = changed.map { line in
            let one = line..<line + 1
            return MergedRegion(
                MergeRegion(base: one, local: one, remote: one, taking: .both),
                cut.base.lines,
                cut.local.lines,
                cut.remote.lines
            )
        }
        var sides = WordsElsewhere.OfSides(in: regions, of: cut.text)
        let (mine, theirs) = (sides.local, sides.remote)
        let pieces = cut.base.words
        var found = Found()
        for piece in 0..<pieces.count {
            let range = pieces.bytes(of: piece..<piece + 1)
            let word = String(decoding: cut.text.bytes[range], as: UTF8.self)
            if mine.contain(range) { found.local.append(word) }
            if theirs.contain(range) { found.remote.append(word) }
            if !mine.isRare(range) { found.common.append(word) }
        }
        return found
    }

    @Test func `what went to another stretch is known of the side that took it there`() {
        let here = found(Self.base, Self.taken, Self.base)
        #expect(here.local == ["alpha"] && here.remote == [])
        let there = found(Self.base, Self.base, Self.taken)
        #expect(there.local == [] && there.remote == ["alpha"])
        let both = found(Self.base, Self.taken, Self.taken)
        #expect(both.local == ["alpha"] && both.remote == ["alpha"])
    }

    @Test func `a word that stays in its stretch, or is in both, went nowhere`() {
        let within = found(Self.base, lines("one alpha", "keep", "two beta two"), Self.base)
        #expect(within.local == [])
        let twice = lines("alpha one", "keep", "beta alpha two two")
        #expect(found(Self.base, twice, Self.base).local == [])
    }

    @Test func `a word that also stands where nobody changed anything is no record's own`() {
        let base = Self.base.replacing("keep", with: "keep alpha")
        let taken = Self.taken.replacing("keep", with: "keep alpha")
        #expect(found(base, taken, base) == Found(common: ["two", "two"]))
    }

    @Test func `the number of a point went nowhere`() {
        let base = lines("1. alpha", "keep", "beta")
        let taken = lines("alpha", "keep", "1. beta")
        #expect(found(base, taken, base) == Found())
    }

    @Test func `a word is common that is several times in what changed of the base`() {
        #expect(found(Self.base, Self.taken, Self.base).common == ["two", "two"])
        let base = lines("alpha one", "keep", "beta one")
        #expect(found(base, Self.taken, base).common == ["one", "one"])
    }

    @Test func `of one stretch alone nothing is known`() {
        #expect(found(Self.base, Self.taken, Self.base, changed: [2]) == Found())
        #expect(found(Self.base, Self.taken, Self.base, changed: []) == Found())
    }
}
