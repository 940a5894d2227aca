/// What was deleted.
extension CommandShape {
    static let trash = CommandShape(
        "trash",
        abstract: "Show, bring back or purge what was deleted",
        commands: [
            CommandShape(
                "list",
                abstract: "Show what was deleted",
                options: [
                    Option("-l", "--long", help: "Show ids, types, sizes, times and counts."),
                    Option("-r", "--recursive", help: "Show what is in deleted folders, too."),
                    Option("--json", help: json),
                    Option("-0", "--null", help: "End each path with NUL."),
                ]
            ),
            CommandShape(
                "restore",
                abstract: "Bring back what was deleted (restore)",
                options: [Option("--json", help: "Show what was restored as JSON."), version],
                words: [.trashed],
                many: true
            ),
            CommandShape(
                "empty",
                abstract: "Purge what was deleted",
                options: [Option("-f", "--force", help: "Do not ask.")],
                words: [.purged],
                many: true
            ),
        ],
        meansFirst: true
    )
    static let restore = CommandShape(
        "restore",
        abstract: "Bring back what was deleted",
        options: [Option("--json", help: "Show what was restored as JSON."), version],
        words: [.trashed],
        many: true
    )
}
