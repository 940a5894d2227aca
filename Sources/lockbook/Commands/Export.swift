import ArgumentParser
import LockbookEngine

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write files to the disk, decrypted",
        discussion: """
            A folder goes whole, as with `cp -r`; / exports what it holds. Done again, it writes \
            only what changed. A file on the disk that differs and that no export wrote stays as \
            it is, is named, and makes the exit status 9; --force overwrites it. Nothing is \
            written through a symbolic link.

              $ lockbook export / ~/notes
            """
    )

    @Argument(help: "The document or folder.")
    var target: String

    @Argument(help: "Where to write it on the disk.")
    var destination: String

    @Flag(name: .shortAndLong, help: "Overwrite files that no export wrote.")
    var force = false

    @OptionGroup var output: TransferOutput

    func run() throws {
        let lockbook = try Lockbook.open()
        var options = ExportOptions()
        options.force = force
        let line = ProgressLine(quiet: output.quiet)
        defer { line.clear() }
        let report = try waiting { [options, target, destination] in
            try await lockbook.export(FileReference(target), to: destination, options: options) {
                line.show($0.sentence("exporting"))
            }
        }
        line.clear()
        try output.show(report, verb: "exported")
    }
}
