import ArgumentParser
import Glibc
import LockbookEngine

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write files to the disk, decrypted",
        discussion: """
            A folder goes whole, as with `cp -r`; / exports what it holds. Done again, it writes \
            only what changed. A file on the disk that differs and that no export wrote stays as \
            it is, is named, and makes the exit status 9; --force overwrites it. Nothing is \
            written through a symbolic link, and nothing is removed but with --mirror: then goes \
            what an export wrote and what is not in the lockbook any more.

            With --format, the destination is an archive, which appears whole or not at all; - is \
            standard output. Without it, a new folder whose name ends like an archive's, as in \
            notes.zip, has to be asked for with a / at the end.

              $ lockbook export --mirror / ~/notes
              $ lockbook export --format tar / - | zstd >notes.tar.zst
            """
    )

    @Argument(help: "The document or folder.")
    var target: String

    @Argument(help: "Where to write it on the disk.")
    var destination: String

    @Flag(name: .shortAndLong, help: "Overwrite files that no export wrote.")
    var force = false

    @Flag(help: "Remove what exports wrote that is not in the lockbook any more.")
    var mirror = false

    @Option(help: "Write an archive: tar or zip.")
    var format: Archive?

    @OptionGroup var output: TransferOutput

    enum Archive: String, ExpressibleByArgument, CaseIterable {
        case tar, zip

        var format: ArchiveFormat { self == .tar ? .tar : .zip }
    }

    func validate() throws {
        guard format != nil else {
            // A file of that name is hardly meant; who does writes ./-
            guard destination != "-" else {
                throw ValidationError(
                    "- is for archives, with --format tar or zip; `lockbook cat` prints a document"
                )
            }
            return
        }
        guard !mirror else { throw ValidationError("--mirror is not for an archive, which is new") }
        guard destination == "-" else { return }
        guard !output.json else {
            throw ValidationError("--json and the archive cannot both go to standard output")
        }
        guard !Terminal.outputIsTerminal else {
            throw ValidationError("An archive is not for a terminal; send it to a file or a pipe")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        lockbook.askUntilOffline()
        try refuseFolderLikeArchive(lockbook)
        var options = ExportOptions()
        options.force = force
        options.mirror = mirror
        let line = ProgressLine(quiet: output.quiet, waitingFor: { lockbook.awaited })
        defer { line.clear() }
        let sentence =
            format == nil
            ? "interrupted: what is there is whole; the same command goes on with the rest"
            : destination == "-"
                ? "interrupted: the archive is cut off" : "interrupted: no archive was made"
        let interruption = Interruption([SIGINT, SIGTERM, SIGHUP]) { _ in
            Lockbook.removeUnfinishedExports()
            return sentence
        }
        defer { withExtendedLifetime(interruption) {} }
        let report = try waiting(line) { [options, target, destination, archive = format?.format] in
            let reference = FileReference(target)
            func show(_ progress: TransferProgress) { line.show(progress.sentence("exporting")) }
            guard let archive else {
                return try await lockbook.export(
                    reference,
                    to: destination,
                    options: options,
                    progress: show
                )
            }
            guard destination == "-" else {
                return try await lockbook.archive(
                    reference,
                    as: archive,
                    toFile: destination,
                    force: options.force,
                    progress: show
                )
            }
            return try await lockbook.archive(reference, as: archive, progress: show) {
                try Terminal.write($0)
            }
        }
        line.clear()
        try output.show(report, verb: "exported")
    }

    /// Who writes `notes.zip` means an archive, and would get a folder of that name.
    private func refuseFolderLikeArchive(_ lockbook: Lockbook) throws {
        let archives = [".zip", ".tar", ".tar.gz", ".tgz"]
        guard format == nil, let ending = archives.first(where: { destination.hasSuffix($0) }),
            access(destination, F_OK) != 0,
            // What is not there is told by the export.
            let file = try? lockbook.info(FileReference(target)), file.type != .document
        else { return }
        let way =
            switch ending {
            case ".zip": "--format zip writes an archive"
            case ".tar": "--format tar writes an archive"
            default: "--format tar writes an archive, and to - and through gzip one like this"
            }
        throw UsageError(
            message: "\(destination) would be a folder, and is called like an archive",
            hint: "\(way); with a / at the end, a folder is meant"
        )
    }
}
