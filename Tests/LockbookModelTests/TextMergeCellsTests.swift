import Testing

/// Numbers in the cells of a `.csv`, of which each is for itself, though commas may be of numbers elsewhere.
struct TextMergeCellsTests {
    @Test(arguments: [
        ("1,2", "3,2", "1,4", "3,4"),
        ("1.5,2,7", "2.5,2,7", "1.5,3,7", "2.5,3,7"),
        ("Ann,1,2", "Ann,3,2", "Ann,1,4", "Ann,3,4"),
        ("Room1,2", "Room3,2", "Room1,4", "Room3,4"),
        ("\"a, b\",1,2", "\"a, b\",3,2", "\"a, b\",1,4", "\"a, b\",3,4"),
        ("2026-11-27,125", "2026-11-28,125", "2026-11-27,250", "2026-11-28,250"),
    ])
    func `neighbouring cells that one device each changed`(
        base: String,
        local: String,
        remote: String,
        wanted: String
    ) {
        for end in ["\n", "\r\n"] {
            expectClean(
                base + end,
                local + end,
                remote + end,
                wanted + end,
                fileExtension: "csv"
            )
        }
        expectClean(
            base + "\n" + base + "\n",
            local + "\n" + base + "\n",
            remote + "\n" + base + "\n",
            wanted + "\n" + base + "\n",
            fileExtension: "CSV"
        )
        expectConflict(base + "\n", local + "\n", remote + "\n", fileExtension: "md")
    }

    @Test(arguments: [
        // One cell, which both changed.
        ("1,2", "3,2", "4,2"),
        // A number in quotes, and what is no table of commas for sure.
        ("\"1,250\",x", "\"3,250\",x", "\"1,400\",x"),
        ("1,2;5", "3,2;5", "1,4;5"),
        ("1,5;2,5", "3,5;2,5", "1,4;2,5"),
        ("1,2\t5", "3,2\t5", "1,4\t5"),
    ])
    func `what is one value stays in both versions`(base: String, local: String, remote: String) {
        let (base, local, remote) = (base + "\n", local + "\n", remote + "\n")
        for (mine, theirs) in [(local, remote), (remote, local)] {
            let merge = merged(base, mine, theirs, fileExtension: "csv")
            #expect(merge == .conflicts(1, conflict(mine, theirs)))
        }
    }

    @Test(arguments: ["csv", "tsv"])
    func `values of one column come into no other one`(format: String) {
        // One side took the second value out, and put one in behind those that are alike.
        for (base, local, remote) in [
            ("a,7,100,100,2", "a,100,100,1,2", "b,7,100,10,2"),
            ("2,5,5,0,10,0", "5,5,2,0,10,0", "2,5,1,0,10,10"),
            ("Ann,no,yes,yes,2", "Ann,yes,yes,maybe,2", "Bob,no,yes,never,2"),
        ] {
            let texts = [base, local, remote].map { text in
                "h1,h2,h3,h4,h5" + (text.split(separator: ",").count > 5 ? ",h6\n" : "\n") + text
                    + "\n"
            }.map { format == "csv" ? $0 : $0.replacing(",", with: "\t") }
            expectConflict(texts[0], texts[1], texts[2], fileExtension: format)
        }
    }

    @Test func `rows of several lengths, and fields of several lines, are no table`() {
        for text in ["price\n1,2\n", "a,b\n1,2\n1,2,3\n", "a,b\n1,2\nx,\"y\nz\"\n"] {
            expectConflict(
                text,
                text.replacing("\n1,2\n", with: "\n3,2\n"),
                text.replacing("\n1,2\n", with: "\n1,4\n"),
                fileExtension: "csv"
            )
        }
    }

    @Test func `a number with a comma in other tables`() {
        expectConflict("1,2\t5\n", "3,2\t5\n", "1,4\t5\n", fileExtension: "tsv")
        expectConflict("| 1,2 | 5 |\n", "| 3,2 | 5 |\n", "| 1,4 | 5 |\n")
    }
}
