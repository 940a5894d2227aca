/// Versions of files.
extension CommandShape {
    static let version = Option(
        "--version",
        help: "One of the versions of a document.",
        value: .nothing
    )
    static let history = CommandShape(
        "history",
        abstract: "Show the versions of a file",
        options: [
            Option("-n", "--number", help: "How many (default: 100).", value: .nothing),
            Option("--json", help: json),
        ],
        words: [.path]
    )
    static let diff = CommandShape(
        "diff",
        abstract: "Show what changed in a document",
        options: [
            Option("--version", help: "A version that `lockbook history` shows.", value: .nothing)
        ],
        words: [.path]
    )
}
