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
        let columns = lines(
            "| Day | Lunch | Tea |",
            "|-----|-------|-----|",
            "| Mon | soup  | no  |",
            "| Tue | salad | yes |"
        )
        // What the other device only laid out anew has the column.
        let laidOut = Self.base.replacing("Lunch |", with: "Lunch  |")
            .replacing("-------|", with: "--------|").replacing("soup  ", with: "soup   ")
            .replacing("salad |", with: "salad  |")
        expectClean(Self.base, columns, laidOut, columns)
    }
}
