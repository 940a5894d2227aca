import LockbookModel
import Testing

/// What a merge of ordinary text does, by example.
@Suite struct TextMergeTests {
    @Test func `changes in different places are both taken`() {
        let base = lines("one", "two", "three", "four", "five")
        let local = lines("ONE", "two", "three", "four", "five")
        let remote = lines("one", "two", "three", "four", "five", "six")
        #expect(merged(base, local, remote) == .clean("ONE\ntwo\nthree\nfour\nfive\nsix\n"))
    }

    @Test func `the same change on both sides is no conflict`() {
        let changed = lines("one", "TWO", "three")
        let base = lines("one", "two", "three")
        #expect(merged(base, changed, changed) == .clean(changed))
        #expect(merged(base + "x\n", changed + "x\n", changed + "y\n") == .clean(changed + "y\n"))
    }

    @Test func `different words of one line are both taken`() {
        let merge = merged(
            "the quick brown fox jumps\n",
            "the slow brown fox jumps\n",
            "the quick brown fox sleeps\n"
        )
        #expect(merge == .clean("the slow brown fox sleeps\n"))
    }

    @Test
    func `a word that a line written anew has by chance does not take the other side's change`() {
        let local = "the winter was long and dark up there\n"
        let remote = "a new long road leads to town\n"
        let merge = merged("the summer was long and hot up there\n", local, remote)
        #expect(merge == .conflicts(1, conflict(local, remote)))
        let short = merged("the long way\n", "the longer way\n", "a long day\n")
        #expect(short == .conflicts(1, conflict("the longer way\n", "a long day\n")))
    }

    @Test func `a line of which half the words stayed takes the other side's change`() {
        let merge = merged("- [ ] buy milk\n", "- [x] buy milk\n", "- [ ] buy bread\n")
        #expect(merge == .clean("- [x] buy bread\n"))
    }

    @Test func `one word changed in two ways stays in both versions`() {
        let merge = merged(
            lines("a", "the quick fox", "z"),
            lines("a", "the slow fox", "z"),
            lines("a", "the lame fox", "z")
        )
        let expected = "a\n" + conflict("the slow fox\n", "the lame fox\n") + "z\n"
        #expect(merge == .conflicts(1, expected))
    }

    @Test(arguments: [
        ("costs 3.14 now", "costs 4.14 now", "costs 3.15 now"),
        ("costs 1,000 now", "costs 2,000 now", "costs 1,500 now"),
        ("I don't know", "I won't know", "I don'ts know"),
        ("ask ann@home.org today", "ask bob@home.org today", "ask ann@work.org today"),
        ("at -5 degrees", "at +5 degrees", "at -7 degrees"),
        ("grün ist es", "grau ist es", "grüner ist es"),
    ])
    func `a number, an address or a joined word is never mixed from two new ones`(
        base: String,
        local: String,
        remote: String
    ) {
        let expected = conflict(local + "\n", remote + "\n")
        #expect(merged(base + "\n", local + "\n", remote + "\n") == .conflicts(1, expected))
    }

    @Test func `different characters of a text written without blanks are both taken`() {
        #expect(merged("我今天去学校\n", "他今天去学校\n", "我今天去公园\n") == .clean("他今天去公园\n"))
    }

    @Test func `changes of neighbouring lines are both taken`() {
        let base = lines("a", "one", "two", "z")
        let local = lines("a", "ONE", "two", "z")
        let remote = lines("a", "one", "TWO", "z")
        #expect(merged(base, local, remote) == .clean(lines("a", "ONE", "TWO", "z")))
    }

    @Test
    func
        `a line deleted here and a neighbouring line changed from its first word there are both taken`()
    {
        let base = lines("a", "one", "two", "three", "z")
        let local = lines("a", "one", "three", "z")
        let remote = lines("a", "one", "two", "THREE", "z")
        #expect(merged(base, local, remote) == .clean(lines("a", "one", "THREE", "z")))
        #expect(merged(base, remote, local) == .clean(lines("a", "one", "THREE", "z")))
        let above = lines("a", "ONE", "two", "three", "z")
        #expect(merged(base, local, above) == .clean(lines("a", "ONE", "three", "z")))
    }

    @Test func `neighbouring lines deleted by one side each are both gone`() {
        #expect(merged("a\nb\nc\n", "b\nc\n", "a\nc\n") == .clean("c\n"))
        #expect(merged("a\nb\n", "b\n", "a\n") == .clean(""))
    }

    @Test func `a line inserted where the other side deleted stays with both versions`() {
        let merge = merged(lines("a", "b", "z"), lines("a", "z"), lines("a", "new", "b", "z"))
        #expect(merge == .conflicts(1, "a\n" + conflict("", "new\nb\n") + "z\n"))
    }

    @Test func `neighbouring words of one line changed by one side each stay in both versions`() {
        let merge = merged("我今天去\n", "他今天去\n", "我明天去\n")
        #expect(merge == .conflicts(1, conflict("他今天去\n", "我明天去\n")))
    }

    @Test func `lines around the one in conflict are merged`() {
        let base = lines("first is a", "second is b", "third is c")
        let local = lines("first was a", "second is B", "third is c")
        let remote = lines("first is a", "second is x", "third was c")
        let expected =
            "first was a\n" + conflict("second is B\n", "second is x\n") + "third was c\n"
        #expect(merged(base, local, remote) == .conflicts(1, expected))
    }

    @Test func `lines in conflict one after the other are one conflict`() {
        let expected = conflict("x\ny\n", "p\nq\n")
        #expect(merged("a\nb\n", "x\ny\n", "p\nq\n") == .conflicts(1, expected))
    }

    @Test func `a line deleted here and changed there stays in both versions`() {
        let expected = "a\n" + conflict("", "the text two\n") + "z\n"
        let merge = merged(
            lines("a", "the text", "z"),
            lines("a", "z"),
            lines("a", "the text two", "z")
        )
        #expect(merge == .conflicts(1, expected))
    }

    @Test func `a line deleted on both sides is gone even when one deleted more`() {
        let base = lines("a", "b", "c", "d", "e")
        #expect(merged(base, lines("a", "e"), lines("a", "d", "e")) != .clean(base))
        let merge = merged(base, lines("b", "c", "d", "e"), lines("b", "c", "d", "E"))
        #expect(merge == .clean(lines("b", "c", "d", "E")))
    }

    @Test func `two insertions at one place stay in both versions`() {
        let merge = merged(lines("a", "z"), lines("a", "mine", "z"), lines("a", "theirs", "z"))
        #expect(merge == .conflicts(1, "a\n" + conflict("mine\n", "theirs\n") + "z\n"))
    }

    @Test func `two new documents share the lines they begin and end with`() {
        let merge = merged("", lines("# Title", "mine", "end"), lines("# Title", "theirs", "end"))
        #expect(merge == .conflicts(1, "# Title\n" + conflict("mine\n", "theirs\n") + "end\n"))
    }

    @Test func `two new documents with nothing in common are both kept whole`() {
        #expect(merged("", "mine\n", "theirs\n") == .conflicts(1, conflict("mine\n", "theirs\n")))
        #expect(merged("", "mine\n", "") == .clean("mine\n"))
    }

    @Test(
        arguments: [
            ("a\n", "a\na\n"), ("# T\n\nA", "# T\n\nA\n\nB"), ("# T\nend\n", "# T\nmine\nend\n"),
            ("end", "mine\nend"),
        ]
    )
    func `of two new documents the one that has all of the other is both`(
        short: String,
        long: String
    ) {
        #expect(merged("", short, long) == .clean(long))
        #expect(merged("", long, short) == .clean(long))
    }

    @Test func `a word that goes on in the other new document is another word`() {
        let merge = merged("", "# T\nThe ca", "# T\nThe cat")
        #expect(merge == .conflicts(1, "# T\n" + unended(conflict("The ca\n", "The cat\n"))))
    }
}
