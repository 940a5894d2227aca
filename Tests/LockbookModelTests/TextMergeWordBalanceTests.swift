import LockbookModel
import Testing

/// Who chooses one side of every conflict has all words of that side but those the other one took out.
struct TextMergeWordBalanceTests {
    @Test func `a word that went to the next line is in both places of neither version`() {
        let base = lines("one two three four five six", "seven eight nine ten")
        let reflowed = lines("one two three four five", "six seven eight nine ten")
        let rewritten = lines("one two three four five six", "Something else is written here")
        #expect(merged(base, reflowed, rewritten) == .conflicts(1, conflict(reflowed, rewritten)))
        #expect(merged(base, rewritten, reflowed) == .conflicts(1, conflict(rewritten, reflowed)))
    }

    @Test func `a word written anew elsewhere is not taken from who did not touch it`() {
        #expect(
            merged("milk\neggs\n", "milk\n", "Shopping\nfresh goat milk\n")
                == .conflicts(1, conflict("milk\n", "Shopping\nfresh goat milk\n"))
        )
    }

    @Test func `a word that one side took out is not in a merge without conflicts`() {
        for (base, local, remote) in [
            ("secret\ntwo\n", "\nsecret two plus\n", "\ntwo\n"),
            ("one two\nsecret\nfour\n", "one two\n\nfour\n", "one two\n\nsecret\n"),
        ] {
            for merge in [merged(base, local, remote), merged(base, remote, local)] {
                if case .clean(let text) = merge {
                    #expect(!text.contains("secret"), "\(text)")
                }
            }
        }
    }

    @Test
    func `what both sides changed alike takes nothing from what one of them changed beside it`() {
        for (base, local, remote, wanted) in [
            (
                "- [ ] milk\n- [x] eggs\n", "- [x] milk\n- [ ] eggs\n",
                "- [x] milk\n- [x] eggs\n", "- [x] milk\n- [ ] eggs\n"
            ),
            (
                "- [ ] milk\n- [x] eggs\n- [ ] rope\n", "- [x] milk\n- [ ] eggs\n- [ ] rope\n",
                "- [x] milk\n- [x] eggs\n- [x] rope\n", "- [x] milk\n- [ ] eggs\n- [x] rope\n"
            ),
        ] {
            #expect(merged(base, local, remote) == .clean(wanted))
            #expect(merged(base, remote, local) == .clean(wanted))
        }
    }

    @Test func `points that each side takes to another list are in the version of who had them`() {
        let base = "# To do\n- [ ] one\n- [ ] two\n- [ ] three\n\n# Done\n- [x] zero\n"
        let local = "# To do\n- [ ] two\n- [ ] three\n\n# Done\n- [x] zero\n- [x] one\n"
        let remote = "# To do\n- [ ] one\n- [ ] three\n\n# Done\n- [x] zero\n- [x] two\n"
        #expect(
            merged(base, local, remote)
                == .conflicts(
                    2,
                    "# To do\n" + conflict("- [ ] two\n", "- [ ] one\n")
                        + "- [ ] three\n\n# Done\n- [x] zero\n"
                        + conflict("- [x] one\n", "- [x] two\n")
                )
        )
    }

    @Test func `what else both sides changed is merged by words beside such points`() {
        let base = "a\nb\nx\nred car and house\ny\nend\n"
        let local = "b\nx\nblue car and house\ny\nend\na\n"
        let remote = "a\nx\nred car and barn\ny\nend\nb\n"
        #expect(
            merged(base, local, remote)
                == .conflicts(
                    2,
                    conflict("b\n", "a\n") + "x\nblue car and barn\ny\nend\n"
                        + conflict("a\n", "b\n")
                )
        )
    }

    @Test func `lines reflowed on one side, and one edit on the other`() {
        var conflicts = 0
        for seed in 0..<UInt64(4_000) {
            var random = Seeded(seed)
            let words = (0..<Int.random(in: 3...12, using: &random)).map { "w\($0)" }
            let old = Int.random(in: 1..<words.count, using: &random)
            let new = Int.random(in: 1..<words.count, using: &random)
            func text(_ words: [String], _ cut: Int) -> String {
                lines(
                    words[..<cut].joined(separator: " "),
                    words[cut...].joined(separator: " ")
                )
            }
            var edited = words
            let at = Int.random(in: 0..<words.count, using: &random)
            let end = min(words.count, at + Int.random(in: 0...4, using: &random))
            let put = (0..<Int.random(in: 0...2, using: &random)).map { "n\($0)" }
            edited.replaceSubrange(at..<end, with: put)
            guard edited.count > 1 else { continue }
            let cut = min(
                max(1, old <= at ? old : old + edited.count - words.count),
                edited.count - 1
            )
            let texts = (base: text(words, old), mine: text(words, new), theirs: text(edited, cut))
            guard
                case .conflicts(let count, let merge) = merged(texts.base, texts.mine, texts.theirs)
            else { continue }
            conflicts += count
            let blocks = ConflictBlocks(in: Array(merge.utf8))
            // Each word stands once in a version, so that a set says it all.
            func chosen(_ side: ConflictSide) -> [Substring] {
                String(decoding: blocks.resolved(keeping: side) { _, _ in .first }, as: UTF8.self)
                    .split { $0 == " " || $0 == "\n" }.sorted()
            }
            let (mine, theirs) = (chosen(.local), chosen(.remote))
            #expect(Set(mine).count == mine.count && Set(theirs).count == theirs.count, "\(merge)")
            #expect(Set(theirs) == Set(edited.map { $0[...] }), "\(merge)")
            #expect(
                Set(mine).isSuperset(of: words.filter(edited.contains).map { $0[...] }),
                "\(merge)"
            )
        }
        #expect(conflicts > 300)
    }
}

/// What an editor changes in a whole text at once is merged by itself.
struct TextFormTests {
    private let base = lines("one", "two", "three", "four")

    @Test func `other line ends on one side and a change on the other are no conflict`() {
        let windows = base.replacing("\n", with: "\r\n")
        for changed in [
            lines("one", "two", "new", "three", "four"), lines("one", "three", "four"),
            lines("one", "two", "THREE", "four"),
        ] {
            let both = Merged.clean(changed.replacing("\n", with: "\r\n"))
            #expect(merged(base, windows, changed) == both)
            #expect(merged(base, changed, windows) == both)
            let back = changed.replacing("\n", with: "\r\n")
            #expect(merged(windows, base, back) == .clean(changed))
            #expect(merged(windows, back, base) == .clean(changed))
        }
    }

    @Test func `a conflict beside other line ends has these, too`() {
        let merge = merged(
            "a\nb\nc\n",
            "a\r\nmine\r\nc\r\n",
            "a\ntheirs\nc\n"
        )
        let both = "a\n" + conflict("mine\n", "theirs\n") + "c\n"
        #expect(merge == .conflicts(1, both.replacing("\n", with: "\r\n")))
    }

    @Test func `texts whose lines end in both ways stay as they are`() {
        let mixed = "one\r\ntwo\nthree\nfour\n"
        #expect(
            merged(mixed, mixed + "five\n", "zero\n" + mixed) == .clean("zero\n" + mixed + "five\n")
        )
        #expect(merged(base, mixed, base + "five\n") == .clean(mixed + "five\n"))
    }

    @Test func `the mark of UTF-8 is merged by itself, and stays in front`() {
        let mark = "\u{FEFF}"
        #expect(merged(base, mark + base, "zero\n" + base) == .clean(mark + "zero\n" + base))
        #expect(merged(mark + base, base, mark + "ONE\n" + base) == .clean("ONE\n" + base))
        #expect(
            merged("a\n", mark + "mine\n", "theirs\n")
                == .conflicts(1, mark + conflict("mine\n", "theirs\n"))
        )
        #expect(
            merged(mark + "a\n", mark + "b\n", mark + "a\nc\n").isConflictFreeOrMarked(by: mark)
        )
    }

    @Test func `marks and returns that come in heaps are text, but for the first`() {
        for heap in ["\r", "\u{FEFF}"] {
            let many = String(repeating: heap, count: 100_000)
            let local = heap == "\r" ? "a\(many)\n" : "\(many)a\n"
            for merge in [merged("a\n", local, "b\n"), merged("a\n", "b\n", local)] {
                guard case .conflicts(1, let text) = merge else {
                    Issue.record("no conflict")
                    continue
                }
                #expect(text.unicodeScalars.count { String($0) == heap } >= 100_000)
            }
            let isKept =
                merged("a\nk\nm\n", local + "k\nm\n", "a\nk\nm\nb\n")
                == .clean(local + "k\nm\nb\n")
            #expect(isKept)
        }
    }

    @Test func `two new texts with the mark have it once, in front`() {
        let mark = "\u{FEFF}"
        #expect(
            merged("", mark + "a\n", mark + "b\n")
                == .conflicts(1, mark + conflict("a\n", "b\n"))
        )
        #expect(merged("title", mark + "title\r\n", "title") == .clean(mark + "title\r\n"))
    }

    @Test func `of drawn forms the merge has that which was changed`() {
        for seed in 0..<UInt64(400) {
            var random = Seeded(seed)
            let text = (0..<Int.random(in: 2...9, using: &random)).map { "line \($0)\n" }
            func form(_ text: [String], _ mark: Bool, _ returns: Bool) -> String {
                let body = text.joined()
                return (mark ? "\u{FEFF}" : "")
                    + (returns ? body.replacing("\n", with: "\r\n") : body)
            }
            let old = (mark: Bool.random(using: &random), returns: Bool.random(using: &random))
            var (mine, theirs) = (old, old)
            if Bool.random(using: &random) { mine.mark.toggle() } else { theirs.mark.toggle() }
            if Bool.random(using: &random) {
                mine.returns.toggle()
            } else {
                theirs.returns.toggle()
            }
            let merge = merged(
                form(text, old.mark, old.returns),
                form(["first\n"] + text, mine.mark, mine.returns),
                form(text + ["last\n"], theirs.mark, theirs.returns)
            )
            let wanted = form(["first\n"] + text + ["last\n"], !old.mark, !old.returns)
            #expect(merge == .clean(wanted))
        }
    }
}

extension Merged {
    fileprivate func isConflictFreeOrMarked(by mark: String) -> Bool {
        switch self {
        case .clean(let text), .conflicts(_, let text): text.hasPrefix(mark)
        case .notText: false
        }
    }
}
