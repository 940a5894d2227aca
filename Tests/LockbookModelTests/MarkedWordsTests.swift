import Testing

@testable import LockbookModel

/// Which signs open and close something, by what was added.
struct MarkedWordsTests {
    private func expect(
        _ texts: [(String, Character?)],
        _ place: SourceLocation = #_sourceLocation,
        kind: (ArraySlice<UInt8>) -> UInt8?
    ) {
        for (text, wanted) in texts {
            let found = kind(Array(text.utf8)[...])
            #expect(found == wanted?.asciiValue, "\(text)", sourceLocation: place)
        }
    }

    @Test func `brackets and tags open by their last sign, and close by their first one`() {
        expect([
            ("(", "("), ("[", "["), ("{", "{"), (")", nil), ("]", nil), ("}", nil), ("a(", "("),
            ("(a", nil), ("![", "["), ("<b>", "<"), ("</b>", nil), (">", nil), ("b>", nil),
            ("<", nil), ("<!--", "!"), ("a <!--", "!"), ("<!-", nil), ("!--", nil), ("-->", nil),
        ]) { MarkedWords.opened(by: $0) }
        expect([
            (")", "("), ("]", "["), ("}", "{"), ("(", nil), ("[", nil), ("{", nil), (")a", "("),
            ("a)", nil), ("](u)", "["), ("</b>", "<"), ("<b>", nil), ("<", nil), (">", nil),
            ("-->", "!"), ("--> a", "!"), ("--", nil), ("->", nil), ("<!--", nil),
        ]) { MarkedWords.closed(by: $0) }
    }

    @Test func `signs that do both open or close where nothing else of them stands there`() {
        for sign in "\"'`*_~=$^" {
            let one = String(sign)
            expect([
                (one, sign), (one + one, sign), ("a" + one, sign), (one + "a", nil),
                (one + "a" + one, nil), ("(" + one, sign), (one + "(", "("),
            ]) { MarkedWords.opened(by: $0) }
            expect([
                (one, sign), (one + one, sign), (one + "a", sign), ("a" + one, nil),
                (one + "a" + one, nil), (one + ")", sign), (")" + one, "("),
            ]) { MarkedWords.closed(by: $0) }
        }
        expect([("_*", "*"), ("#", nil), ("+", nil), ("-", nil), ("a", nil), ("", nil)]) {
            MarkedWords.opened(by: $0)
        }
        expect([("_*", "_"), ("#", nil), ("+", nil), ("-", nil), ("a", nil), ("", nil)]) {
            MarkedWords.closed(by: $0)
        }
    }

    @Test func `quotes of several bytes are of two kinds, and signs that count are two`() {
        let both: [(String, Character?)] = [
            ("„", "\""), ("“", "\""), ("”", "\""), ("«", "\""), ("»", "\""), ("「", "\""),
            ("」", "\""), ("‚", "'"), ("‘", "'"), ("‹", "'"), ("›", "'"), ("『", "'"), ("』", "'"),
            ("„“", nil), ("““", nil), ("‹›", nil), ("…", nil), ("é", nil), ("%%", "%"), ("||", "|"),
            ("%", nil), ("|", nil), ("%|", nil),
        ]
        expect(both) { MarkedWords.opened(by: $0) }
        expect(both) { MarkedWords.closed(by: $0) }
        expect([("a“", "\""), ("“a", nil), ("“‘", "'"), ("a%%", "%"), ("%%a", nil)]) {
            MarkedWords.opened(by: $0)
        }
        expect([("“a", "\""), ("a“", nil), ("“‘", "\""), ("%%a", "%"), ("a%%", nil)]) {
            MarkedWords.closed(by: $0)
        }
    }

    @Test func `an apostrophe opens nothing, and closes where no word goes on`() {
        expect([("’", nil), ("a’", nil)]) { MarkedWords.opened(by: $0) }
        expect([("’", "'"), ("’ ", "'"), ("’_", "'"), ("’é", "'"), ("’s", nil), ("’9", nil)]) {
            MarkedWords.closed(by: $0)
        }
    }

    @Test func `letters are those and the digits of ASCII`() {
        let letters = (UInt8.min ... .max).filter(MarkedWords.isLetter)
        let wanted = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        #expect(letters == Array(wanted.utf8))
    }
}
