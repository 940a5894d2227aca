import LockbookModel
import Testing

/// Merges where one side decided an older conflict, and the other one wrote in it.
struct TextMergeDecidedTests {
    private static func block(_ first: String, _ second: String) -> String {
        "<<<<<<< u on vm (c81ce70b)\n\(first)=======\n\(second)>>>>>>> u on vm (a7bcd544)\n"
    }

    @Test(arguments: ["AAA\n", "BBB\n", "", "CCC\n", "AAA\nBBB\n"])
    func `what was decided and what was written in the conflict stand whole in a new one`(
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
