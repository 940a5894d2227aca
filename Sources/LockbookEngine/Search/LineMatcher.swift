import Foundation

/// Finds the lines that a query means.
enum LineMatcher: Sendable {
    case literal(LiteralMatcher)
    case expression(ExpressionMatcher)

    /// - Throws: `.badQuery`.
    init(_ query: SearchQuery) throws {
        guard !query.text.utf8.contains(UInt8(ascii: "\n")) else {
            throw LockbookError.badQuery(
                query: query.text,
                reason: "lines are searched one by one, and it has several"
            )
        }
        guard !query.text.isEmpty else {
            throw LockbookError.badQuery(query: query.text, reason: "it is empty")
        }
        if query.isExpression || query.isWord {
            let forms = query.text.composedForms.map(ExpressionMatcher.quoted)
            self = .expression(
                try ExpressionMatcher(
                    query.isExpression ? query.text : forms.joined(separator: "|"),
                    ignoresCase: query.ignoresCase,
                    isWord: query.isWord
                )
            )
        } else {
            self = .literal(LiteralMatcher(query.text, ignoresCase: query.ignoresCase))
        }
    }

    /// What names are searched with: they are compared in their normal form, so the query has that, too.
    /// - Throws: `.badQuery`.
    static func forNames(_ query: SearchQuery) throws -> LineMatcher {
        var query = query
        query.text = query.text.composed
        return try LineMatcher(query)
    }

    /// For one thread.
    func finder() -> LineFinder {
        switch self {
        case .literal(let matcher): .literal(matcher)
        case .expression(let matcher): .expression(ExpressionMatcher.Search(matcher))
        }
    }
}

/// Finds lines on one thread.
enum LineFinder {
    case literal(LiteralMatcher)
    case expression(ExpressionMatcher.Search)

    /// Makes ready for so much more of a document.
    func expect(_ byteCount: Int) {
        if case .expression(let search) = self { search.expect(byteCount) }
    }

    /// The text as it is searched; positions in it are those of the text itself.
    func prepared(_ text: [UInt8]) -> [UInt8] {
        switch self {
        case .literal(let matcher): matcher.prepared(text)
        case .expression: text
        }
    }

    /// The next line that matches, without its end.
    /// - Parameter start: where a line begins.
    func nextLine(in text: UnsafeRawBufferPointer, from start: Int) throws -> Range<Int>? {
        switch self {
        case .literal(let matcher): matcher.nextLine(in: text, from: start)
        case .expression(let search): try search.nextLine(in: text, from: start)
        }
    }

    /// Where a line matches, counted from its beginning.
    func matches(in text: UnsafeRawBufferPointer, line: Range<Int>) throws -> [Range<Int>] {
        switch self {
        case .literal(let matcher): matcher.matches(in: text, line: line)
        case .expression(let search): try search.matches(in: text, line: line)
        }
    }

    func matches(name: String) throws -> Bool {
        try prepared(Array(name.composed.utf8)).withUnsafeBytes {
            try nextLine(in: $0, from: 0) != nil
        }
    }
}

extension String {
    /// Unicode's normal form (NFC), in which names are compared.
    var composed: String {
        // Nearly every path is ASCII, which is its own normal form.
        utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
    }

    /// The text as it is and in Unicode's two normal forms (NFC and NFD), each that has other bytes
    /// once: contents are searched as they were written.
    var composedForms: [String] {
        var forms = [self]
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return forms }
        for form in [precomposedStringWithCanonicalMapping, decomposedStringWithCanonicalMapping] {
            // `String` calls texts equal that differ in nothing else.
            let isKnown = forms.contains { $0.utf8.elementsEqual(form.utf8) }
            if !isKnown { forms.append(form) }
        }
        return forms
    }
}
