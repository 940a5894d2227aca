import Foundation
import Testing

@testable import LockbookEngine

/// A letter is found, or not, however its accents are composed, in contents as in names.
struct SearchAccentTests {
    /// Whether the text is found in contents of any form, and in names, with the case or without: all
    /// have to agree.
    private func found(
        _ needle: String,
        isWord: Bool = false,
        in text: String
    ) throws -> Set<Bool> {
        var query = SearchQuery(needle)
        query.isWord = isWord
        var found = try self.found(query, in: text)
        query.ignoresCase = true
        found.formUnion(try self.found(query, in: text))
        return found
    }

    private func found(_ query: SearchQuery, in text: String) throws -> Set<Bool> {
        let forms = [
            text, text.precomposedStringWithCanonicalMapping,
            text.decomposedStringWithCanonicalMapping,
        ]
        let finder = try LineMatcher(query).finder()
        var found: Set<Bool> = []
        for form in forms {
            let line = try finder.prepared(Array(form.utf8)).withUnsafeBytes {
                try finder.nextLine(in: $0, from: 0)
            }
            found.insert(line != nil)
        }
        found.insert(try LineMatcher.forNames(query).finder().matches(name: text))
        return found
    }

    @Test(
        arguments: [
            ("cafe", "cafe\u{301}", false), ("caf", "cafe\u{301}", true),
            ("cafe", "cafe\u{301} cafe", true), ("caf\u{e9}", "cafe\u{301}", true),
            // Of two accents, also in another order than that of the normal form.
            ("e", "e\u{302}\u{301}", false), ("\u{ea}", "e\u{302}\u{301}", false),
            ("e", "e\u{315}\u{301}", false),
            // There is no such letter in one.
            ("x", "x\u{301}", true),
            // Signs that are no accents, and other scripts.
            ("\u{2764}", "\u{2764}\u{fe0f}", true), ("\u{304b}", "\u{304b}\u{3099}", false),
            ("\u{ac00}", "\u{1100}\u{1161}\u{11a8}", false),
            ("\u{915}", "\u{915}\u{94d}\u{937}", true),
        ]
    )
    func `a text is found however its accents are composed`(
        needle: String,
        text: String,
        isThere: Bool
    ) throws {
        #expect(try found(needle, in: text) == [isThere])
    }

    @Test(
        arguments: [
            ("cafe", "un cafe\u{301}", false), ("clair", "e\u{301}clair", false),
            ("caf\u{e9}", "un cafe\u{301} noir", true), ("noir", "cafe\u{301} noir", true),
            ("x", "x\u{301}", false), ("\u{2764}", "\u{2764}\u{fe0f}", true),
        ]
    )
    func `a word is whole however its accents are composed`(
        needle: String,
        text: String,
        isThere: Bool
    ) throws {
        #expect(try found(needle, isWord: true, in: text) == [isThere])
    }
}
