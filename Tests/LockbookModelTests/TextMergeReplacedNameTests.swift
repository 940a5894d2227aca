import Testing

/// Records of several lines without an id, of which one side put another one in the place of one.
struct TextMergeReplacedNameTests {
    private static func object(_ name: String, _ city: String, _ state: String) -> String {
        lines("  {", "    \"name\": \"\(name)\",", "    \"city\": \"\(city)\",")
            + lines("    \"state\": \"\(state)\",", "    \"note\": \"a\"", "  }")
    }

    private static func table(_ name: String, _ city: String, _ state: String) -> String {
        lines("[[list]]", "name = \"\(name)\"", "city = \"\(city)\"", "state = \"\(state)\"")
    }

    private static func section(_ name: String, _ city: String, _ state: String) -> String {
        lines("[\(name)]", "city = \(city)", "state = \(state)", "note = tall")
    }

    private static func heading(_ name: String, _ city: String, _ state: String) -> String {
        lines("* TODO \(name)", "Is \(state).", ":PROPERTIES:", ":PLACE: home", ":END:")
            + lines("In \(city).")
    }

    /// A record of each kind, and another one after it.
    static let kinds = [
        DrawnRecord("json") { name, city, state in
            "[\n" + object(name, city, state).dropLast() + ",\n" + object("Cleo", "Lima", "open")
                + "]\n"
        },
        DrawnRecord("toml") { table($0, $1, $2) + "\n" + table("Cleo", "Lima", "open") },
        DrawnRecord("ini") { section($0, $1, $2) + "\n" + section("Cleo", "Lima", "open") },
        DrawnRecord("org") { heading($0, $1, $2) + heading("Cleo", "Lima", "open") },
    ]

    @Test(arguments: kinds)
    func `a record gets nothing of the one whose place it took`(kind: DrawnRecord) {
        expectConflict(
            kind.text("Anna", "Rome", "open"),
            kind.text("Bob", "Oslo", "open"),
            kind.text("Anna", "Rome", "done"),
            fileExtension: kind.fileExtension
        )
    }

    @Test(arguments: kinds)
    func `a record with another name alone is the same one`(kind: DrawnRecord) {
        expectClean(
            kind.text("Anna", "Rome", "open"),
            kind.text("Bob", "Rome", "open"),
            kind.text("Anna", "Rome", "done"),
            kind.text("Bob", "Rome", "done"),
            fileExtension: kind.fileExtension
        )
    }

    @Test func `an entry of a journal with another date and name is another one`() {
        func entry(_ head: String, _ sum: String) -> String {
            lines(head, "    Expenses:home    \(sum) EUR", "    Assets:Cash")
        }
        let more = "\n" + entry("2026-03-04 Aldi", "3.00")
        let base = entry("2026-01-02 Rewe", "7.20") + more
        let edited = entry("2026-01-02 Rewe", "8.40") + more
        expectConflict(base, entry("2026-01-09 Bakery", "7.20") + more, edited)
        for head in ["2026-01-02 Bakery", "2026-01-09 Rewe"] {
            expectClean(
                base,
                entry(head, "7.20") + more,
                edited,
                entry(head, "8.40") + more
            )
        }
    }

    @Test func `a heading of Org is known by its id, and by its name beside its tags`() {
        func heading(_ id: String, _ name: String, _ tag: String, _ state: String) -> String {
            lines("* \(name) :\(tag):", ":PROPERTIES:", ":ID: \(id)", ":STATE: \(state)", ":END:")
        }
        let more = heading("c3", "paint the roof", "work", "open")
        let base = heading("a1", "buy milk", "home", "open") + more
        let edited = heading("a1", "buy milk", "home", "done") + more
        expectConflict(
            base,
            heading("b2", "mend bike", "home", "open") + more,
            edited,
            fileExtension: "org"
        )
        expectClean(
            base,
            heading("a1", "mend bike", "town", "open") + more,
            edited,
            heading("a1", "mend bike", "town", "done") + more,
            fileExtension: "org"
        )
        func dated(_ name: String, _ tag: String, _ date: String) -> String {
            lines("* TODO \(name) :\(tag):", "DEADLINE: <\(date)>", "* TODO paint the roof :work:")
        }
        expectConflict(
            dated("buy milk", "home", "2026-01-02"),
            dated("mend the bike", "home", "2026-01-09"),
            dated("buy milk", "town", "2026-01-02"),
            fileExtension: "org"
        )
    }
}
