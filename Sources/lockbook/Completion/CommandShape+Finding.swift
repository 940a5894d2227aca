/// Commands that find files.
extension CommandShape {
    static let search = CommandShape(
        "search",
        abstract: "Search names and contents",
        options: [
            Option("--path", help: "One more place to search in.", value: .path),
            Option(
                "--since",
                help: "Search documents changed since then, as 7d, today or 2026-01-31.",
                value: .nothing
            ),
            Option("-e", "--regexp", help: "The query is a regular expression (PCRE2)."),
            Option("-i", "--ignore-case", help: "Capitals and small letters are the same."),
            Option("-w", "--word-regexp", help: "Only whole words match."),
            Option("-v", "--invert-match", help: "Show the lines that do not match."),
            Option("--names", help: "Search names only."),
            Option("--contents", help: "Search contents only."),
            Option("-l", "--files-with-matches", help: "Show only the paths of what matches."),
            Option("-c", "--count", help: "Show only how many lines match, per document."),
            Option(
                "-o",
                "--only-matching",
                help: "Show only the parts of lines that match."
            ),
            Option("-n", "--line-number", help: "Show the number of each line."),
            Option(
                "-A",
                "--after-context",
                help: "Show so many lines behind each match.",
                value: .nothing
            ),
            Option(
                "-B",
                "--before-context",
                help: "Show so many lines in front of each match.",
                value: .nothing
            ),
            Option(
                "-C",
                "--context",
                help: "Show so many lines around each match.",
                value: .nothing
            ),
            Option("-q", "--quiet", help: "Show nothing, and stop at the first match."),
            Option("--fetch", help: "Fetch contents that are not on this device."),
            Option("--json", help: json),
            Option("-0", "--null", help: "End each path with NUL."),
        ],
        words: [.query, .path],
        many: true
    )

    static let find = CommandShape(
        "find",
        abstract: "Find files by some letters of their paths",
        options: [
            Option("--documents", help: "Find documents only, and no folders."),
            Option("--json", help: json),
            Option("-0", "--null", help: "End each path with NUL."),
        ],
        words: [.query],
        many: true
    )
    static let recent = CommandShape(
        "recent",
        abstract: "List the documents that were changed last",
        options: [
            Option("-n", "--number", help: "How many at most.", value: .nothing),
            Option(
                "--since",
                help: "All since then, as 7d, 12h, today, yesterday or 2026-01-31.",
                value: .nothing
            ),
            Option("--json", help: json),
            Option("-0", "--null", help: "End each path with NUL."),
        ]
    )
    static let tree = CommandShape(
        "tree",
        abstract: "Draw folders with everything in them",
        options: [
            Option("-d", "--folders", help: "Draw folders only."),
            Option("-L", "--level", help: "Draw only so many levels.", value: .nothing),
        ],
        words: [.folder]
    )
}
