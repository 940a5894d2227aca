import Testing

@testable import LockbookModel

/// Records that begin or end alike, of which one side takes one out or adds one, and the other changes one.
struct TextMergeSlideTests {
    private func json(_ records: (Bool, String)...) -> String {
        let parts = records.map { "  {\n    \"done\": \($0),\n    \"text\": \"\($1)\"\n  }" }
        return "[\n" + parts.joined(separator: ",\n") + "\n]\n"
    }

    private func yaml(_ records: (Bool, String)...) -> String {
        yaml(records)
    }

    /// Both ways round.
    private func expect(
        _ base: String,
        _ local: String,
        _ remote: String,
        _ wanted: Merged?,
        fileExtension: String = "md",
        _ place: SourceLocation = #_sourceLocation
    ) {
        for (mine, theirs) in [(local, remote), (remote, local)] {
            let merge = merged(base, mine, theirs, fileExtension: fileExtension)
            if let wanted {
                #expect(merge == wanted, sourceLocation: place)
            } else if case .clean(let text) = merge {
                Issue.record("\(text)", sourceLocation: place)
            }
        }
    }

    @Test func `a record changed here and taken out there is a conflict`() {
        let (milk, mum, rent) = ((false, "milk"), (false, "mum"), (false, "rent"))
        let done = (true, "milk")
        expect(yaml(milk, mum, rent), yaml(done, mum, rent), yaml(mum, rent), nil)
        let all = json(milk, mum, rent)
        let change = json(done, mum, rent)
        expect(all, change, json(mum, rent), .notText, fileExtension: "json")
        expect(
            all,
            json(milk, (true, "mum"), rent),
            json(milk, rent),
            .notText,
            fileExtension: "json"
        )
    }

    @Test func `a record changed here stays itself where the one beside it came or went`() {
        let (milk, mum, rent) = ((false, "milk"), (false, "mum"), (false, "rent"))
        let done = (true, "mum")
        expect(
            yaml(milk, mum, rent),
            yaml(milk, done, rent),
            yaml(mum, rent),
            .clean(yaml(done, rent))
        )
        expect(
            yaml(mum, rent),
            yaml(done, rent),
            yaml(milk, mum, rent),
            .clean(yaml(milk, done, rent))
        )
        expect(
            json(mum, rent),
            json(done, rent),
            json(milk, mum, rent),
            .clean(json(milk, done, rent)),
            fileExtension: "json"
        )
    }

    @Test func `a heading changed here stays over its text where another one came above it`() {
        let read = "## TODO\nRead\n\n"
        let write = "## TODO\nWrite\n\n"
        let cook = "## TODO\nCook\n\n"
        let done = "## DONE\nWrite\n\n"
        expect(write + read, done + read, cook + write + read, .clean(cook + done + read))
        expect(write + read, done + read, read, nil)
        let meeting = "## Meeting\nWith: Anna\n"
        expect(
            meeting + "one\n",
            "## Meeting\nWith: Anna, Bob\none\n",
            meeting + "two\n\n" + meeting + "one\n",
            .clean(meeting + "two\n\n## Meeting\nWith: Anna, Bob\none\n")
        )
    }

    @Test func `where nothing tells records apart, both versions stay`() {
        func card(_ version: Int, _ name: String) -> String {
            "BEGIN:VCARD\nVERSION:\(version)\nN:\(name)\nEND:VCARD\n"
        }
        expect(card(3, "a") + card(3, "b"), card(4, "a") + card(3, "b"), card(3, "b"), nil)
        let (both, between) = (
            card(3, "a") + card(3, "b"), card(3, "a") + card(3, "c") + card(3, "b")
        )
        expect(both, card(3, "a") + card(4, "b"), between, nil)
        // At the top there is nothing that it could be cut out of.
        expect(
            card(3, "a"),
            card(4, "a"),
            card(3, "c") + card(3, "a"),
            .clean(card(3, "c") + card(4, "a"))
        )
    }

    @Test func `of the same lines in a row, either may have gone`() {
        expect("\nbuy\nbuy\n\nend\n", "\nbuy\nsell\n\nend\n", "\nbuy\n\nend\n", nil)
        expect("\nbuy\nbuy\n\nend\n", "\nsell\nbuy\n\nend\n", "\nbuy\n\nend\n", nil)
    }

    @Test func `within a line, too`() {
        expect(
            "The cat sat. The dog ran.\n",
            "A cat sat. The dog ran.\n",
            "The bird flew. The cat sat. The dog ran.\n",
            nil
        )
        expect("The cat sat. The dog ran.\n", "A cat sat. The dog ran.\n", "The dog ran.\n", nil)
        let item = "<li class=x>a</li>"
        expect(
            item + "<li class=x>b</li>\n",
            "<li class=y>a</li><li class=x>b</li>\n",
            "<li class=x>b</li>\n",
            nil
        )
    }

    @Test func `what came or went within a line is a whole element where it can be`() {
        expect(
            "[{\"n\":\"Anna\"}]\n",
            "[{\"n\":\"Anna\",\"x\":1}]\n",
            "[{\"n\":\"Anna\"},{\"n\":\"Bob\"}]\n",
            .clean("[{\"n\":\"Anna\",\"x\":1},{\"n\":\"Bob\"}]\n"),
            fileExtension: "json"
        )
        expect(
            "<ul><li>Anna</li></ul>\n",
            "<ul><li>Dear Anna</li></ul>\n",
            "<ul><li>Bob</li><li>Anna</li></ul>\n",
            .clean("<ul><li>Bob</li><li>Dear Anna</li></ul>\n"),
            fileExtension: "html"
        )
        expect(
            "[{\"d\":0,\"n\":\"Anna\"},{\"d\":0,\"n\":\"Bob\"}]\n",
            "[{\"d\":0,\"n\":\"Anna\"},{\"d\":1,\"n\":\"Bob\"}]\n",
            "[{\"d\":0,\"n\":\"Bob\"}]\n",
            .clean("[{\"d\":1,\"n\":\"Bob\"}]\n"),
            fileExtension: "json"
        )
    }

    @Test func `a point ticked beside one that came or went is merged`() {
        let list = ["- [ ] a\n", "- [ ] b\n", "- [ ] c\n"]
        expect(
            list.joined(),
            list[0] + "- [x] b\n" + list[2],
            list[1] + list[2],
            .clean("- [x] b\n" + list[2])
        )
        expect(
            list.joined(),
            list[0] + "- [x] b\n" + list[2],
            list[0] + "- [ ] new\n" + list[1] + list[2],
            .clean(list[0] + "- [ ] new\n- [x] b\n" + list[2])
        )
        expect("a b c d\n", "a b x d\n", "a c d\n", nil)
        expect(
            "one two three four\n",
            "1 two three four\n",
            "one two four\n",
            .clean("1 two four\n")
        )
    }

    /// Of lists of records with equal first lines, one is changed here, and one came or went there.
    @Test func `no record takes what another one was changed to`() {
        for seed in 0..<UInt64(3_000) {
            var random = Seeded(seed)
            let names = ["milk", "mum", "rent", "cake", "tax", "book", "call"]
            let count = Int.random(in: 2...6, using: &random)
            let old = names.prefix(count).map { (false, $0) }
            let style = [yaml, blank, flat][Int.random(in: 0..<3, using: &random)]
            var (mine, theirs) = (old, old)
            let changed = Int.random(in: 0..<count, using: &random)
            mine[changed].0 = true
            let other = Int.random(in: 0..<count, using: &random)
            if Bool.random(using: &random) {
                theirs.remove(at: other)
            } else {
                theirs.insert((false, "new"), at: other)
            }
            let merge = merged(style(old), style(mine), style(theirs))
            guard case .clean(let text) = merge else { continue }
            let wanted = theirs.map { ($0.1 == old[changed].1, $0.1) }
            #expect(text == style(wanted), "seed \(seed)")
            #expect(wanted.contains { $0.0 }, "seed \(seed)")
        }
    }

    private func yaml(_ records: [(Bool, String)]) -> String {
        records.map { "- done: \($0)\n  text: \($1)\n" }.joined()
    }

    private func blank(_ records: [(Bool, String)]) -> String {
        records.map { "## done: \($0)\n\($1)\n\n" }.joined()
    }

    private func flat(_ records: [(Bool, String)]) -> String {
        records.map { "done: \($0)\ntext: \($1)\nend\n" }.joined()
    }
}
