import LockbookModel
import Testing

/// Merges where one side decided an older conflict, and the other one wrote in it.
struct TextMergeDecidedTests {
    private static func block(_ first: String, _ second: String) -> String {
        "<<<<<<< u on vm (c81ce70b)\n\(first)=======\n\(second)>>>>>>> u on vm (a7bcd544)\n"
    }

    /// Expects one result with so many places to decide, whichever side is the local one.
    private func expect(
        _ base: String,
        _ one: String,
        _ other: String,
        _ wanted: String,
        places: Int = 0,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let outcome: Merged = places == 0 ? .clean(wanted) : .conflicts(places, wanted)
        for (local, remote) in [(one, other), (other, one)] {
            let merge = merged("l1\n" + base + "l3\n", "l1\n" + local, "l1\n" + remote)
            #expect(merge == outcome, sourceLocation: place)
        }
    }

    @Test(arguments: ["", "CCC\n"])
    func `another text in a conflict's place and what was written in it stand whole in a new one`(
        decided: String
    ) {
        let base = "l1\n" + Self.block("BBB\n", "AAA\n") + "l3\n"
        let local = "l1\n" + decided + "l3\n"
        for block in [Self.block("BBB more\n", "AAA\n"), Self.block("BBB\n", "AAA more\n")] {
            let remote = "l1\n" + block + "l3\n"
            let here = merged(base, local, remote)
            #expect(here == .conflicts(1, "l1\n" + conflict(decided, block, length: 8) + "l3\n"))
            let there = merged(base, remote, local)
            #expect(there == .conflicts(1, "l1\n" + conflict(block, decided, length: 8) + "l3\n"))
        }
    }

    @Test func `what was written in the version that was taken is in it`() {
        let base = Self.block("BBB\n", "AAA\n")
        let wrote = Self.block("BBB more\n", "AAA\n") + "l3\n"
        expect(base, "BBB\nl3\n", wrote, "l1\nBBB more\nl3\n")
        expect(base, "BBB\nAAA\nl3\n", wrote, "l1\nBBB more\nAAA\nl3\n")
        let second = Self.block("BBB\n", "AAA more\n") + "l3\n"
        expect(base, "AAA\nl3\n", second, "l1\nAAA more\nl3\n")
    }

    @Test func `what was written in the version that was not taken is still to be decided`() {
        let base = Self.block("BBB\n", "AAA\n")
        let wrote = Self.block("BBB more\n", "AAA\n") + "l3\n"
        expect(base, "AAA\nl3\n", wrote, "l1\n" + wrote, places: 1)
        let both = Self.block("b1\nb2, more\n", "a1, more\na2\n")
        expect(
            Self.block("b1\nb2\n", "a1\na2\n"),
            "a1\na2\nl3\n",
            both + "l3\n",
            "l1\n" + both + "l3\n",
            places: 1
        )
    }

    @Test func `what was written at either end of the version that was not taken is in it`() {
        let (first, second) = ("b1\nb2\n", "a1\na2\n")
        let base = Self.block(first, second)
        for written in ["x\n" + first, "b1\nx\nb2\n", first + "x\n"] {
            let wrote = Self.block(written, second) + "l3\n"
            expect(base, second + "l3\n", wrote, "l1\n" + wrote, places: 1)
            let both = "l1\n" + written + second + "l3\n"
            expect(base, first + second + "l3\n", wrote, both)
        }
        for written in ["x\n" + second, "a1\nx\na2\n", second + "x\n"] {
            let wrote = Self.block(first, written) + "l3\n"
            expect(base, first + "l3\n", wrote, "l1\n" + wrote, places: 1)
            expect(base, second + "l3\n", wrote, "l1\n" + written + "l3\n")
        }
    }

    @Test func `what was taken out of the version that was not taken is gone with it`() {
        let (first, second) = ("b1\nb2\n", "a1\na2\n")
        let base = Self.block(first, second)
        for rest in ["b1\n", "b2\n", ""] {
            let block = Self.block(rest, second) + "l3\n"
            expect(base, second + "l3\n", block, "l1\n" + second + "l3\n")
        }
        for rest in ["a1\n", "a2\n", ""] {
            let block = Self.block(first, rest) + "l3\n"
            expect(base, first + "l3\n", block, "l1\n" + first + "l3\n")
        }
    }

    @Test func `a line like a marker, which one text has, is no reason to leave a decision out`() {
        let (base, wrote) = (Self.block("b\n", "a\n"), Self.block("b more\n", "a\n"))
        let (rest, heading) = ("l2\nl3\n", "l2\nl3\nTitle\n=======\n")
        expect(base + "l2\n", "b\n" + heading, wrote + rest, "l1\nb more\n" + heading)
        expect(base + "l2\n", "b\n" + rest, wrote + heading, "l1\nb more\n" + heading)
        let old = "=======\n" + base + "l2\n"
        expect(old, "b\n" + rest, wrote + rest, "l1\nb more\n" + rest)
    }

    @Test func `a version that came to stand in a new conflict is taken`() {
        let base = "x\n" + Self.block("b1\n", "a1\n")
        let around = conflict("y\n", "x\na1\n", length: 8) + "l3\n"
        let wrote = "x\n" + Self.block("b1\n", "a1 more\n") + "l3\n"
        expect(base, around, wrote, "l1\n" + around.replacing("a1\n", with: "a1 more\n"))
    }

    @Test func `a decision with anything else than a version is none`() {
        let base = "s\n" + Self.block("a1\na2\na3\n", "b1\nb2\nb3\nb4\n") + "t old\ne\n"
        func choices(_ local: String, _ remote: String) -> [[Substring]] {
            switch merged(base, local, remote) {
            case .clean(let text): [text.split(separator: "\n")]
            case .conflicts(_, let text):
                [ConflictBlocks.Local.first, .second].map { taken in
                    let bytes = ConflictBlocks(in: Array(text.utf8))
                        .resolved(keeping: .local) { _, _ in taken }
                    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                }
            case .notText: []
            }
        }
        let rewritten = "s\na1\na2\na3\nt new\ne\n"
        let second = "s\nb1\nb2\nb3\nb4\nt old\ne\n"
        for (one, other) in [(rewritten, second), (second, rewritten)] {
            for choice in choices(one, other) {
                #expect(choice.contains("t old") || choice.contains("t new"), "\(choice)")
            }
        }
        // A line taken out of an open conflict does not come back with what the other side made of both.
        let open = "s\n" + Self.block("a1\na3\n", "b1\nb2\nb3\nb4\n") + "t old\ne\n"
        let both = "s\na1\na2\na3\nb1\nx\nb2\nb3\nb4\nt old\ne\n"
        for (one, other) in [(open, both), (both, open)] {
            let found = choices(one, other)
            #expect(found.count > 1 || !found[0].contains("a2"), "\(found)")
        }
    }

    @Test func `two decisions against each other leave the conflict as it was`() {
        let base = Self.block("b1\nb2\n", "a1\na2\n")
        expect(base, "b1\nb2\nl3\n", "a1\na2\nl3\n", "l1\n" + base + "l3\n", places: 1)
        expect(
            base,
            "b1\nb2\na1\na2\nl3\n",
            "a1\na2\nl3\n",
            "l1\n" + base + "l3\n",
            places: 1
        )
    }

    @Test func `decisions of one conflict and of another one in it both hold`() {
        let inner = Self.block("b\n", "a\n")
        let base = conflict(inner, "c\n", length: 8)
        expect(base, inner + "l3\n", conflict("a\n", "c\n", length: 8) + "l3\n", "l1\na\nl3\n")
        expect(base, "c\nl3\n", conflict("a\n", "c\n", length: 8) + "l3\n", "l1\nc\nl3\n")
    }

    @Test func `a decision beside what the other side wrote is no conflict`() {
        let base = Self.block("b\n", "a\n")
        expect(base, "a\nl3\n", "new\n" + base + "l3\n", "l1\nnew\na\nl3\n")
        expect(base, "a\nl3\n", base + "new\nl3\n", "l1\na\nnew\nl3\n")
    }

    @Test func `a conflict that comes to stand around another one that is open again is whole`() {
        let base = "x\n" + Self.block("b1\n", "a1\n")
        let local = "x\nb1\nb2\n"
        let remote = conflict("y\n", "x\na1\na2\n", length: 8) + "z\n"
        for (one, other) in [(local, remote), (remote, local)] {
            guard case .conflicts(_, let text) = merged(base, one, other) else {
                Issue.record("clean")
                continue
            }
            let found = text.split(separator: "\n").filter { !"<=>".contains($0.prefix(1)) }
            #expect(Set(found) == ["x", "y", "z", "a1", "a2", "b1", "b2"], "\(text)")
            let blocks = ConflictBlocks(in: Array(text.utf8))
            let kept = blocks.resolved(keeping: .local) { _, _ in .first }
            #expect(!kept.contains(UInt8(ascii: "<")) && !kept.contains(UInt8(ascii: ">")))
        }
    }

    @Test func `a last line without its end does not run into a marker of what is open again`() {
        let base = Self.block("b\n", "a1\na2\n")
        let wrote = Self.block("b more\n", "a1\na2\n")
        #expect(merged(base, "a1\na2", wrote) == .conflicts(1, unended(wrote)))
        #expect(merged(unended(base), "a1\na2", unended(wrote)) == .conflicts(1, unended(wrote)))
    }

    @Test func `both may write in a conflict that neither decided`() {
        let base = Self.block("BBB\n", "AAA\n")
        #expect(
            merged(base, Self.block("BBB 1\n", "AAA\n"), Self.block("BBB\n", "AAA 2\n"))
                == .clean(Self.block("BBB 1\n", "AAA 2\n"))
        )
        #expect(
            merged(base, Self.block("B1\n", "AAA\n"), Self.block("B2\n", "AAA\n"))
                == .conflicts(1, Self.block(conflict("B1\n", "B2\n", length: 8), "AAA\n"))
        )
    }

    @Test func `a last line without an end does not run into a marker`() {
        let block = Self.block("a\n", "b\n")
        #expect(merged("a", block, "a second") == .clean(Self.block("a second\n", "b\n")))
        #expect(
            merged("a\nb", block, "c")
                == .conflicts(1, conflict(block, "c\n", length: 8))
        )
    }

    /// The lines of a text with some of its conflicts decided, and some lines added.
    private static func drawn(_ base: String, _ name: String, _ random: inout Seeded) -> [String] {
        let sides = [ConflictSide.local, .remote, .both]
        let side = sides[Int.random(in: 0..<3, using: &random)]
        let decided = ConflictBlocks(in: Array(base.utf8)).resolved(keeping: side) { _, _ in
            Bool.random(using: &random) ? .first : .neither
        }
        var text = String(decoding: decided, as: UTF8.self).split(separator: "\n").map(String.init)
        for number in 0..<Int.random(in: 0...3, using: &random) {
            text.insert("\(name)\(number)", at: Int.random(in: 0...text.count, using: &random))
        }
        return text
    }

    @Test func `no line that a side wrote is lost by what is decided, in either order`() {
        let inner = conflict("i0\ni1\n", "j0\n", length: 8)
        let base =
            "l0\nl1\n" + Self.block("a0\n\(inner)a1\n", "b0\nb1\n") + "l2\n"
            + Self.block("c0\nc1\n", "d0\n") + "l3\n"
        func lines(_ local: [String], _ remote: [String]) -> [String] {
            switch merged(base, DrawnMerge.text(local), DrawnMerge.text(remote)) {
            case .clean(let text), .conflicts(_, let text):
                text.split(separator: "\n").map(String.init)
            case .notText: []
            }
        }
        for seed in 0..<UInt64(2_000) {
            var random = Seeded(seed)
            let mine = Self.drawn(base, "mine", &random)
            let theirs = Self.drawn(base, "theirs", &random)
            let (here, there) = (lines(mine, theirs), lines(theirs, mine))
            #expect(here.sorted() == there.sorted(), "seed \(seed)")
            let written = (mine + theirs).filter { $0.hasPrefix("mine") || $0.hasPrefix("theirs") }
            #expect(Set(here).isSuperset(of: written), "seed \(seed)")
        }
    }

    @Test func `either side of a merge of drawn texts with conflicts has whole ones only`() {
        for seed in 0..<UInt64(3_000) {
            var random = Seeded(seed)
            func block() -> [String] {
                let count = Int.random(in: 0...2, using: &random)
                let first = (0..<count).map { "a\($0)" }
                return ["<<<<<<< x on y"] + first + ["=======", "b0", "b1", ">>>>>>> z on y"]
            }
            let base = ["l0", "l1"] + block() + ["l2"] + block() + ["l3"]
            func side(_ name: String) -> [String] {
                var text = base
                for number in 0..<Int.random(in: 1...3, using: &random) {
                    let at = Int.random(in: 0..<text.count, using: &random)
                    if "<=>".contains(text[at].prefix(1)) {
                        guard let start = text[...at].lastIndex(where: { $0.hasPrefix("<") }),
                            let end = text[at...].firstIndex(where: { $0.hasPrefix(">") })
                        else { continue }
                        text.replaceSubrange(start...end, with: ["\(name)\(number)"])
                    } else {
                        text[at] = "\(text[at]) \(name)\(number)"
                    }
                }
                return text
            }
            let (local, remote) = (DrawnMerge.text(side("l")), DrawnMerge.text(side("r")))
            switch merged(DrawnMerge.text(base), local, remote) {
            case .clean(let text), .conflicts(_, let text):
                for side in [ConflictSide.local, .remote] {
                    let decided = ConflictBlocks(in: Array(text.utf8))
                        .resolved(keeping: side) { _, _ in .first }
                    let rest = String(decoding: decided, as: UTF8.self).split(separator: "\n")
                    if rest.contains(where: { $0.hasPrefix("<<<<<<<<") }) {
                        Issue.record("seed \(seed): \(text)")
                    }
                    let signs = rest.map { $0.prefix(7) }
                    let counts = ["<<<<<<<", "=======", ">>>>>>>"].map { sign in
                        signs.count { $0 == sign }
                    }
                    if Set(counts).count > 1 { Issue.record("seed \(seed): \(text)") }
                }
            case .notText: Issue.record("seed \(seed)")
            }
        }
    }
}
