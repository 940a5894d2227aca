import LockbookEngine
import Testing

/// Which paths fit some letters, and which of them is meant.
struct FuzzyPatternTests {
    private func ranked(_ pattern: String, _ paths: [String]) -> [String] {
        let fuzzy = FuzzyPattern(pattern)
        return paths.compactMap { path in fuzzy.score(path).map { (path, $0) } }
            .sorted { $0.1 > $1.1 }
            .map(\.0)
    }

    @Test(
        arguments: [
            // The letters in their order, anywhere.
            ("plbt", "/plans/boat.md", true), ("btpl", "/plans/boat.md", false),
            ("boat", "/boa", false), ("bb", "/b", false), ("/p/b", "/plans/boat.md", true),
            // A small letter stands for both, a capital for itself.
            ("boat", "/BOAT", true), ("BOAT", "/boat", false), ("B", "/aB", true),
            // Letters, not bytes.
            ("ä", "/Ärger", true), ("é", "/caf\u{e9}", true), ("\u{a9}", "/caf\u{e9}", false),
            ("日", "/日本.md", true),
            // A letter without accents stands for all, one with them for itself.
            ("cafe", "/Caf\u{e9}.md", true), ("cafe", "/CAFE\u{301}.md", true),
            ("CAFE", "/CAF\u{c9}.md", true), ("Cafe", "/caf\u{e9}.md", false),
            ("caf\u{e9}", "/cafe.md", false), ("cafe\u{301}", "/Caf\u{e9}.md", true),
            ("viet", "/Vi\u{1ec7}t.md", true), ("\u{ea}", "/Vi\u{1ec7}t.md", false),
            ("\u{1112}", "/\u{d55c}.md", false), ("i", "/\u{130}.md", true),
            // Words in any order.
            ("boat plans", "/plans/boat.md", true), ("boat train", "/plans/boat.md", false),
            ("", "/a", false), (" ", "/a", false), ("a", "", false),
        ]
    )
    func `a path fits that has the letters in their order`(
        pattern: String,
        path: String,
        fits: Bool
    ) {
        #expect((FuzzyPattern(pattern).score(path) != nil) == fits)
    }

    @Test(
        arguments: [
            ("", "n", true), ("n", "no", true), ("no", "n", false), ("n", "n d", true),
            ("n d", "no d", true), ("n d", "nd", false), ("\u{ea}", "\u{ea}\u{323}", false),
        ]
    )
    func `a longer pattern fits less, unless it changed a letter`(
        short: String,
        long: String,
        goesOn: Bool
    ) {
        #expect(FuzzyPattern(long).goesOn(from: FuzzyPattern(short)) == goesOn)
    }

    @Test(
        arguments: [
            // The name itself, then its beginning, then what begins a word in it.
            ("boat", ["/x/boat.md", "/x/boats.md", "/x/my-boat-plan.md", "/x/lifeboat.md"]),
            ("tarmd", ["/x/tar.md", "/x/start.md"]),
            // A name before a folder.
            ("plan", ["/a/plan.md", "/plan/a.md"]),
            // Letters that stand together before scattered ones.
            ("note", ["/a/xnotex", "/a/xnxoxtxe"]),
            // The beginnings of words.
            ("wd", ["/a/winter-draft.md", "/a/world.md"]), ("gt", ["/a/getTime", "/a/gxxtxx"]),
            ("pb", ["/plans/boat.md", "/apple/cab.md"]),
            // The shorter gap.
            ("ac", ["/xabc", "/xabbbc"]),
            // The best of several ways counts.
            ("ab", ["/a-x-ab", "/xaxxb"]),
            // With its accents it is still the name itself.
            ("cafe", ["/x/caf\u{e9}.md", "/x/cafes.md"]),
        ]
    )
    func `the path that is meant comes first`(pattern: String, paths: [String]) {
        #expect(ranked(pattern, paths) == paths)
        #expect(ranked(pattern, paths.reversed()) == paths)
    }
}
