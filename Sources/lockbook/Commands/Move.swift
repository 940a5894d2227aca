import ArgumentParser
import LockbookEngine

struct Move: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move files",
        usage: "lockbook move <source> ... <destination>",
        discussion: """
            Into the destination when it is a folder; else the one source moves and takes the \
            destination's name, as `mv` does. All are moved or none.

            From one account's files to another one's, and out of a share by who is a member of it, what \
            is moved is made anew, and the original goes to the trash, with its history.

              $ lockbook move /inbox/a.md /inbox/b.md /notes
            """,
        aliases: ["mv"]
    )

    @Argument(
        help: ArgumentHelp(
            "The files, then where they go.",
            // Two things, which are one list to the parser.
            valueName: "source> ... <destination"
        )
    )
    var paths: [String]

    func validate() throws {
        guard paths.count > 1 else { throw ValidationError("Missing expected destination") }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        guard let (files, destination) = paths.filesAndDestination() else { return }
        let moved: [MovedFile]
        do {
            moved = try lockbook.move(files, to: destination)
        } catch LockbookError.contentNotHere {
            // What is made anew elsewhere has to be here whole.
            try files.fetch(with: lockbook)
            moved = try lockbook.move(files, to: destination)
        }
        for folder in moved {
            Terminal.notice(
                deleted: folder.exposed,
                in: folder.file.path,
                readBy: "whom it is shared with now"
            )
        }
    }
}
