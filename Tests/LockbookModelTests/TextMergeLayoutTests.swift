import Testing

@testable import LockbookModel

/// Drawn tables that an editor laid out anew on one device or on both.
struct TextMergeLayoutTests {
    private static let base = lines(
        "| Day | Lunch |",
        "|-----|-------|",
        "| Mon | soup  |",
        "| Tue | salad |"
    )
    private static let wider = lines(
        "| Day | Lunch  |",
        "|-----|--------|",
        "| Mon | soup   |",
        "| Tue | salads |"
    )

    @Test func `a field of a row that the other device laid out anew`() {
        let wanted = Self.wider.replacing("soup ", with: "stew ")
        expectClean(Self.base, Self.base.replacing("soup ", with: "stew "), Self.wider, wanted)
        let org = [Self.base, Self.base.replacing("soup ", with: "stew "), Self.wider, wanted].map {
            $0.replacing("-|-", with: "-+-")
        }
        expectClean(org[0], org[1], org[2], org[3], fileExtension: "org")
        expectClean(
            Self.base,
            Self.base.replacing("soup ", with: "S\u{FC}ppe"),
            Self.wider,
            Self.wider.replacing("soup  ", with: "S\u{FC}ppe ")
        )
    }

    @Test func `both devices laid it out anew`() {
        let days = lines(
            "| Day       | Lunch |",
            "|-----------|-------|",
            "| Mon       | soup  |",
            "| Wednesday | salad |"
        )
        let lunch = lines(
            "| Day | Lunch     |",
            "|-----|-----------|",
            "| Mon | fish soup |",
            "| Tue | salad     |"
        )
        expectClean(
            Self.base,
            days,
            lunch,
            lines(
                "| Day       | Lunch     |",
                "|-----------|-----------|",
                "| Mon       | fish soup |",
                "| Wednesday | salad     |"
            )
        )
    }

    @Test func `fields that stand at the right`() {
        func right(_ text: String) -> String {
            text.replacing("soup  ", with: " soup ").replacing("soup   ", with: "  soup ")
        }
        expectClean(
            right(Self.base),
            right(Self.base).replacing(" soup", with: " stew"),
            Self.wider.replacing("soup   ", with: "  soup "),
            Self.wider.replacing("soup   ", with: "  stew ")
        )
    }

    @Test func `rows that moved, and were laid out anew elsewhere`() {
        expectConflict(
            Self.base,
            lines("| Day | Lunch |", "|-----|-------|", "| Tue | salad |", "| Mon | soup  |"),
            Self.base.replacing("Mon ", with: "Mon  ").replacing("Tue ", with: "Tue  ")
        )
    }

    @Test func `a row that both devices changed, and one more column`() {
        expectConflict(
            Self.base,
            Self.base.replacing("soup ", with: "stew "),
            Self.wider.replacing("soup ", with: "fish ")
        )
        // Which list a row hangs in is more than its layout.
        expectConflict(
            Self.base,
            Self.base.replacing("soup ", with: "stew "),
            "  " + Self.wider.replacing("\n|", with: "\n  |")
        )
    }

    @Test func `a dash is something to say but below the headings`() {
        expectClean(
            "| p | - |\n| q | x |\n",
            "| p | -- |\n| q | x  |\n",
            "| p | -   |\n| q | xyz |\n",
            "| p | --  |\n| q | xyz |\n"
        )
    }

    @Test func `rows of signs are no line below the headings`() {
        expectClean(
            "| - | + |\n| q | x |\n",
            "| -- | + |\n| q  | x |\n",
            "| -   | + |\n| q   | y |\n",
            "| --  | + |\n| q   | y |\n"
        )
        expectConflict("| --- | x |\n", "| ---- | x |\n", "| ---  | y |\n")
    }

    @Test func `rows and columns that moved on one side, with a tick on the other one`() {
        func list(_ rows: (String, String)..., width: Int) -> String {
            rows.map { name, tick in
                func field(_ text: String) -> String {
                    " " + text + String(repeating: " ", count: width - text.count) + " |"
                }
                return "|" + field(name) + field(tick) + "\n"
            }.joined()
        }
        expectConflict(
            list(("Anna", "a"), ("", "no"), ("Bob", "b"), ("", "no"), width: 4),
            list(("Bob", "b"), ("", "no"), ("Anna", "a"), ("", "no"), width: 5),
            list(("Anna", "a"), ("", "yes"), ("Bob", "b"), ("", "no"), width: 6)
        )
        expectConflict(
            list(("A", "B"), ("--------", "--------"), ("no", "no"), width: 8),
            list(("B", "A"), ("---------", "---------"), ("no", "no"), width: 9),
            list(("A", "B"), ("----------", "----------"), ("sure", "no"), width: 10)
        )
    }

    @Test func `what words merge is left to them`() {
        expectClean(
            "| a    | soup |\n| b    | rice |\n",
            "| a | soup |\n| b | rice |\n",
            "| a    | stew |\n| b    | rice |\n",
            "| a | stew |\n| b | rice |\n"
        )
    }
}
