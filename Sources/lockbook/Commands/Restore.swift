import ArgumentParser
import LockbookEngine

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring back what was deleted",
        discussion: """
            A folder comes back with what was deleted with it, and without what was deleted before. \
            When its folder is gone, a file comes back in the nearest one above that is there; when \
            its name is taken, with a number. The paths where they are now are shown. All are \
            restored or none.
            """
    )

    @OptionGroup var restoring: Restoring

    func run() throws { try restoring.run() }
}

/// What `restore` and `trash restore` share.
struct Restoring: ParsableArguments {
    @Argument(help: "Paths where deleted files stood, or ids.")
    var targets: [String]

    @Flag(help: "Show what was restored as JSON.")
    var json = false

    func run() throws {
        let files = try Lockbook.open().restore(targets.map(FileReference.init))
        if json {
            try Terminal.show(json: files)
        } else {
            try Terminal.show(lines: files.map(\.path))
        }
    }
}
