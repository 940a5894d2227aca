import ArgumentParser
import LockbookEngine

struct Import: ParsableCommand, ChangingNotes {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take files from the disk in",
        usage: "lockbook import <disk> ... <destination>",
        discussion: """
            Each under its own name in the destination folder, folders whole, as `cp -r` does; \
            `FOLDER/.` is what the folder holds. Done again, it takes only what changed on the \
            disk, and deletes nothing. A note that was changed in the lockbook stays as it is, unless \
            --force is given. What cannot be taken is named, the rest is taken, and the \
            exit status is 9. A file `.lockbookignore` says what to pass by in its folder and \
            below, as `.gitignore` does.

              $ lockbook import ~/notes/. /
            """
    )

    @Argument(help: ArgumentHelp("The files on the disk, then where they go.", valueName: "path"))
    var paths: [String]

    @Flag(help: "Read every file, also those that look as they did the last time.")
    var checksum = false

    @Flag(name: .shortAndLong, help: "Take files also where the note was changed in the lockbook.")
    var force = false

    @Option(help: "Pass by what fits; may be given several times.")
    var exclude: [String] = []

    @OptionGroup var output: TransferOutput

    func validate() throws {
        guard paths.count > 1 else { throw ValidationError("Missing expected destination") }
    }

    func run() throws {
        guard let (sources, destination) = paths.sourcesAndDestination() else { return }
        let lockbook = try Lockbook.open()
        var options = ImportOptions()
        options.checksum = checksum
        options.force = force
        options.excluded = exclude
        let line = ProgressLine(quiet: output.quiet)
        defer { line.clear() }
        let report = try lockbook.importFromDisk(sources, to: destination, options: options) {
            progress in
            line.show(progress.sentence("importing"))
        }
        line.clear()
        try output.show(report, verb: "imported")
    }
}
