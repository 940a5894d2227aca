import Testing

@testable import LockbookModel

/// Calendars and contacts in which both sides added a property at two places.
struct TextMergeComponentTests {
    /// Merges both ways round; nil where both copies are kept.
    private func expect(
        _ fileExtension: String,
        _ base: String,
        _ one: String,
        _ other: String,
        _ taken: String?
    ) {
        let merge = taken.map(Merged.clean) ?? .notText
        #expect(merged(base, one, other, fileExtension: fileExtension) == merge)
        #expect(merged(base, other, one, fileExtension: fileExtension) == merge)
    }

    @Test func `a property that an event may have once keeps both copies when added twice`() {
        func event(_ first: String, _ second: String, _ name: String = "VEVENT") -> String {
            "BEGIN:VCALENDAR\r\nBEGIN:\(name)\r\nUID:1\r\n\(first)SUMMARY:x\r\nSTATUS:y\r\n"
                + "\(second)END:\(name)\r\nEND:VCALENDAR\r\n"
        }
        for (first, second, name, isTaken) in [
            ("RRULE:FREQ=DAILY\r\n", "rrule:FREQ=WEEKLY\r\n", "VEVENT", false),
            ("LOCATION;LANGUAGE=de:a\r\n", "LOCATION:b\r\n", "VTODO", false),
            ("DESCRIPTION:a\r\n b\r\n", "DESCRIPTION:c\r\n", "VEVENT", false),
            ("DESCRIPTION:a\r\n", "DESCRIPTION:c\r\n", "VJOURNAL", true),
            ("ATTENDEE:a\r\n", "ATTENDEE:b\r\n", "VEVENT", true),
            ("X-A:a\r\n", "X-A:b\r\n", "VEVENT", true),
            ("GEO:1;2\r\n", "URL:b\r\n", "VEVENT", true),
        ] {
            expect(
                "ics",
                event("", "", name),
                event(first, "", name),
                event("", second, name),
                isTaken ? event(first, second, name) : nil
            )
        }
        let (one, other) = (event("", ""), event("RRULE:FREQ=DAILY\r\n", ""))
        // Of two events each has its own.
        expect("ics", one + one, other + one, one + other, other + other)
    }

    @Test func `a property that a contact may have once keeps both copies when added twice`() {
        func card(_ first: String, _ second: String) -> String {
            "BEGIN:VCARD\nVERSION:4.0\n\(first)FN:x\nORG:y\n\(second)END:VCARD\n"
        }
        for (first, second, isTaken) in [
            ("BDAY:1\n", "item1.BDAY:2\n", false), ("TEL:1\n", "TEL:2\n", true),
            ("URL:a\n", "URL:b\n", true), ("N;ALTID=1:a\n", "N;altid=1;LANGUAGE=jp:b\n", true),
        ] {
            expect(
                "vcf",
                card("", ""),
                card(first, ""),
                card("", second),
                isTaken ? card(first, second) : nil
            )
        }
    }

    @Test func `one event that both sides added keeps both copies`() {
        func event(_ id: String, _ start: String) -> String {
            "BEGIN:VEVENT\r\nUID:\(id)\r\nDTSTART:\(start)\r\nEND:VEVENT\r\n"
        }
        func calendar(_ events: String...) -> String {
            "BEGIN:VCALENDAR\r\n" + events.joined() + "END:VCALENDAR\r\n"
        }
        let (a, b) = (event("a", "1"), event("b", "2"))
        let (here, there) = (event("c\r\n d", "3"), event("c\r\n d", "4"))
        let other = event("c\r\n e", "4")
        let third = event("c\r\n d\r\nRECURRENCE-ID:5", "6")
        let base = calendar(a, b)
        expect("ics", base, calendar(here, a, b), calendar(a, b, there), nil)
        expect("ics", base, calendar(a, b, here), calendar(a, b, there), nil)
        for more in [other, third] {
            let both = calendar(here, a, b, more)
            expect("ics", base, calendar(here, a, b), calendar(a, b, more), both)
        }
    }

    /// Its event, with what its other lines say.
    private func event(_ id: String, _ lines: String...) -> String {
        "BEGIN:VEVENT\nUID:\(id)\n" + lines.map { $0 + "\n" }.joined() + "END:VEVENT\n"
    }

    private func calendar(_ events: String...) -> String {
        "BEGIN:VCALENDAR\n" + events.joined() + "END:VCALENDAR\n"
    }

    @Test func `an event gets nothing that was written in the one whose place it took`() {
        let (status, length) = ("STATUS:TENTATIVE", "DURATION:PT1H")
        let old = event("a", "SUMMARY:x", status, "PRIORITY:2", length)
        let new = event("b", "SUMMARY:x", status, "PRIORITY:1", length)
        let done = event("a", "SUMMARY:x", "STATUS:CONFIRMED", "PRIORITY:2", length)
        expect("ics", calendar(old), calendar(new), calendar(done), nil)
        // Who changed nothing in it has the other one in its place.
        let more = event("c", "SUMMARY:y")
        expect(
            "ics",
            calendar(old, event("d")),
            calendar(new, event("d")),
            calendar(old, event("d"), more),
            calendar(new, event("d"), more)
        )
    }

    @Test func `of an event that both sides changed each field is as who changed it has it`() {
        func isKept(_ merged: String, _ base: String, _ one: String, _ other: String) -> Bool {
            let texts = [merged, base, one, other].map { Array(calendar($0).utf8) }
            return ComponentCheck.keepsRecords(
                texts[0],
                of: texts[1],
                from: texts[2],
                and: texts[3]
            )
        }
        let alarm = "BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM"
        let base = event("a", "SUMMARY:x", "STATUS:TENTATIVE", "CATEGORIES:y", alarm)
        let one = base.replacing("SUMMARY:x", with: "SUMMARY:new\n er")
        let other = base.replacing("TENTATIVE", with: "CONFIRMED").replacing("5M", with: "9M")
        let both = other.replacing("SUMMARY:x", with: "SUMMARY:new\n er")
        #expect(isKept(both, base, one, other))
        #expect(!isKept(one, base, one, other) && !isKept(other, base, one, other))
        #expect(!isKept(both.replacing("9M", with: "5M"), base, one, other))
        #expect(!isKept(both.replacing("CATEGORIES:y", with: "CATEGORIES:x"), base, one, other))
        #expect(!isKept(both.replacing("\n er", with: ""), base, one, other))
        // Of what both changed it is only looked at whether it is there.
        let (here, there) = ("SUMMARY:x, here", "SUMMARY:there, x")
        let mine = one.replacing("SUMMARY:new\n er", with: here)
        let theirs = base.replacing("SUMMARY:x", with: there)
        #expect(isKept(base.replacing("SUMMARY:x", with: "SUMMARY:z"), base, mine, theirs))
        #expect(!isKept(base.replacing("SUMMARY:x\n", with: ""), base, mine, theirs))
    }

    @Test func `of an event that both sides changed each line of one name is kept or goes`() {
        func isKept(_ merged: String, _ base: String, _ one: String, _ other: String) -> Bool {
            let texts = [merged, base, one, other].map { names in
                let event = event("a").replacing(
                    "END:",
                    with: names.map { "ATTENDEE:\($0)\n" }.joined() + "END:"
                )
                return Array(calendar(event).utf8)
            }
            return ComponentCheck.keepsRecords(
                texts[0],
                of: texts[1],
                from: texts[2],
                and: texts[3]
            )
        }
        #expect(isKept("xbc", "ab", "xb", "abc") && isKept("b", "abc", "bc", "ab"))
        #expect(!isKept("abc", "ab", "xb", "abc") && !isKept("xb", "ab", "xb", "abc"))
        #expect(!isKept("abd", "ab", "axb", "abc"))
        // As long as there are as many, each is a version of the one in its place.
        #expect(isKept("xy", "ab", "xb", "ay") && !isKept("xb", "ab", "xb", "ay"))
        #expect(isKept("zb", "ab", "xb", "yb") && !isKept("zx", "ab", "xb", "yb"))
    }

    @Test func `a date of a series is one, in whichever order its lines stand`() {
        let base = calendar(event("a"), event("b"))
        let here = event("c", "RECURRENCE-ID:5", "SUMMARY:x")
        let there = here.replacing("UID:c\nRECURRENCE-ID:5", with: "RECURRENCE-ID:5\nUID:c")
            .replacing("SUMMARY:x", with: "SUMMARY:y")
        #expect(there != here)
        let one = calendar(here, event("a"), event("b"))
        let other = calendar(event("a"), event("b"), there)
        expect("ics", base, one, other, nil)
    }

    @Test func `a property goes on in lines that begin with a space or a tab`() {
        for blank in [" ", "\t"] {
            let base = event("a", "SUMMARY:x\n\(blank)er", "STATUS:TENTATIVE")
            let one = base.replacing("x\n\(blank)er", with: "x\n\(blank)or")
            let other = base.replacing("SUMMARY:x", with: "COMMENT:x")
            // Of the part of a property nobody can say what it is of.
            expect("ics", calendar(base), calendar(one), calendar(other), nil)
            let texts = [other, base, one, other].map { Array(calendar($0).utf8) }
            #expect(
                !ComponentCheck.keepsRecords(texts[0], of: texts[1], from: texts[2], and: texts[3])
            )
        }
    }

    @Test func `contacts and calendars have an end`() {
        func repeated(_ text: String) -> [[UInt8]: Int]? {
            ComponentCheck.repeatedProperties(in: Array(text.utf8))
        }
        #expect(repeated("BEGIN:VCARD\r\nN:a\r\nN:b\r\n N:c\r\nEND:vcard\r\n") == [[0x4E]: 1])
        #expect(repeated("BEGIN:VEVENT\nBEGIN:VALARM\nUID:1\nEND:VALARM\nUID:1\nEND:VEVENT") == [:])
        // The same in several languages is one, whatever else is said of it.
        let names = "BEGIN:VCARD\nN;X=9;ALTID=1:a\nN;X=9;ALTID=1:b\nEND:VCARD\n"
        #expect(repeated(names) == [:])
        #expect(repeated(names.replacing("ALTID", with: "OTHER")) == [[0x4E]: 1])
        #expect(repeated(names.replacing(";ALTID=1:", with: ":ALTID")) == [[0x4E]: 1])
        for text in ["BEGIN:VCARD", "END:VCARD", "BEGIN:A\nBEGIN:B\nEND:A\nEND:B", "N", "N=a\n="] {
            #expect(repeated(text) == nil, "\(text)")
        }
    }
}
