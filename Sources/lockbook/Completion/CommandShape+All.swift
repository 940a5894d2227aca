extension CommandShape {
    static let root = CommandShape(
        "lockbook",
        abstract: "",
        options: [Option("--version", help: "Show the version."), profile, noInput],
        commands: [
            account, new, edit, list, move, rename, copy, delete, trash, restore, history, diff,
            undo, conflicts,
            jot, today, search, find, tree, recent, tags, links, backlinks, stream, cat, write,
            importFiles,
            export, share, sync, status, config, shell, completions, debug,
            CommandShape(
                "help",
                abstract: "Show subcommand help information.",
                words: [.command],
                many: true
            ),
        ]
    )

    static let help = Option("-h", "--help", help: "Show help information.")

    static let json = "Show everything as JSON."
    private static let append = Option("-a", "--append", help: "Add to the end of what is there.")

    private static let new = CommandShape(
        "new",
        abstract: "Make documents and folders",
        options: [
            Option("--template", help: "The template that documents begin with.", value: .template)
        ],
        words: [.folder],
        many: true
    )
    private static let edit = CommandShape(
        "edit",
        abstract: "Edit a document",
        options: [
            Option("--last", help: "Edit the document that was changed last."),
            Option("--rescue", help: "Store the texts of editings that were cut off."),
            Option("--discard", help: "Throw away what is left of editings that were cut off."),
            Option("-f", "--force", help: "Do not ask, with --discard."),
            Option("--editor", help: "The editor's command line.", value: .nothing),
        ],
        words: [.path]
    )
    private static let list = CommandShape(
        "list",
        "ls",
        abstract: "List files",
        options: [
            Option("-l", "--long", help: "Show ids, types, sizes, times and marks."),
            Option("-r", "--recursive", help: "List what is in the folders below, too."),
            Option("-t", "--time", help: "Show the newest first."),
            Option("-a", "--all", help: "Show names that begin with a dot, as is always done."),
            Option("--documents", help: "List documents only, and no folders."),
            Option("--json", help: json),
            Option("-0", "--null", help: "End each path with NUL."),
        ],
        words: [.path],
        many: true
    )
    private static let move = CommandShape(
        "move",
        "mv",
        abstract: "Move files",
        words: [.path],
        many: true
    )
    private static let rename = CommandShape(
        "rename",
        abstract: "Give a file another name",
        words: [.path, .name]
    )
    private static let copy = CommandShape(
        "copy",
        "cp",
        abstract: "Copy files",
        words: [.path],
        many: true
    )
    private static let delete = CommandShape(
        "delete",
        "rm",
        abstract: "Delete files",
        options: [
            Option("-f", "--force", help: "Do not ask, and do not mind what is not there."),
            Option("-r", "--recursive", help: "Do not ask before a folder goes."),
            Option("--permanent", help: "Purge them: nothing brings them back."),
        ],
        words: [.path],
        many: true
    )

    private static let stream = CommandShape(
        "stream",
        abstract: "Pass contents through pipes",
        commands: [
            CommandShape(
                "in",
                abstract: "Store standard input in a document",
                options: [append],
                words: [.path]
            ),
            CommandShape(
                "out",
                abstract: "Print documents to standard output",
                options: [version],
                words: [.path],
                many: true
            ),
        ]
    )
    private static let cat = CommandShape(
        "cat",
        abstract: "Print documents to standard output (stream out)",
        options: [version],
        words: [.path],
        many: true
    )
    private static let write = CommandShape(
        "write",
        abstract: "Store standard input in a document (stream in)",
        options: [append],
        words: [.path]
    )
    private static let sync = CommandShape(
        "sync",
        abstract: "Exchange changes with the server",
        options: [
            Option("--full", help: "Bring every content to this device, however large."),
            Option(
                "-q",
                "--quiet",
                help: "Tell only what was decided and what failed, on standard error."
            ),
            Option("--json", help: "Show what was done as JSON."),
            Option("-n", "--dry-run", help: "Show what a sync would do, and do nothing of it."),
            Option("--accept-deletions", help: "Go on although much would be deleted or replaced."),
            Option(
                "--accept-rollback",
                help: "Follow a server that was restored from a backup: push again what it lost."
            ),
            Option("-f", "--force", help: "Do not ask, with --accept-rollback."),
        ]
    )
    private static let status = CommandShape(
        "status",
        abstract: "Show what was not synced yet",
        options: [
            Option("--porcelain", help: "Show one plain line per change, for scripts."),
            Option("--json", help: json),
        ]
    )
    private static let completions = CommandShape(
        "completions",
        abstract: "Print the completions for a shell",
        words: [.oneOf(["bash", "zsh", "fish"])]
    )
    private static let debug = CommandShape(
        "debug",
        abstract: "Look inside",
        commands: [
            CommandShape(
                "info",
                abstract: "Show everything that is known about a file",
                words: [.path]
            ),
            CommandShape("whoami", abstract: "Print the username"),
            CommandShape("whereami", abstract: "Print the server and the data directory"),
            CommandShape(
                "validate",
                abstract: "Check that all is as it must be",
                options: [
                    Option("--repair", help: "Fetch what is damaged or missing from the server."),
                    Option("--json", help: "Show what was found as JSON."),
                ]
            ),
        ]
    )
}
