import Testing

@testable import LockbookModel

/// What is found again in calendars and contacts, up to the limits of reading them.
struct ComponentCheckTests {
    private func repeated(_ text: String) -> [String: Int]? {
        ComponentCheck.repeatedProperties(in: Array(text.utf8)).map { found in
            Dictionary(
                uniqueKeysWithValues: found.map { (String(decoding: $0, as: UTF8.self), $1) }
            )
        }
    }

    private func component(_ name: String, _ lines: String...) -> String {
        "BEGIN:\(name)\n" + lines.map { $0 + "\n" }.joined() + "END:\(name)\n"
    }

    @Test func `a name of a property has 256 bytes at the most`() {
        for (count, isRead) in [(255, true), (256, true), (257, false)] {
            let name = String(repeating: "X", count: count)
            for end in [":a", ";P=1:a"] {
                let found = repeated(component("VEVENT", name + end))
                #expect((found != nil) == isRead, "\(count)")
            }
        }
        #expect(repeated(component("VEVENT", "X" + String(repeating: "x", count: 256))) == nil)
    }

    @Test func `components may be 32 deep`() {
        for (depth, isRead) in [(31, true), (32, true), (33, false)] {
            let text =
                String(repeating: "BEGIN:X\n", count: depth)
                + String(repeating: "END:X\n", count: depth)
            #expect((repeated(text) != nil) == isRead, "\(depth)")
        }
    }

    @Test func `of the name of a component 64 bytes are compared`() {
        let name = String(repeating: "N", count: 63)
        #expect(repeated("BEGIN:\(name)A\nEND:\(name)B\n") == nil)
        #expect(repeated("BEGIN:\(name)AC\nEND:\(name)AD\n") == [:])
        #expect(repeated("BEGIN:\(name)A\nEND:\(name)A \r\n") == [:])
        #expect(repeated("BEGIN:\(name)A\nEND:\(name)AB\n") == [:])
    }

    @Test func `alternatives are told in the first 1024 bytes of the parameters`() {
        func card(_ count: Int) -> String {
            let filled = ";X=" + String(repeating: "x", count: count - 3 - 7)
            let line = "N" + filled + ";ALTID="
            return component("VCARD", line + "1:a", line + "2:b")
        }
        #expect(repeated(card(1_023)) == [:])
        #expect(repeated(card(1_024)) == [:])
        #expect(repeated(card(1_025)) == ["N": 1])
        #expect(repeated(component("VCARD", "N;X=1:;ALTID=1", "N;X=1:;ALTID=2")) == ["N": 1])
        #expect(repeated(component("VCARD", "N:;ALTID=1", "N:;ALTID=2")) == ["N": 1])
    }

    @Test func `what a component may have once is told by what it is`() {
        let tables: [(String, String, Bool)] = [
            ("VEVENT", "SUMMARY", true), ("VTODO", "DUE", true), ("VALARM", "TRIGGER", true),
            ("VEVENT", "DESCRIPTION", true), ("VTODO", "DESCRIPTION", true),
            ("VALARM", "DESCRIPTION", true), ("VJOURNAL", "DESCRIPTION", false),
            ("VCALENDAR", "DESCRIPTION", false), ("VEVENT", "ATTENDEE", false),
            ("VCARD", "N", true), ("VCARD", "item1.N", true), ("VCARD", "SUMMARY", false),
            ("VEVENT", "N", false), ("VCARD", "REV", true), ("vcard", "bday", true),
        ]
        for (name, property, isOnce) in tables {
            let text = component(name, property + ":a", property + ";P=1:b", property + ":c")
            let key = property.split(separator: ".").last.map { $0.uppercased() } ?? ""
            #expect(repeated(text) == (isOnce ? [key: 2] : [:]), "\(name) \(property)")
        }
    }

    @Test func `what stands in none, or is none, is not read`() {
        let texts: [(String, Bool)] = [
            ("", true), ("\n\n", true), ("X:a\n", true), ("UID:a\nUID:a\n", true), ("X\n", false),
            (" more\n", true), ("END:VEVENT\n", false), ("BEGIN:VEVENT\n", false),
            ("BEGIN:A\nBEGIN:B\nEND:A\nEND:B\n", false), ("BEGIN:A\nEND:A", true),
            (component("A", "\tmore", " X"), true), (component("A", "-"), false),
        ]
        for (text, isRead) in texts {
            #expect((repeated(text) != nil) == isRead, "\(text.debugDescription)")
        }
    }

    @Test func `one event twice is told by its lines that name it`() {
        func twice(_ one: String, _ other: String, in name: String = "VEVENT") -> Int? {
            let texts = [one, other].map { "BEGIN:\(name)\n\($0)\nEND:\(name)\n" }
            return repeated(texts.joined())?.values.reduce(0, +)
        }
        #expect(twice("UID:a", "UID:a") == 1)
        #expect(twice("UID:a", "UID:b") == 0)
        #expect(twice("UID:a", "UID:a", in: "VALARM") == 0)
        for name in ["VTODO", "VJOURNAL", "VCARD"] {
            #expect(twice("UID:a", "UID:a", in: name) == 1)
        }
        #expect(twice("UID:a\n b", "UID:ab") == 1)
        #expect(twice("UID:a\n b", "UID:a") == 0)
        #expect(twice("UID:a\nX:1\n b", "UID:a") == 1)
        #expect(twice("UID:a\nRECURRENCE-ID:1", "UID:a") == 0)
        #expect(twice("UID:a\nRECURRENCE-ID:1", "RECURRENCE-ID:1\nUID:a") == 1)
        #expect(twice("UID:a\nRECURRENCE-ID:1", "UID:a\nRECURRENCE-ID:2") == 0)
        #expect(twice("SUMMARY:a", "SUMMARY:a") == 0)
    }
}
