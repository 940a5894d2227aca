import Testing

@testable import LockbookModel

/// Records of one line of which one side changed one, and the other one put another one in its place.
struct TextMergeReplacedLineTests {
    /// With two words of a name that the other record has not, and a field.
    static let rows = [
        DrawnRecord("md") { "| \($0) | \($1) | \($2) | open |" },
        DrawnRecord("org") { "| 2026-01-02 | \($0) | \($1) | \($2) |" },
        DrawnRecord("csv") { "12,\($0),\($1),\($2),7" },
        DrawnRecord("tsv") { "\($0)\t\($1)\t\($2)\tno" },
        DrawnRecord("txt") { "(A) 2026-01-02 \($0) @home +house due:\($2)" },
        DrawnRecord("txt") { "x 2026-01-02 \($0) @home due:\($2)" },
        DrawnRecord("txt") { "\($0) @home due:\($2)" },
        DrawnRecord("md") { "- [ ] \($0) @home due:2026-01-02 prio:\($2)" },
        DrawnRecord("md") { "3. [ ] \($0) #home 📅 2026-01-02 +\($2)" },
        DrawnRecord("jsonl") {
            "{\"done\": \"not yet\", \"task\": \"\($0)\", \"state\": \"\($2)\"}"
        },
        DrawnRecord("html") { "<tr><td>\($0)</td><td>\($1)</td><td>\($2)</td></tr>" },
        DrawnRecord("opml") {
            "<outline type=\"rss\" text=\"\($0)\" list=\"home\" state=\"\($2)\"/>"
        },
    ]

    private func text(_ row: DrawnRecord, _ name: String, _ field: String) -> String {
        let lines =
            row.text("call Anna", "Rome", "first") + "\n" + row.text(name, "Rome", field) + "\n"
            + row.text("paint the roof", "Rome", "last") + "\n"
        return row.fileExtension == "opml" ? "<opml>\n" + lines + "</opml>\n" : lines
    }

    @Test(arguments: rows)
    func `a line gets nothing of the one whose place it took`(row: DrawnRecord) {
        expectConflict(
            text(row, "buy milk", "later"),
            text(row, "mend bike", "later"),
            text(row, "buy milk", "never"),
            fileExtension: row.fileExtension
        )
    }

    @Test(arguments: rows)
    func `a line whose name was changed a little is the same one`(row: DrawnRecord) {
        for name in ["buy milk", "buy bread", "buy milk today", "buu milc", "by milkk"] {
            expectClean(
                text(row, "buy milk", "later"),
                text(row, name, "later"),
                text(row, "buy milk", "never"),
                text(row, name, "never"),
                fileExtension: row.fileExtension
            )
        }
    }

    @Test func `a tick is of the point that it was set at`() {
        let base = lines("- [ ] milk", "- [ ] call Dan")
        expectConflict(base, lines("- [ ] bread", "- [ ] call Dan"), "- [x] milk\n- [ ] call Dan\n")
        // Half of a name is enough.
        expectClean(
            base,
            lines("- [ ] milk", "- [ ] call Kim"),
            lines("- [ ] milk", "- [x] call Dan"),
            lines("- [ ] milk", "- [x] call Kim")
        )
        // The rest of such a list is merged.
        let merge = merged(
            lines("- [ ] milk", "- [ ] eggs", "- [ ] call Dan"),
            lines("- [ ] bread", "- [ ] eggs", "- [ ] call Kim"),
            lines("- [x] milk", "- [x] eggs", "- [x] call Dan")
        )
        let wanted =
            conflict("- [ ] bread\n", "- [x] milk\n") + lines("- [x] eggs", "- [x] call Kim")
        #expect(merge == .conflicts(1, wanted))
    }

    @Test func `an id says which row it is, whatever that is called`() {
        func rows(_ id: String, _ name: String, _ city: String) -> String {
            lines("name;ID;city;state", "Anna;7;Rome;yes", "\(name);\(id);\(city);no")
        }
        expectClean(
            rows("12", "Bob", "Oslo"),
            rows("12", "Cleo", "Oslo"),
            rows("12", "Bob", "Bonn"),
            rows("12", "Cleo", "Bonn"),
            fileExtension: "csv"
        )
        expectConflict(
            rows("112", "Bob", "Oslo"),
            rows("113", "Bob", "Oslo"),
            rows("112", "Bob", "Bonn"),
            fileExtension: "csv"
        )
    }

    @Test func `what several rows are called tells none of them from others`() {
        func rows(_ state: String, _ person: String, _ more: String = "waiting") -> String {
            lines("| \(state) | the door | \(person) |", "| \(more) | the roof | Kim |")
        }
        expectClean(
            rows("waiting", "Anna"),
            rows("done", "Anna"),
            rows("waiting", "Bob"),
            rows("done", "Bob")
        )
        // Nor do numbers, and what is shorter than a name.
        for (old, new) in [("17", "28"), ("no", "ok"), ("", "x")] {
            expectClean(
                rows(old, "Anna", "1"),
                rows(new, "Anna", "1"),
                rows(old, "Bob", "1"),
                rows(new, "Bob", "1")
            )
        }
    }

    @Test func `a text behind a name says as well which point it is`() {
        func point(_ name: String, _ text: String, _ last: String) -> String {
            "- **\(name)** lives in \(text) and has three \(last)\n"
        }
        expectConflict(
            point("Anna", "Rome", "cats"),
            point("Cleo", "Oslo", "cats"),
            point("Anna", "Rome", "dogs")
        )
        expectClean(
            point("Anna", "Rome", "cats"),
            point("Cleo", "Rome", "cats"),
            point("Anna", "Rome", "dogs"),
            point("Cleo", "Rome", "dogs")
        )
    }
}
