import ArgumentParser
import LockbookEngine

struct Restore: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring back what was deleted",
        discussion: """
            A folder comes back with what was deleted with it, and without what was deleted before; \
            what was in it may come back alone, by the path that it had. \
            When its folder is gone, a file comes back in the nearest one above that is there; when \
            its name is taken, with a number. The paths where they are now are shown. All are \
            restored or none. With --version one document becomes what it was in that version, \
            also one that was not deleted; what it is now stays a version.
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

    @Option(help: ArgumentHelp("One of the versions of a document.", valueName: "version"))
    var version: String?

    func validate() throws {
        guard version == nil || targets.count == 1 else {
            throw ValidationError("--version goes with one document")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let files = try restored(in: lockbook)
        let hint = "giving the command again does no harm"
        try Terminal.afterDone(restoring: files.map(\.id), by: lockbook, hint: hint) {
            if json {
                try Terminal.show(json: files)
            } else {
                try Terminal.show(lines: files.map(\.path))
            }
        }
    }

    private func restored(in lockbook: Lockbook) throws -> [FileInfo] {
        guard let version, let target = targets.first else {
            let references = targets.map(FileReference.init)
            references.warnOfRepeated()
            return try lockbook.restore(references)
        }
        return try asking(lockbook.awaited) {
            [try await lockbook.restore(FileReference(target), version: version)]
        }
    }
}
