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
}
