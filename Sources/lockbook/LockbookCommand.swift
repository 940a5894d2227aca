import ArgumentParser
import LockbookEngine
import LockbookProcess

/// The root of all commands.
struct LockbookCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockbook",
        abstract: "Keep notes encrypted, on every device",
        discussion: """
            A TARGET is a path such as /notes/a.md (the first slash may be left out), or `id:` and \
            the beginning of an id. The notes are on this device and need no network; `sync` \
            exchanges them with a server that can read nothing.

            To begin: `lockbook account new NAME`, or `lockbook account import` on a second device.
            """,
        version: "lockbook \(Version.current)",
        groupedSubcommands: [
            CommandGroup(name: "Accounts", subcommands: [Account.self]),
            CommandGroup(
                name: "Files",
                subcommands: [
                    New.self, Edit.self, List.self, Move.self, Rename.self, Copy.self, Delete.self,
                    Trash.self, Restore.self,
                ]
            ),
            CommandGroup(
                name: "History",
                subcommands: [History.self, Diff.self, Undo.self, Conflicts.self]
            ),
            CommandGroup(name: "Every day", subcommands: [Jot.self, Today.self]),
            CommandGroup(
                name: "Finding",
                subcommands: [
                    Search.self, Find.self, Tree.self, Recent.self, Tags.self, Links.self,
                    Backlinks.self,
                ]
            ),
            CommandGroup(
                name: "Contents",
                subcommands: [Stream.self, Cat.self, Write.self, Import.self, Export.self]
            ),
            CommandGroup(name: "People", subcommands: [Share.self]),
            CommandGroup(name: "Devices", subcommands: [Sync.self, ShowStatus.self]),
            CommandGroup(
                name: "Program",
                subcommands: [Config.self, Shell.self, Completions.self, Debug.self]
            ),
        ]
    )

    // Read before anything is parsed, since it decides which files there are.
    @Option(help: ArgumentHelp("The profile of the configuration file.", valueName: "name"))
    var profile: String?

    // As the profile.
    @Flag(help: "Ask nothing, as if there was no terminal.")
    var noInput = false

    func validate() throws {
        // Behind the command they would be read too late to decide anything.
        guard profile == nil, !noInput else {
            throw ValidationError("--profile and --no-input stand in front of the command")
        }
    }

    func run() throws {
        let lockbook: Lockbook
        do {
            lockbook = try Lockbook.open()
        } catch LockbookError.noAccount {
            return try Terminal.show(lines: Self.welcome(Profile.program))
        }
        try PathOutput.show(lockbook.status(unread:)) { status in
            try Terminal.show(sentences: StatusText(status).lines)
            try Terminal.show(lines: Self.next(Profile.program))
        }
    }

    private static func welcome(_ program: String) -> [String] {
        [
            "Lockbook keeps notes encrypted, on every device. There is no account here yet.",
            "",
            "  \(program) account new NAME    makes one; it works without a network",
            "  \(program) account import      brings yours here, with its key or its 24 words",
            "  \(program) --help              shows all commands",
        ]
    }

    private static func next(_ program: String) -> [String] {
        [
            "",
            "  \(program) edit /note.md       writes a note",
            "  \(program) import FOLDER /     takes files in",
            "  \(program) list                shows what is there",
            "  \(program) sync                exchanges changes with the server",
            "  \(program) --help              shows all commands",
        ]
    }
}
