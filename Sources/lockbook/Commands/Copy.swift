import ArgumentParser
import LockbookEngine

struct Copy: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy files",
        usage: "lockbook copy <source> ... <destination>",
        discussion: """
            Folders are copied whole; into the destination when it is a folder, as `cp -r` does. \
            All are copied or none.
            """,
        aliases: ["cp"]
    )

    @Argument(
        help: ArgumentHelp(
            "The files, then where the copies go.",
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
        try files.fetch(with: lockbook)
        _ = try lockbook.copy(files, to: destination)
    }
}
