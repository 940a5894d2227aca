import ArgumentParser
import Glibc
import LockbookEngine

struct Import: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take files from the disk in",
        usage: """
            lockbook import <disk> ... <destination> [--checksum] [--force] \
            [--exclude <exclude> ...] [--from <program>] [--quiet] [--json]
            """,
        discussion: """
            Each under its own name in the destination folder, folders whole, as `cp -r` does; \
            `FOLDER/.` is what the folder holds. Done again, it takes only what changed on the \
            disk or is not there in the lockbook any more, and deletes nothing. A note that was changed in the lockbook since, or is \
            newer than the file, stays as it is, unless --force is given. What cannot be taken is named, the rest is taken, and the \
            exit status is 9. What stands on the disk where a link to somebody's share is here goes \
            into that share, to all who see it. A file `.lockbookignore` says what to pass by in its folder and \
            below, as `.gitignore` does.

            With --from, what another program for notes exported: what is in it goes into the \
            destination itself, with its folders, attachments, tags and times. It is read to \
            its end first; what cannot be understood changes nothing.

              $ lockbook import ~/notes/. /
              $ lockbook import --from joplin ~/notes.jex /joplin
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The files on the disk, then where they go.",
            // Two things, which are one list to the parser.
            valueName: "disk> ... <destination"
        )
    )
    var paths: [String]

    @Flag(help: "Read every file, also those that look as they did the last time.")
    var checksum = false

    @Flag(name: .shortAndLong, help: "Take files also where the note was changed in the lockbook.")
    var force = false

    @Option(help: "Pass by what fits; may be given several times.")
    var exclude: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take in an export of obsidian, joplin, standard-notes or bear.",
            valueName: "program"
        )
    )
    var from: ProgramWord?

    @OptionGroup var output: TransferOutput

    func validate() throws {
        guard paths.count > 1 else { throw ValidationError("Missing expected destination") }
        if let from, from != .obsidian, checksum || !exclude.isEmpty {
            throw ValidationError("--checksum and --exclude are for folders of the disk")
        }
    }

    func run() throws {
        guard let (sources, named) = paths.sourcesAndDestination() else { return }
        let lockbook = try Lockbook.open()
        let destination = try lockbook.destinationPath(named)
        var options = ImportOptions()
        options.checksum = checksum
        options.force = force
        options.excluded = exclude
        if from == nil || from == .obsidian {
            for index in sources.repeatedPaths.sorted() {
                Terminal.warn("named twice: \(sources[index])")
            }
        }
        let line = ProgressLine(quiet: output.quiet)
        defer { line.clear() }
        let interruption = Interruption([SIGINT, SIGTERM, SIGHUP]) { files in
            "interrupted: " + (files == 0 ? "nothing was taken in" : Self.sentence(taken: files))
        }
        var taken = 0
        let report: TransferReport
        do {
            report = try take(sources, to: destination, options, lockbook) { progress in
                taken = progress.files
                interruption.note(taken)
                line.show(progress.sentence("importing"))
            }
        } catch {
            line.clear()
            if taken > 0 { Terminal.notice(Self.sentence(taken: taken)) }
            throw error
        }
        line.clear()
        let files = report.created + report.updated
        if output.quiet {
            let shared = (report.shared ?? []).map { FileReference.path($0.path) }
            let places = (files > 0 ? [FileReference(destination)] : []) + shared
            try? lockbook.noteTold(shares: lockbook.tellShares(at: places))
        } else {
            if from == nil { suggestProgram(sources) }
            if from == nil || from == .obsidian { suggestExclusion(sources) }
            tellConflicts(report)
        }
        if !output.quiet, try lockbook.isTooLargeToUndo(files: files + report.folders) {
            Terminal.notice("so many files at once are not taken back by `undo`")
        }
        try output.show(report, verb: "imported")
    }

    private func take(
        _ sources: [String],
        to destination: String,
        _ options: ImportOptions,
        _ lockbook: Lockbook,
        show: @escaping (TransferProgress) -> Void
    ) throws -> TransferReport {
        guard let from else {
            return try lockbook.importFromDisk(
                sources,
                to: destination,
                options: options,
                progress: show
            )
        }
        return try lockbook.importNotes(
            of: from.program,
            from: sources,
            to: destination,
            options: options,
            progress: show
        )
    }

    /// What is said of an import that was cut off.
    private static func sentence(taken files: Int) -> String {
        let what = files == 1 ? "is in and stays" : "are in and stay"
        return "\(count(files, "file")) of the disk \(what); the same command goes on with the rest"
    }

    /// Files of another program were taken as they are; they may be meant otherwise.
    private func suggestProgram(_ sources: [String]) {
        for source in sources {
            guard let program = NoteProgram.guess(source) else { continue }
            Terminal.notice(
                "\(source) looks like notes of \(program.name), and was taken as it is; "
                    + "`--from \(program.rawValue)` takes its notes"
            )
        }
    }
}

extension Import {
    private func tellConflicts(_ report: TransferReport) {
        guard let conflicts = report.conflicts, let from else { return }
        let copies = count(conflicts, "conflict copy is", "conflict copies are")
        Terminal.notice("\(copies) in the folder Conflicts, as \(from.program.name) kept them")
    }

    /// The history of another program is no note.
    private func suggestExclusion(_ sources: [String]) {
        for source in sources {
            for name in KeptHistory.names(in: source) where !exclude.contains(name) {
                Terminal.notice(
                    "\(source) holds \(name), which was taken in as well; `--exclude \(name)` leaves it out"
                )
            }
        }
    }
}

/// A program for notes as `--from` names it.
enum ProgramWord: String, ExpressibleByArgument, CaseIterable {
    case obsidian, joplin
    case standardNotes = "standard-notes"
    case bear

    var program: NoteProgram {
        switch self {
        case .obsidian: .obsidian
        case .joplin: .joplin
        case .standardNotes: .standardNotes
        case .bear: .bear
        }
    }
}
