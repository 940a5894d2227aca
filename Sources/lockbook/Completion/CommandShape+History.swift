/// Versions of files.
extension CommandShape {
    static let version = Option(
        "--version",
        help: "One of the versions of a document.",
        value: .version
    )
    static let history = CommandShape(
        "history",
        abstract: "Show the versions of a file",
        options: [
            Option("-n", "--number", help: "How many at most.", value: .nothing),
            Option("--json", help: json),
        ],
        words: [.path]
    )
    static let diff = CommandShape(
        "diff",
        abstract: "Show what changed in a document",
        options: [
            Option("--version", help: "A version that `lockbook history` shows.", value: .version)
        ],
        words: [.path, .path]
    )
    static let undo = CommandShape(
        "undo",
        abstract: "Take back the last command that changed something",
        options: [
            Option("--list", help: "Show the commands that are remembered, the newest first."),
            Option("--json", help: "Show everything as JSON, with --list."),
            Option("-n", "--dry-run", help: "Show what would be done, and do nothing."),
        ],
        words: [.undoable]
    )
    static let conflicts = CommandShape(
        "conflicts",
        abstract: "Show and decide what merges could not",
        commands: [
            CommandShape(
                "list",
                abstract: "Show what merges could not decide",
                options: [
                    Option("--json", help: json),
                    Option("-0", "--null", help: "End each path with NUL."),
                ]
            ),
            CommandShape(
                "resolve",
                abstract: "Decide what a merge could not",
                options: [
                    Option(
                        "--keep",
                        help: "What stays: local, remote or both.",
                        value: .oneOf(["local", "remote", "both"])
                    ),
                    Option("--editor", help: "The editor's command line.", value: .nothing),
                ],
                words: [.conflict]
            ),
        ],
        meansFirst: true
    )
}
