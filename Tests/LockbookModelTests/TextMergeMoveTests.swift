import Testing

@testable import LockbookModel

/// Records that one side put in another order, or took out and added, while the other one changed one of them.
struct TextMergeMoveTests {
    private func list(_ names: String, done: String = "") -> String {
        names.map { "- [\(done.contains($0) ? "x" : " ")] call \(Self.names[$0] ?? "")\n" }.joined()
    }

    private func yaml(_ names: String, done: String = "") -> String {
        names.map { "- name: \(Self.names[$0] ?? "")\n  done: \(done.contains($0))\n" }.joined()
    }

    private func json(_ names: String, done: String = "") -> String {
        let records = names.map {
            "  {\n    \"name\": \"\(Self.names[$0] ?? "")\",\n    \"done\": \(done.contains($0))\n  }"
        }
        return "[\n" + records.joined(separator: ",\n") + "\n]\n"
    }

    private func lines(_ names: String, done: String = "") -> String {
        names.map { "{\"name\":\"\(Self.names[$0] ?? "")\",\"done\":\(done.contains($0))}\n" }
            .joined()
    }

    private func sentences(_ names: String, done: String = "") -> String {
        names.map { "\(Self.names[$0] ?? "") says \(done.contains($0) ? "yes" : "no") to that." }
            .joined(separator: " ") + "\n"
    }

    private func items(_ names: String, done: String = "") -> String {
        let items = names.map {
            "<li class=\(done.contains($0) ? "done" : "open")>\(Self.names[$0] ?? "")</li>"
        }
        return "<ul>" + items.joined() + "</ul>\n"
    }

    private static let names: [Character: String] = [
        "a": "Anna", "b": "Bob", "c": "Cleo", "d": "Dan", "e": "Eve", "f": "Finn",
    ]

    /// Both ways round.
    @Test func `what was meant for one is not written to the next that came to its place`() {
        expectConflict(list("ab"), list("ab", done: "b"), list("bc"))
        expectConflict(list("ab"), list("ab", done: "a"), list("bc"))
        expectConflict(yaml("abc"), yaml("abc", done: "a"), yaml("bad"))
    }

    @Test func `two that changed places`() {
        expectConflict(list("ab"), list("ab", done: "b"), list("ba"))
        expectConflict(yaml("abc"), yaml("abc", done: "a"), yaml("cba"))
        expectConflict(lines("abc"), lines("abc", done: "c"), lines("cba"), fileExtension: "jsonl")
        expectConflict(json("ab"), json("ab", done: "a"), json("ba"), fileExtension: "json")
    }

    @Test func `two that changed places with others between them that nobody changed`() {
        expectConflict(list("abcde"), list("abcde", done: "b"), list("aecdb"))
        expectConflict(list("abcde"), list("abcde", done: "e"), list("aecdb"))
        expectConflict(
            lines("abcdef"),
            lines("abcdef", done: "b"),
            lines("aecdbf"),
            fileExtension: "jsonl"
        )
        expectConflict(json("abcd"), json("abcd", done: "a"), json("dbca"), fileExtension: "json")
    }

    @Test func `within one line`() {
        expectConflict(sentences("abc"), sentences("abc", done: "a"), sentences("cba"))
        expectConflict(sentences("abc"), sentences("abc", done: "b"), sentences("bac"))
        expectConflict(items("abc"), items("abc", done: "c"), items("cba"))
        expectConflict(
            "[\"Anna\", 1, \"Bob\", 2]\n",
            "[\"Anna\", 7, \"Bob\", 2]\n",
            "[\"Bob\", 1, \"Anna\", 2]\n"
        )
    }

    @Test func `a line below one that moved, beside another one that both sides moved alike`() {
        func text(_ lines: String) -> String { lines.replacing(" ", with: "\n") + "\n" }
        let base = text("Anna Finn Gus Rita Eve Bob open Cleo open")
        let done = text("Anna Finn Gus Eve Bob done Cleo open Rita")
        expectConflict(base, text("Bob Anna Finn Gus Eve open Cleo open Rita"), done)
        expectClean(
            base,
            text("Anna Finn Gus Eve open Cleo open Rita"),
            done,
            text("Anna Finn Gus Eve done Cleo open Rita")
        )
    }

    @Test func `a line added to one that moved stays with it`() {
        let (anna, bob, cleo) = (
            "- Anna\n  - tea\n", "- Bob\n  - jam\n  - egg\n", "- Cleo\n  - oil\n"
        )
        expectConflict(anna + bob + cleo, anna + "  - new\n" + bob + cleo, cleo + bob + anna)
    }

    @Test func `a line added below one that the other side indented anew`() {
        let (work, home) = ("- Work with Bob\n", "- Home\n")
        let (inner, outer) = ("  - read Otto\n", "- read Otto\n")
        expectConflict(
            work + inner + home,
            work + inner + "  - get Zoe\n" + home,
            work + outer + home
        )
        expectConflict(
            work + outer + home,
            work + outer + "  - get Zoe\n" + home,
            work + inner + home
        )
        let page = "    - page 3\n"
        expectClean(
            work + inner + home,
            work + inner + page + home,
            work + outer + home,
            work + outer + page + home
        )
        expectClean(
            work + outer + home,
            work + outer + "- get Zoe\n" + home,
            work + inner + home,
            work + inner + "- get Zoe\n" + home
        )
    }

    @Test func `one changed to what the other one, now in its place, was before`() {
        let (anna, mia, cleo) = (
            "## Anna museum\ndue 12\n\n", "## Mia garden\ndue 20\n\n", "## Cleo invoice\npaid 7\n\n"
        )
        let paid = "## Anna museum\npaid 12\n\n"
        expectConflict(anna + mia + cleo, paid + mia + cleo, cleo + mia + anna)
    }

    @Test func `one done on both sides with a new one below it`() {
        func record(_ name: String, _ done: String) -> String {
            "- name: \(name)\n  done: \(done)\n"
        }
        expectConflict(
            record("Anna", "no"),
            record("Anna", "yes"),
            record("Anna", "yes") + record("Bob", "no")
        )
    }

    /// `a|b` are two lines.
    @Test func `lines added above one that begin with what the other side made of it`() {
        func ended(_ text: String) -> String { text.replacing("|", with: "\n") + "\n" }
        for (base, changed, added) in [
            ("c", "c now", "c now|c"), ("a yes", "a no", "a no|a yes"),
            ("c e", "c now e", "c now e|new|c e"), ("m|c", "m and more|c now", "m|c now|c"),
            ("w|c e", "w q|c now e", "w|c now e|c e"),
            ("m a b d|c e|z", "m|c now e|z", "m a b d|c now e|c e|z"),
            ("m|c e|z", "m|c now e|z now", "m|c now e|c e|z"),
        ] {
            expectConflict(ended(base), ended(changed), ended(added))
        }
        for (base, changed, added, merge) in [
            ("c e", "c new e", "c now e|c e", "c now e|c new e"),
            ("c e", "c now e", "new|c now e|c e", "new|c now e|c now e"),
            ("c e|z", "c e|z now", "c now e|c e|z", "c now e|c e|z now"),
            ("c", "a no|c", "c|c", "a no|c|c"),
        ] {
            expectClean(ended(base), ended(changed), ended(added), ended(merge))
        }
    }

    @Test func `the last one, with a blank line before each`() {
        func section(_ name: String, _ state: String) -> String {
            "## \(name)\n\nBuy it.\nState: \(state)\n"
        }
        let both = section("A", "o") + "\n" + section("B", "o")
        expectConflict(section("A", "o"), section("A", "x"), both)
        expectConflict(both, section("A", "o") + "\n" + section("B", "x"), section("A", "o"))
    }

    @Test func `a word that others have too has not moved`() {
        expectClean(
            "- TODO tea\n- TODO jam\n",
            "- TODO green tea\n- TODO jam\n",
            "- DONE tea\n- TODO jam\n- TODO car\n",
            "- DONE green tea\n- TODO jam\n- TODO car\n"
        )
    }

    @Test func `one that was changed and copied`() {
        let base = "- [ ] call Bob\n- [ ] buy milk\n"
        let done = "- [x] call Bob\n- [ ] buy milk\n"
        let twice = "- [ ] call Bob today\n- [ ] call Bob again\n- [ ] buy milk\n"
        expectConflict(base, done, twice)
    }

    @Test func `a line of which most words stayed is itself`() {
        expectClean(
            "The quick brown fox jumps\nover the lazy dog of ours\n",
            "The quick brown fox leaps\nover the lazy dog of ours\n",
            "The quick red fox jumps\nover the lazy brown dog of ours\n",
            "The quick red fox leaps\nover the lazy brown dog of ours\n"
        )
        expectClean(
            "- 27 dentist with Anna\n- 28 haircut with Bob\n",
            "- 28 dentist with Anna\n- 29 haircut with Bob\n",
            "- 27 dentist with Anna\n- 28 haircut with Bob, 5 pm\n",
            "- 28 dentist with Anna\n- 29 haircut with Bob, 5 pm\n"
        )
    }

    @Test func `words that changed places within a line`() {
        expectClean(
            "milk, bread and eggs\n",
            "bread, milk and eggs\n",
            "milk, bread and fresh eggs\n",
            "bread, milk and fresh eggs\n"
        )
    }

    @Test func `the points of a list that were counted anew`() {
        expectClean(
            "1. buy tea\n2. buy milk\n3. buy bread\n",
            "1. buy tea\n2. buy milk\n3. buy bread, fresh\n",
            "1. buy milk\n2. buy bread\n",
            "1. buy milk\n2. buy bread, fresh\n"
        )
    }

    @Test func `lines in another order whose words nobody changed in place`() {
        expectClean(
            "one a b c\ntwo d e f\nthree g h i\n",
            "one a b c\ntwo d e f!\nthree g h i\n",
            "two d e f\none a b c\nthree g h i\n",
            "two d e f!\none a b c\nthree g h i\n"
        )
    }

    /// Wherever git would have had a conflict: where it merges lines, the result is its own.
    @Test func `of drawn lists no record gets what was meant for another one`() {
        var random = Seeded(7)
        var clean = 0
        for _ in 0..<400 {
            let count = Int.random(in: 3...5, using: &random)
            let base = String("abcdef".prefix(count))
            var other = Array(base)
            let from = Int.random(in: 0..<count, using: &random)
            let to = Int.random(in: 0..<count, using: &random)
            if Bool.random(using: &random) {
                other.swapAt(from, to)
            } else {
                other.insert(other.remove(at: from), at: to)
            }
            let done = String(Array(base)[Int.random(in: 0..<count, using: &random)])
            for form in [list, lines, yaml, sentences, items] {
                let merge = merged(form(base, ""), form(base, done), form(String(other), ""))
                guard case .clean(let text) = merge else { continue }
                #expect(text == form(String(other), done))
                clean += 1
            }
        }
        #expect(clean > 400)
    }
}
