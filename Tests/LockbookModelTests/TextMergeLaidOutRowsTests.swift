import Testing

/// Drawn tables that one device laid out anew, with rows that came, went, or that both changed.
struct TextMergeLaidOutRowsTests {
    private static let head = lines("| Day | Lunch |", "|-----|-------|", "| Mon | soup  |")
    private static let base = head + "| Tue | salad |\n"
    private static let stew = base.replacing("soup ", with: "stew ")
    private static let wideHead = lines("| Day | Lunch  |", "|-----|--------|")
    private static let wide = wideHead + lines("| Mon | soup   |", "| Tue | salad  |")

    @Test func `a row that the device added that laid the table out anew`() {
        expectClean(
            Self.base,
            Self.stew,
            Self.wide + "| Wed | fishes |\n",
            Self.wide.replacing("soup", with: "stew") + "| Wed | fishes |\n"
        )
    }

    @Test func `a row that the other device added gets the new layout`() {
        expectClean(
            Self.base,
            lines(
                "| Day | Lunch           |",
                "|-----|-----------------|",
                "| Mon | soup with bread |",
                "| Tue | salad           |"
            ),
            Self.head + lines("| Tue | rolls |", "| Wed | fish  |"),
            lines(
                "| Day | Lunch           |",
                "|-----|-----------------|",
                "| Mon | soup with bread |",
                "| Tue | rolls           |",
                "| Wed | fish            |"
            )
        )
        // The row beside it has too few blanks.
        expectClean(
            Self.base,
            lines(
                "| Day | Lunch            |",
                "|-----|------------------|",
                "| Mon | soup             |",
                "| Tue | salad with bread |"
            ),
            Self.stew + "| Wed | fish  |\n",
            lines(
                "| Day | Lunch            |",
                "|-----|------------------|",
                "| Mon | stew             |",
                "| Tue | salad with bread |",
                "| Wed | fish             |"
            )
        )
    }

    @Test func `many rows beside a very wide one do not make a large document`() {
        let head = lines("| a | bb |", "|---|----|", "| x | one |")
        let rows = (0..<500).map { "| x | t\($0) |\n" }.joined()
        let blanks = String(repeating: " ", count: 2_000)
        let mine = lines("| a  | bb |", "|---|----|", "| x  | one |") + rows
        let theirs = lines("| a\(blanks) | bb  |", "|---|----|", "| x\(blanks) | one |")
        for (local, remote) in [(mine, theirs), (theirs, mine)] {
            switch merged(head, local, remote) {
            case .clean(let text), .conflicts(_, let text):
                #expect(text.utf8.count < 16 * (mine + theirs).utf8.count)
            default: Issue.record("both copies stay")
            }
        }
    }

    @Test func `a row below the line of dashes`() {
        expectClean(
            Self.head,
            lines(
                "| Day | Lunch           |",
                "|-----|-----------------|",
                "| Mon | soup with bread |"
            ),
            lines("| Day | Meals |", "|-----|-------|", "| Sun | cake  |", "| Mon | soup  |"),
            lines(
                "| Day | Meals           |",
                "|-----|-----------------|",
                "| Sun | cake            |",
                "| Mon | soup with bread |"
            )
        )
    }

    @Test func `a new row whose fields stand at the right`() {
        let head = lines("| Day | Sum |", "|-----|----:|", "| Mon |   5 |")
        expectClean(
            head + "| Tue |  12 |\n",
            lines("| Day |  Sum |", "|-----|-----:|", "| Mon | 1000 |", "| Tue |   12 |"),
            head + lines("| Tue |  13 |", "| Wed |   7 |"),
            lines(
                "| Day |  Sum |",
                "|-----|-----:|",
                "| Mon | 1000 |",
                "| Tue |   13 |",
                "| Wed |    7 |"
            )
        )
    }

    @Test func `a row that the device took out that laid the table out anew`() {
        let wider = lines("| Day | Lunch      |", "|-----|------------|")
        let end = "| Wed | fried fish |\n"
        expectClean(
            Self.base + "| Wed | fish  |\n",
            Self.stew + "| Wed | fish  |\n",
            wider + "| Mon | soup       |\n" + end,
            wider + "| Mon | stew       |\n" + end
        )
        // What the other one changed in it is in one version.
        let (base, changed) = (
            Self.base + "| Wed | fish  |\n",
            Self.stew.replacing("salad", with: "rolls") + "| Wed | fish  |\n"
        )
        let laidOut = wider + "| Mon | soup       |\n" + end
        let start = wider + "| Mon | stew       |\n"
        #expect(
            merged(base, laidOut, changed)
                == .conflicts(1, start + conflict("", "| Tue | rolls |\n") + end)
        )
        #expect(
            merged(base, changed, laidOut)
                == .conflicts(1, start + conflict("| Tue | rolls |\n", "") + end)
        )
    }

    @Test func `a cell that both changed is a conflict in its row alone`() {
        let local = Self.stew.replacing("salad", with: "rolls")
        let remote = Self.wide.replacing("soup  ", with: "fishes")
        let (mine, theirs) = ("| Mon | stew  |\n", "| Mon | fishes |\n")
        let end = "| Tue | rolls  |\n"
        #expect(
            merged(Self.base, local, remote)
                == .conflicts(1, Self.wideHead + conflict(mine, theirs) + end)
        )
        #expect(
            merged(Self.base, remote, local)
                == .conflicts(1, Self.wideHead + conflict(theirs, mine) + end)
        )
    }

    @Test func `rows that both added at the end`() {
        let (mine, theirs) = ("| Wed | fishes |\n", "| Thu | rice  |\n")
        #expect(
            merged(Self.base, Self.wide + mine, Self.base + theirs)
                == .conflicts(1, Self.wide + conflict(mine, theirs))
        )
        #expect(
            merged(Self.base, Self.base + theirs, Self.wide + mine)
                == .conflicts(1, Self.wide + conflict(theirs, mine))
        )
        expectClean(
            Self.base,
            Self.wide + "| Wed | fish   |\n",
            Self.base + "| Wed | fish  |\n",
            Self.wide + "| Wed | fish   |\n"
        )
    }

    @Test(arguments: [
        // Rows that moved, a column that came, and a row that became another one.
        lines("| Tue | salad  |", "| Mon | soup   |", "| Wed | fishes |"),
        lines("| Mon | soup   | x |", "| Tue | salad  | y |", "| Wed | fishes | z |"),
        lines("| Mon | soup   |", "| Thu | rice   |", "| Wed | fishes |"),
    ])
    func `rows that are not plainly versions of those that were there`(rows: String) {
        expectConflict(Self.base, Self.stew, Self.wideHead + rows)
        expectConflict(Self.base, Self.stew.replacing("salad", with: "rolls"), Self.wideHead + rows)
    }

    @Test func `a row added below one that the other device took out`() {
        expectConflict(
            Self.base,
            Self.wideHead + "| Mon | soup   |\n",
            Self.stew + "| Wed | fish  |\n"
        )
    }

    @Test func `a row that ends the records of several rows`() {
        // To a comparison the last row of the new record is the one that was there.
        expectConflict(
            lines("| Anna | cook |", "|      | no   |"),
            lines(
                "| Anna | cook   |",
                "|      | yes    |",
                "| Bob  | driver |",
                "|      | no     |"
            ),
            lines("| Anna | cook |", "|      | maybe |")
        )
    }
}
