import ArgumentParser
import LockbookEngine

struct Move: ParsableCommand, ChangingNotes {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move files",
        usage: "lockbook move <source> ... <destination>",
        discussion: """
            Into the destination when it is a folder; else the one source moves and takes the \
            destination's name, as `mv` does. All are moved or none.

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
        guard let (sources, destination) = paths.sourcesAndDestination() else { return }
        _ = try Lockbook.open().move(sources.map(FileReference.init), to: destination)
    }
}
