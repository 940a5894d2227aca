/// What is searched for, and how much is to be told of what is found.
public struct SearchQuery: Sendable, Equatable {
    public enum Detail: Sendable {
        /// Every matching line, with the lines around it that are wanted.
        case lines
        /// How many lines of a document match.
        case count
        /// Whether a file matches at all, by its name or its content.
        case presence
    }

    /// One line of text, or a regular expression in the syntax of PCRE2.
    public var text: String
    public var isExpression = false
    public var ignoresCase = false
    /// Whether no letter, digit or underscore may stand before or behind what matches.
    public var isWord = false
    /// Whether what does not match is looked for: lines, and names.
    public var isInverted = false
    /// Whether a file's own name counts; those of the folders above it never do.
    public var inNames = true
    public var inContents = true
    /// Where set, only documents are searched that were changed then or later, in milliseconds since 1970.
    public var since: Int64?
    public var detail = Detail.lines
    /// How many lines around a matching one are told as well.
    public var linesBefore = 0
    public var linesAfter = 0
    /// Whether contents that are on the server alone are brought here.
    public var fetches = false

    public init(_ text: String) { self.text = text }
}

/// What a search came upon, in the order of paths.
public enum SearchEvent: Sendable, Equatable {
    /// The file's own name matches.
    case name(SearchedFile)
    /// Matching lines of a document with those around them; a large document has several of these.
    case lines(SearchedFile, [SearchLine])
    /// A document that is no text matches.
    case binary(SearchedFile)
    /// The end of a document in which this many lines match, at least one.
    case matched(SearchedFile, lines: Int)
    /// What a document holds is not known: it is not here, is damaged, cannot be read, or takes an
    /// expression too many steps.
    case unreadable(path: String, LockbookError)
    /// There is nothing to search in where the caller said.
    case noTarget(LockbookError)
}

/// A file in which something was found.
public struct SearchedFile: Sendable, Equatable {
    /// 32 hexadecimal digits.
    public var id: String
    /// From the root, with a leading `/`; folders without a trailing one.
    public var path: String
    public var type: FileInfo.Kind
}

/// A line of a document.
public struct SearchLine: Sendable, Equatable {
    /// Counted from 1.
    public var number: Int
    /// Without the line's end; as they are in the document, which may be no UTF-8.
    public var bytes: [UInt8]
    /// Where in `bytes` it matches, one place behind the other; an expression that matches nothing
    /// at all has none, nor has a line that was looked for because it does not match.
    public var matches: [Range<Int>]
    /// Whether it only stands near a line that matches.
    public var isContext: Bool
}
