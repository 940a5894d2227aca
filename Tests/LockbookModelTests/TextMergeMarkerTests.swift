import LockbookModel
import Testing

/// The lines that set two versions apart, and merges into versions that are set apart already.
struct TextMergeMarkerTests {
    private func text(
        _ base: String,
        _ local: String,
        _ remote: String,
        labels: MergeLabels = MergeLabels(local: "here", remote: "there"),
        fileExtension: String = "md"
    ) -> String? {
        let outcome = TextMerge.merge(
            base: Array(base.utf8),
            local: Array(local.utf8),
            remote: Array(remote.utf8),
            labels: labels,
            fileExtension: fileExtension
        )
        guard case .merged(let bytes, _) = outcome else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a label ends no marker and holds no control character`() {
        let labels = MergeLabels(local: "a\tb\u{1f}c d~", remote: "x\u{7f}y\nz")
        #expect(
            text("base\n", "one\n", "two\n", labels: labels)
                == "<<<<<<< a b c d~\none\n=======\ntwo\n>>>>>>> x y z\n"
        )
        #expect(
            text("base\n", "one\n", "two\n", labels: MergeLabels(local: "", remote: ""))
                == "<<<<<<<\none\n=======\ntwo\n>>>>>>>\n"
        )
    }

    @Test func `lines of one side that the other has twice are kept once`() {
        for (local, remote, result) in [
            ("x\n", "x\nx\n", "x\n<<<<<<< here\n=======\nx\n>>>>>>> there\n"),
            ("x\nx\n", "x\n", "x\n<<<<<<< here\nx\n=======\n>>>>>>> there\n"),
        ] {
            #expect(text("base\n", local, remote) == result)
        }
    }

    @Test(
        arguments: [
            ("=======", 8), ("=======\n", 8), ("======= \n", 8), ("=======\t\n", 8),
            ("=======!\n", 7), ("======\n", 7), ("x=======\n", 7), (" =======\n", 7),
            ("|||||||\n", 8), ("<<<<<<< a\n>>>>>>>> b\n", 9), ("\n\n\n========", 7),
        ]
    )
    func `no line of a text could be taken for a marker of its merge`(line: String, length: Int) {
        let remote = "two\n" + line
        let opening = String(repeating: "<", count: length) + " here\none\n"
        #expect(text("base\n", "one\n", remote)?.hasPrefix(opening) == true)
    }

    @Test(
        arguments: [
            ("b\r\nb\n", "one\r\n", "two\n", "\r\n"), ("b\nb\r\n", "one\n", "two\r\n", "\n"),
            ("b\n", "one", "two\r\n", "\r\n"), ("b\r\n", "one", "two", "\r\n"),
            ("b", "one", "two", "\n"), ("b\r\n", "\none", "\ntwo", "\n"),
            ("b\r\n", "one", "\ntwo", "\n"), ("b", "one\r\n", "two", "\r\n"),
        ]
    )
    func `markers end as the first line does that ends`(
        base: String,
        local: String,
        remote: String,
        ending: String
    ) {
        let merged = text(base, local, remote) ?? ""
        #expect(merged.contains("=======\(ending)"))
        let isEnded = local.utf8.last == 0x0A || remote.utf8.last == 0x0A
        let last = Array((isEnded ? "there\(ending)" : "there").utf8)
        #expect(merged.utf8.suffix(last.count).elementsEqual(last))
    }

    @Test func `lines that both versions begin or end with stand outside of the markers`() {
        #expect(
            text("b\n", "same\none\nend\n", "same\ntwo\nend\n")
                == "same\n<<<<<<< here\none\n=======\ntwo\n>>>>>>> there\nend\n"
        )
        #expect(
            text("b\n", "same one\nan end\n", "same two\nthe end\n")
                == "<<<<<<< here\nsame one\nan end\n=======\nsame two\nthe end\n>>>>>>> there\n"
        )
        #expect(
            text("b\n", "one\nend\nend\n", "end\nend\n")
                == "<<<<<<< here\none\n=======\n>>>>>>> there\nend\nend\n"
        )
        #expect(text("b\n", "one\n", "one\n") == "one\n")
    }

    @Test func `a change goes into the version of an older conflict that it is of`() {
        func block(_ mine: String, _ theirs: String) -> String {
            "<<<<<<< x\n\(mine)=======\n\(theirs)>>>>>>> y\n"
        }
        for around in ["", "above\n"] {
            let changed = around + "a second\n"
            for (block, result) in [
                (block("a\n", "b\n"), block("a second\n", "b\n")),
                (block("b\n", "a\n"), block("b\n", "a second\n")),
                // Where both are the base the first is taken.
                (block("a\n", "a\n"), block("a second\n", "a\n")),
            ] {
                #expect(text(around + "a\n", around + block, changed) == around + result)
                #expect(text(around + "a\n", changed, around + block) == around + result)
            }
        }
        // A base whose last line has no end.
        #expect(text("a", block("a\n", "b\n"), "a second\n") == block("a second\n", "b\n"))
        // A version that is no base, and a base that is empty, take nothing.
        for (base, remote) in [("c\n", "c second\n"), ("", "new\n")] {
            let merged = text(base, block("a\n", "b\n"), remote) ?? ""
            #expect(merged.contains("<<<<<<<<"), "\(merged)")
            #expect(merged.contains(remote))
        }
        // Nor is one conflict put into another.
        let both = text("a\n", block("a\n", "b\n"), block("a\n", "c\n")) ?? ""
        #expect(both.contains("b\n") && both.contains("c\n"))
    }

    @Test func `lines that were added beside an older conflict keep no change out of it`() {
        let base = "start\ntyped 1\n"
        let block = "<<<<<<< here\nother\n=======\nstart\ntyped 1\n>>>>>>> there\n"
        let grown = "<<<<<<< here\nother\n=======\nstart\ntyped 1\ntyped 2\n>>>>>>> there\n"
        for (before, after) in [
            ("", "- jot\n"), ("# title\n", ""), ("# title\n", "- jot\n- more\n"),
        ] {
            #expect(
                text(base, before + block + after, base + "typed 2\n") == before + grown + after
            )
            #expect(
                text(base, base + "typed 2\n", before + block + after) == before + grown + after
            )
        }
    }

    @Test func `a conflict behind two marks of UTF-8 begins in the first line`() {
        let mark = "\u{FEFF}\u{FEFF}"
        for inside in ["", "one\n"] {
            let block = "<<<<<<< a\n\(inside)=======\n>>>>>>> b\n"
            let base = mark + block + "x\nm\ny\n"
            let local = base.replacing("x\n", with: "z\n")
            let remote = base.replacing("y\n", with: "w\n")
            #expect(text(base, local, remote) == mark + block + "z\nm\nw\n")
        }
    }

    @Test func `a merge has no markers of no place but those that a side has`() {
        let heading = "Title\n=======\n"
        let base = "<<<<<<< a\none\ntwo\nthree\nfour\nfive\n>>>>>>> b\n"
        let high = base.replacing("one\n", with: "one\n=======\n")
        let low = base.replacing("four\n", with: "four\n=======\n")
        for (local, remote) in [(high, low), (low, high)] {
            let merge = text("x\n" + base, "x\n" + local, "x\n" + remote)
            #expect(merge?.contains("<<<<<<<< here") == true)
            // That both took such a line out of the base changes nothing.
            #expect(text(heading + "x\n" + base, "x\n" + local, "x\n" + remote) == merge)
        }
    }

    @Test func `what is new goes into no version of an older conflict, though one is empty`() {
        let block = "<<<<<<< x\n=======\nb\n>>>>>>> y\n"
        let expected = "above\n<<<<<<<< here\n\(block)========\nnew\n>>>>>>>> there\n"
        #expect(text("above\n", "above\n" + block, "above\nnew\n") == expected)
    }

    @Test(
        arguments: [
            ("{\"a\": 2}\n", "{\"a\": 3}\n", true), (" \n[2]\n", "\t[3]\n", true),
            ("{\"a\": 2}\n", "hello\n", false), ("hello\n", "{\"a\": 3}\n", false),
            ("{\"a\": 2\n", "{\"a\": 3}\n", false), ("{\"a\": 2}\n", "{\"a\": 3\n", false),
            ("7\n", "8\n", false), ("\"two\"\n", "\"three\"\n", false),
            ("<?xml version='1.0'?><a>2</a>\n", "<?xml version='1.0'?><a>3</a>\n", true),
            ("<svg>2\n", "\n <svg>3\n", true), ("<svg>2</svg>\n", "<b>3</b>\n", true),
            ("<b>2</b>\n", "<svg>3</svg>\n", true), ("<svg>2</svg>\n", "<b>3\n", false),
            ("<b>2\n", "<svg>3</svg>\n", false), ("<b>2</b>\n", "<!-- 3 --><b/>\n", false),
        ]
    )
    func `what looks like JSON or XML on both sides gets no markers, whatever it is called`(
        local: String,
        remote: String,
        isStructured: Bool
    ) {
        #expect((text("1\n", local, remote, fileExtension: "conf") == nil) == isStructured)
    }

    @Test(arguments: ["-------", "*******", "#######", "~~~~~~~"])
    func `markers are no longer for lines that are none`(rule: String) {
        let outcome = merged(lines("a", rule, "b"), lines("a", rule, "c"), lines("a", rule, "d"))
        #expect(outcome == .conflicts(1, lines("a", rule) + conflict("c\n", "d\n")))
    }
}
