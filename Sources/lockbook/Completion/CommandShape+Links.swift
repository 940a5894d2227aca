/// Commands about what notes say of themselves and of each other.
extension CommandShape {
    private static let found = [
        Option("--json", help: json),
        Option("-0", "--null", help: "End each path with NUL."),
    ]

    static let tags = CommandShape(
        "tags",
        abstract: "List tags, or the documents that have one",
        options: found,
        words: [.tag]
    )
    static let links = CommandShape(
        "links",
        abstract: "List what a document links to",
        options: [
            Option("--json", help: "Show every link as JSON, also those that lead nowhere."),
            Option("-0", "--null", help: "End each path with NUL."),
        ],
        words: [.path]
    )
    static let backlinks = CommandShape(
        "backlinks",
        abstract: "List the documents that link to a file",
        options: found,
        words: [.path]
    )
}
