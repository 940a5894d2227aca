import Testing

@testable import LockbookModel

/// Text made to be slow: work is counted, not measured.
@Suite struct TextMergeBudgetTests {
    @Test(arguments: [20_000, 40_000]) func `steps of comparing grow no faster than the text`(
        count: Int
    ) {
        var random = Seeded(UInt64(count))
        func letters() -> [Int32] {
            (0..<count).map { _ in Int32.random(in: 0..<4, using: &random) }
        }
        let budget = 1 << 14
        var bisection = Bisection(old: letters(), new: letters(), budget: budget)
        bisection.run()
        let steps = budget - bisection.budget
        #expect(steps > budget, "the text is not slow enough to say anything")
        // The budget, the reserve, and what the one cut may take that uses it up.
        #expect(steps <= budget + 16 * (2 * count + 3) + 4_096)
        #expect(zip(unchanged(bisection).old, unchanged(bisection).new).allSatisfy { $0 == $1 })
        #expect(unchanged(bisection).old.count == unchanged(bisection).new.count)
    }

    @Test func `the size of a merge is that of all three versions`() {
        let text = MergeText(
            base: Array("a\n".utf8),
            local: Array("a b c d\n".utf8),
            remote: Array("a b c d e f g h i j k l m n o p\nq".utf8)
        )
        #expect(text.size == 2 + 8 + 33)
        var budget: DiffBudget?
        let merge = LineMerge(of: text, budget: &budget)
        let regions = merge.reachedRegions.map {
            MergedRegion($0, merge.base, merge.local, merge.remote)
        }
        #expect(regions.count == 1 && regions.size == text.size)
        #expect((regions + regions).size == 2 * text.size && regions.prefix(0).count == 0)
    }

    @Test func `steps are as many as the base and the longer side have lines`() {
        let (one, three) = (Array("a\n".utf8), Array("a\nb\nc\n".utf8))
        let steps = (1 << 22) + 16 * (1 + 3)
        // A side that is as the base takes none of them.
        var budget: DiffBudget?
        _ = LineMerge(of: MergeText(base: one, local: one, remote: three), budget: &budget)
        #expect(budget?.local == steps)
        budget = nil
        _ = LineMerge(of: MergeText(base: one, local: three, remote: one), budget: &budget)
        #expect(budget?.remote == steps)
    }

    @Test func `a budget is some millions of steps, and sixteen a piece`() {
        var budget = DiffBudget(pieces: 1_000)
        #expect(budget.local == 4_194_304 + 16_000 && budget.remote == budget.local)
        #expect(!budget.isUsedUp)
        budget.local = 0
        #expect(budget.isUsedUp)
        (budget.local, budget.remote) = (1, 0)
        #expect(budget.isUsedUp)
        budget.remote = 1
        #expect(!budget.isUsedUp)
    }

    @Test func `when nothing is left to spend the rest counts as changed`() {
        let old = (0..<4_000).map { Int32($0 % 7) }
        var bisection = Bisection(old: old, new: old.reversed(), budget: -1_000_000)
        bisection.run()
        #expect(bisection.oldChanged.allSatisfy { $0 } && bisection.newChanged.allSatisfy { $0 })
    }

    @Test func `with the budget of words used up both versions of a line stay`() {
        let text = MergeText(
            base: Array("the quick fox\n".utf8),
            local: Array("the slow fox\n".utf8),
            remote: Array("the quick dog\n".utf8)
        )
        var parts: [MergedPart] = []
        var budget = DiffBudget(pieces: 0)
        budget.remote = 0
        var elsewhere = WordsElsewhere.OfSides(in: [], of: text)
        parts.mergeWords(
            base: text.base,
            local: text.local,
            remote: text.remote,
            of: text,
            elsewhere: &elsewhere,
            budget: &budget
        )
        #expect(parts == [.conflict(local: text.local, remote: text.remote)])
    }

    @Test func `conflicts in many lines share one budget`() {
        var random = Seeded(3)
        func line() -> String {
            (0..<400).map { _ in ["a", "b", "c"].randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        var texts: [[String]] = [[], [], []]
        for number in 0..<20 {
            for side in texts.indices { texts[side] += ["separator \(number)", line()] }
        }
        let bytes = texts.map { Array(DrawnMerge.text($0).utf8) }
        let text = MergeText(base: bytes[0], local: bytes[1], remote: bytes[2])
        var budget = DiffBudget(pieces: 0)
        (budget.local, budget.remote) = (1 << 20, 1 << 20)
        let before = budget.local
        _ = TextMerge.mergedParts(of: text, wordBudget: &budget)
        #expect(budget.isUsedUp)
        // One region may overdraw it by what it takes to finish, no more.
        #expect(before - budget.local < 3 << 20)
    }

    @Test func `what fits into no version of an older conflict is not tried anew at each depth`() {
        func nested(_ depth: Int, _ writer: String) -> [String] {
            // With a marker of no conflict nothing may stand in a version of one.
            guard depth > 0 else { return ["core", "======="] }
            func marker(_ sign: Character) -> String {
                String(repeating: sign, count: 8 + depth)
            }
            return [marker("<") + " a on b", "line \(depth)"] + nested(depth - 1, writer)
                + [marker("="), "\(writer) \(depth)", marker(">") + " c on d"]
        }
        let base = (1...12).reversed().map { "line \($0)" } + ["core"]
        let texts = [base, nested(12, "mine"), nested(12, "theirs")].map { lines in
            Array(DrawnMerge.text(lines).utf8)
        }
        let text = MergeText(base: texts[0], local: texts[1], remote: texts[2])
        var budget = DiffBudget(pieces: 0)
        budget.retries = 1 << 12
        _ = TextMerge.mergedParts(of: text, wordBudget: &budget)
        #expect(budget.retries <= 0)
        // Each conflict around may still find out that nothing fits.
        #expect(budget.retries > -12 * text.bytes.count)
    }

    @Test func `with no tries left a change is not looked for a place in an older conflict`() {
        let older = lines("<<<<<<< a", "one", "=======", "two", ">>>>>>> b")
        let texts = ["one\n", older, "one more\n"].map { Array($0.utf8) }
        let text = MergeText(base: texts[0], local: texts[1], remote: texts[2])
        for (retries, isPlaced) in [(1, true), (0, false), (-1, false)] {
            var budget = DiffBudget(pieces: 8)
            budget.retries = retries
            var parts: [MergedPart] = []
            parts.mergeBlocks(
                base: text.base,
                local: text.local,
                remote: text.remote,
                of: text,
                budget: &budget
            )
            #expect((parts != [.conflict(local: text.local, remote: text.remote)]) == isPlaced)
        }
    }

    @Test func `the versions of an older conflict have the steps that are left of the document`() {
        func texts(_ sides: [String]) -> MergeText {
            let bytes = sides.map { Array(DrawnMerge.text($0.map(String.init)).utf8) }
            return MergeText(base: bytes[0], local: bytes[1], remote: bytes[2])
        }
        // Lines in another order take steps to compare, of the side that has them.
        for (local, remote) in [("hgfedcba", "abcdefgh"), ("abcdefgh", "hgfedcba")] {
            var budget = DiffBudget(pieces: 0)
            (budget.local, budget.remote) = (1 << 12, 1 << 12)
            let before = budget
            _ = TextMerge.mergedParts(ofVersions: texts(["abcdefgh", local, remote]), &budget)
            #expect((budget.local < before.local) == (local == "hgfedcba"))
            #expect((budget.remote < before.remote) == (remote == "hgfedcba"))
        }
    }

    private func unchanged(_ bisection: Bisection) -> (old: [Int32], new: [Int32]) {
        func kept(_ ids: [Int32], _ changed: [Bool]) -> [Int32] {
            zip(ids, changed).filter { !$1 }.map(\.0)
        }
        return (
            kept(bisection.old, bisection.oldChanged), kept(bisection.new, bisection.newChanged)
        )
    }
}
