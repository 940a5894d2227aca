import ArgumentParser
import LockbookEngine

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take files from the disk in",
        usage: "lockbook import <disk> ... <destination>",
        discussion: """
            Each under its own name in the destination folder, folders whole, as `cp -r` does; \
            `FOLDER/.` is what the folder holds. Done again, it takes only what changed. What \
            cannot be taken is named, the rest is taken, and the exit status is 9.

              $ lockbook import ~/notes/. /
            """
    )

    @Argument(help: ArgumentHelp("The files on the disk, then where they go.", valueName: "path"))
    var paths: [String]

    @OptionGroup var output: TransferOutput

    func validate() throws {
        guard paths.count > 1 else { throw ValidationError("Missing expected destination") }
    }

    func run() throws {
        guard let (sources, destination) = paths.sourcesAndDestination() else { return }
        let lockbook = try Lockbook.open()
        let line = ProgressLine(quiet: output.quiet)
        defer { line.clear() }
        let report = try lockbook.importFromDisk(sources, to: destination) { progress in
            line.show(progress.sentence("importing"))
        }
        line.clear()
        try output.show(report, verb: "imported")
    }
}
