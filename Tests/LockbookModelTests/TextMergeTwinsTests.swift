import Testing

@testable import LockbookModel

/// Records with equal lines, of which one side changes one, and adds or takes out the next one.
///
/// The other side changes the line that stayed.
struct TextMergeTwinsTests {
    private func record(_ name: String, _ day: Int, _ done: String) -> String {
        "- \(name)\n  on May \(day)\n  done: \(done)\n"
    }

    @Test func `a record changed above its last line, and one added that ends so`() {
        let read = record("read", 7, "no")
        expectConflict(
            record("paint", 1, "no") + read,
            record("paint", 3, "no") + record("buy", 5, "no") + read,
            record("paint", 1, "yes") + read
        )
        expectConflict(
            "def f():\n    x = 50\n    return x\n",
            "def f():\n    x = 60\n    return x\n\n\ndef g():\n    x = 50\n    return x\n",
            "def f():\n    x = 55\n    return x\n",
            fileExtension: "py"
        )
    }

    @Test func `a record changed above its last line, and the next one taken out that ends so`() {
        let read = record("read", 7, "no")
        let buy = record("buy", 5, "no")
        expectConflict(
            record("paint", 1, "no") + buy + read,
            record("paint", 3, "no") + read,
            record("paint", 1, "no") + record("buy", 5, "yes") + read
        )
    }

    @Test func `a last line changed to that of the next record, which came or went`() {
        func record(_ name: String, _ day: Int, _ done: String) -> String {
            "\(name):\n  date: May \(day)\n  done: \(done)\n"
        }
        let read = record("read", 7, "false")
        expectConflict(
            record("paint", 1, "true") + record("call", 5, "false") + read,
            record("paint", 1, "false") + read,
            record("paint", 1, "true") + record("call", 5, "true") + read,
            fileExtension: "yaml"
        )
        expectConflict(
            record("paint", 1, "false") + read,
            record("paint", 1, "true") + record("call", 5, "false") + read,
            record("paint", 1, "later") + read,
            fileExtension: "yaml"
        )
        expectConflict(
            "[paint]\ndone = no\n",
            "[paint]\ndone = yes\n\n[call]\ndone = no\n",
            "[paint]\ndone = later\n",
            fileExtension: "ini"
        )
    }

    @Test func `a first line of a record that is also that of the next one`() {
        let (mum, new) = ("  text: mum\n", "  text: new\n")
        let (open, done) = ("- done: no\n", "- done: yes\n")
        expectConflict(
            open + mum,
            open + new + open + "  text: mum at 5\n",
            done + mum
        )
        expectConflict(
            open + new + open + mum,
            open + "  text: mum at 5\n",
            done + new + open + mum
        )
        expectConflict(open + mum, open + new + done + mum, "- done: later\n" + mum)
    }

    @Test func `other lines beside a change are merged`() {
        expectClean(
            "- call Anna\n- call Bob\n",
            "- call Anna now\n- buy tea\n- call Bob\n",
            "- call Anna\n- call Bob at 5\n",
            "- call Anna now\n- buy tea\n- call Bob at 5\n"
        )
        expectClean(
            "if a:\n    foo()\n    bar()\n",
            "if a:\n    foo()\n    baz()\nelse:\n    bar()\n",
            "if a:\n    foo()\n    bar(1)\n",
            "if a:\n    foo()\n    baz()\nelse:\n    bar(1)\n"
        )
        // Nobody but one side changed anything beside it.
        let (paint, buy) = (record("paint", 1, "no"), record("buy", 5, "no"))
        let (moved, read) = (record("paint", 3, "no"), record("read", 7, "no"))
        expectClean(
            paint + read,
            moved + buy + read,
            paint + record("read", 7, "yes"),
            moved + buy + record("read", 7, "yes")
        )
    }

    /// `a|b` are two lines.
    @Test func `a line beside a change is in doubt where what came or went has one like it`() {
        let apart = [
            ("a 1|x|z", "a 2|x|b|x|z", "a 1|y|z"),
            ("a|x|z", "a|b|x|c|x|z", "a|y|z"),
            ("a 1|x|b|x|z", "a 2|x|z", "a 1|x|b|y|z"),
            ("x|a 1|z", "x|b 2|x|c|z", "y|a 1|z"),
            ("x|a 1", "x|b 2|x|c", "y|a 1"),
            ("a 1|x", "b 2|x|c|x", "a 1|y"),
            ("a 1|x|m|b 1|w|z", "a 2|q|x|m|b 2|w|v|w|z", "a 1|x|m|b 1|y|z"),
            ("a 1|x|m|b 1|w|z", "a 2|x|v|x|m|b 2|q|w|z", "a 1|y|m|b 1|w|z"),
            // The same key, where another record begins in between.
            ("[p]|done = no", "[p]|done = yes||[c]|done = no", "[p]|done = later"),
            ("[p]|done = no", "[p]|done = yes|[c]|done = no", "[p]|done = later"),
            ("# p|- d: no", "# p|- d: yes|# c|- d: no", "# p|- d: later"),
            ("BEGIN:P|U:1|D:no", "BEGIN:P|U:1|D:yes|BEGIN:P|U:2|D:no", "BEGIN:P|U:1|D:a"),
            ("p|  done: no", "p|  done: yes|c|  done: no", "p|  done: later"),
            ("p|  done = no", "p|  done = yes|c|  done = no", "p|  done = later"),
            ("p|  done>no", "p|  done>yes|c|  done>no", "p|  done>later"),
            ("p|  9a: no", "p|  9a: yes|c|  9a: no", "p|  9a: later"),
            ("p|  done: no", "p|  done: yes|    e|c||  done: no", "p|  done: later"),
            ("p|  done: no", "p|  done: yes| c|  x|  done: no", "p|  done: later"),
            ("p|  done: no", "p|  done: yes||  c|  done: no", "p|  done: later"),
            ("p|  done: yes|c|  done: no|q", "p|  done: no|q", "p|  done: yes|c|  done: later|q"),
            // The first line of a record, and of one that came or went.
            ("- d: 1|  t: a", "- d: 1|  t: b|- d: 1|  t: c", "- d: 2|  t: a"),
            ("- d: 1|  t: a", "- d: 1|  t: b|- d: 3|  t: a", "- d: 2|  t: a"),
            ("- d: 1|  t: a|- e", "- d: 1|  t: b||- d: 3|  t: a|- e", "- d: 2|  t: a|- e"),
            ("- d: 1|  t: b|- d: 3|  t: a", "- d: 1|  t: a", "- d: 2|  t: b|- d: 3|  t: a"),
        ]
        for (base, local, remote) in apart {
            expectConflict(ended(base), ended(local), ended(remote))
        }
    }

    @Test func `a line beside a change is itself where what came or went has none like it`() {
        let clean = [
            ("a 1|x|z", "a 2|w|b|x|z", "a 1|y|z", "a 2|w|b|y|z"),
            ("x|a 1|z", "x|b 2|w|c|z", "y|a 1|z", "y|b 2|w|c|z"),
            ("--|a 1|z", "--|b 2|--|c|z", "==|a 1|z", "==|b 2|--|c|z"),
            ("x|m|a 1|z", "x|m|b 2|x|c|z", "y|m|a 1|z", "y|m|b 2|x|c|z"),
            ("x|a|b|z", "x|x|c|z", "y|a|b|z", "y|x|c|z"),
            ("x|a|x|z", "x|b|c|z", "y|a|x|z", "y|b|c|z"),
            ("q|q", "q|b|q|q", "q|y", "q|b|q|y"),
            (
                "a 1|x|m|b 1|w|z", "a 2|x|v|x|m|b 2|q|w|z",
                "a 1|x|m|b 1|y|z", "a 2|x|v|x|m|b 2|q|y|z"
            ),
            // No key, or a number alone.
            (
                "p|  done no", "p|  done yes|c|  done no",
                "p|  done later", "p|  done yes|c|  done later"
            ),
            (
                "p|  done; no", "p|  done; yes|c|  done; no",
                "p|  done; later", "p|  done; yes|c|  done; later"
            ),
            (
                "p|  done < no", "p|  done < yes|c|  done < no",
                "p|  done < later", "p|  done < yes|c|  done < later"
            ),
            (
                "p|  done? no", "p|  done? yes|c|  done? no",
                "p|  done? later", "p|  done? yes|c|  done? later"
            ),
            ("p|  0: no", "p|  0: yes|c|  0: no", "p|  0: later", "p|  0: yes|c|  0: later"),
            ("p|  9: no", "p|  9: yes|c|  9: no", "p|  9: later", "p|  9: yes|c|  9: later"),
            ("p|  -: no", "p|  -: yes|c|  -: no", "p|  -: later", "p|  -: yes|c|  -: later"),
            // Another key, or no other record.
            (
                "p|  done: no", "p|  gone: yes|c|  done: no",
                "p|  done: later", "p|  gone: yes|c|  done: later"
            ),
            (
                "p|  done: no", "p|  done: yes|  c|  done: no",
                "p|  done: later", "p|  done: yes|  c|  done: later"
            ),
            (
                "p|  done: no", "p|  done: yes|    c|  done: no",
                "p|  done: later", "p|  done: yes|    c|  done: later"
            ),
            (
                "p|  done: no", "p|  done: yes||  done: no",
                "p|  done: later", "p|  done: yes||  done: later"
            ),
            (
                "[p]|done = no", "[p]|done = yes|[c] d|done = no",
                "[p]|done = later", "[p]|done = yes|[c] d|done = later"
            ),
            (
                "# p|done = no", "# p|done = yes|#c|done = no",
                "# p|done = later", "# p|done = yes|#c|done = later"
            ),
            // The first line of a record of another kind, or of none.
            (
                "- d: 1|  t: a", "- d: 1|  t: b|- e: 3|  t: a",
                "- d: 2|  t: a", "- d: 2|  t: b|- e: 3|  t: a"
            ),
            (
                "- d: 1|t: a", "- d: 1|  t: b|- d: 3|t: a",
                "- d: 2|t: a", "- d: 2|  t: b|- d: 3|t: a"
            ),
            (
                "- d: 1|  t: a", "- d: 1|  t: b|    - d: 3|  t: a",
                "- d: 2|  t: a", "- d: 2|  t: b|    - d: 3|  t: a"
            ),
            (
                "- d: 1|  t: a", "- d: 1|  t: b|- e: 3|  t: x|- d: 4|  t: a",
                "- d: 2|  t: a", "- d: 2|  t: b|- e: 3|  t: x|- d: 4|  t: a"
            ),
            ("- d: 1|  t: a", "- d: 1|- d: 3|  t: a", "- d: 2|  t: a", "- d: 2|- d: 3|  t: a"),
            (
                "- d: 1||  t: a", "- d: 1|  t: b|- d: 3||  t: a",
                "- d: 2||  t: a", "- d: 2|  t: b|- d: 3||  t: a"
            ),
            ("- d: 1|  t: x", "- d: 1|  t: b|- d: 3", "- d: 2|  t: x", "- d: 2|  t: b|- d: 3"),
        ]
        for (base, local, remote, merge) in clean {
            expectClean(ended(base), ended(local), ended(remote), ended(merge))
        }
    }

    private func ended(_ text: String) -> String { text.replacing("|", with: "\n") + "\n" }
}
