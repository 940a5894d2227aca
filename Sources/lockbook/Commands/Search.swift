import ArgumentParser
import LockbookEngine

struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search names and contents",
        discussion: """
            Shows each matching line as PATH:LINE, as grep does, and the path of each file whose \
            name matches. The query is text as it stands; with --regexp an expression. Contents \
            are decrypted for it and nothing of them is kept; one that is not on this device is \
            named and left out, unless --fetch is given. The status is 0 when something was found, \
            1 when nothing was, 9 when something could not be read. With -v the lines are shown that \
            do not match, and no names, but for --names: those that do not match.

              $ lockbook search -i 'boat' /plans
            """
    )

    @Argument(help: "What to search for.")
    var query: String

    @Argument(help: "Where to search: documents, and folders with all below (default: /).")
    var targets: [String] = []

    @Option(help: "One more place to search in.")
    var path: [String] = []

    @Option(
        help: ArgumentHelp(
            "Search documents changed since then, as 7d, today or 2026-01-31.",
            valueName: "when"
        )
    )
    var since: Moment?

    @Flag(name: [.customShort("e"), .long], help: "The query is a regular expression (PCRE2).")
    var regexp = false

    @Flag(name: .shortAndLong, help: "Capitals and small letters are the same.")
    var ignoreCase = false

    @Flag(name: [.customShort("w"), .long], help: "Only whole words match.")
    var wordRegexp = false

    @Flag(name: [.customShort("v"), .long], help: "Show the lines that do not match.")
    var invertMatch = false

    @Flag(help: "Search names only.")
    var names = false

    @Flag(help: "Search contents only.")
    var contents = false

    @Flag(name: [.customShort("l"), .long], help: "Show only the paths of what matches.")
    var filesWithMatches = false

    @Flag(name: .shortAndLong, help: "Show only how many lines match, per document.")
    var count = false

    @Flag(name: [.customShort("o"), .long], help: "Show only the parts of lines that match.")
    var onlyMatching = false

    @Flag(name: [.customShort("n"), .long], help: "Show the number of each line.")
    var lineNumber = false

    @Option(
        name: [.customShort("A", allowingJoined: true), .long],
        // One below nothing is told with those that may be, and is no option.
        parsing: .unconditional,
        help: ArgumentHelp("Show so many lines behind each match.", valueName: "lines")
    )
    var afterContext: Int?

    @Option(
        name: [.customShort("B", allowingJoined: true), .long],
        parsing: .unconditional,
        help: ArgumentHelp("Show so many lines in front of each match.", valueName: "lines")
    )
    var beforeContext: Int?

    @Option(
        name: [.customShort("C", allowingJoined: true), .long],
        parsing: .unconditional,
        help: ArgumentHelp("Show so many lines around each match.", valueName: "lines")
    )
    var context: Int?

    @Flag(name: .shortAndLong, help: "Show nothing, and stop at the first match.")
    var quiet = false

    @Flag(help: "Fetch contents that are not on this device.")
    var fetch = false

    @Flag(help: "Show everything as JSON.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with NUL.")
    var null = false

    func validate() throws {
        let forms = [json, filesWithMatches, count, quiet].filter(\.self).count
        guard forms < 2 else {
            throw ValidationError(
                "--json, --files-with-matches, --count and --quiet exclude each other"
            )
        }
        guard !(json && null) else { throw ValidationError("--json and --null exclude each other") }
        guard !(names && contents) else {
            throw ValidationError("--names and --contents exclude each other; both is the default")
        }
        guard !(names && count) else {
            throw ValidationError("--names and --count exclude each other: lines are counted")
        }
        guard around.allSatisfy({ (0...1_000_000).contains($0) }) else {
            throw ValidationError("the lines around a match are 0 to 1000000")
        }
        guard around.isEmpty || !json else {
            throw ValidationError("--json shows the lines that match, none around them")
        }
        if onlyMatching { try validateParts() }
    }

    private func validateParts() throws {
        guard !invertMatch else {
            throw ValidationError(
                "--only-matching and --invert-match exclude each other: what does not match has no parts"
            )
        }
        guard !(filesWithMatches || count || quiet) else {
            throw ValidationError(
                "--only-matching shows parts of lines; --files-with-matches, --count and --quiet show none"
            )
        }
        guard !names else {
            throw ValidationError(
                "--names and --only-matching exclude each other: parts of lines are shown"
            )
        }
        guard around.isEmpty else {
            throw ValidationError("--only-matching shows parts of lines, and no lines around them")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        lockbook.askUntilOffline()
        let places = (targets + path).map(FileReference.init)
        let query = engineQuery
        let form = form
        let line = fetch ? ProgressLine(waitingFor: { lockbook.awaited }) : nil
        defer { line?.clear() }
        let status = try waiting(line) {
            var printer = SearchPrinter(
                form,
                setsApart: !around.isEmpty,
                inParts: onlyMatching,
                fetches: fetch,
                words: [self.query] + targets
            )
            do {
                try await lockbook.search(query, in: places.isEmpty ? [.path("/")] : places) {
                    line?.clear()
                    try printer.show($0)
                }
            } catch is SearchPrinter.Enough {
                return nil as CommandError?
            } catch {
                // Why the search ended is what is told, also where nobody takes what was found.
                try? printer.close()
                throw error
            }
            return try printer.finish()
        }
        if let status { throw status }
    }

    /// The numbers of lines around a match that were asked for, be they 0.
    private var around: [Int] { [afterContext, beforeContext, context].compactMap(\.self) }

    private var engineQuery: SearchQuery {
        var query = SearchQuery(self.query)
        query.isExpression = regexp
        query.ignoresCase = ignoreCase
        query.isWord = wordRegexp
        query.since = since?.milliseconds
        query.isInverted = invertMatch
        // Every name but a few would be shown between the lines, or a name of which no part is.
        query.inNames = names || !(contents || count || invertMatch || onlyMatching)
        query.inContents = !names
        query.detail = filesWithMatches || quiet ? .presence : count ? .count : .lines
        query.linesBefore = beforeContext ?? context ?? 0
        query.linesAfter = afterContext ?? context ?? 0
        query.fetches = fetch
        return query
    }

    private var form: SearchPrinter.Form {
        if json { return .json }
        if quiet { return .nothing }
        if filesWithMatches { return .paths(null: null) }
        if count { return .counts(null: null) }
        return .lines(numbered: lineNumber, null: null)
    }
}
