import ArgumentParser
import LockbookEngine

struct TrashEmpty: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "empty",
        abstract: "Purge what was deleted",
        discussion: """
            It is gone from this device, and with the next sync from the server and from every \
            other device; nothing brings it back. Of a folder that is there, \
            what was deleted in it goes, at any depth, and nothing else. What others share is purged \
            by its owner alone: it is refused by its path, and left when all is purged. Asks on a \
            terminal; without one, --force has to be given.
            """
    )

    @Argument(help: "Paths where deleted files stood, folders, or ids; without any, all there is.")
    var targets: [String] = []

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var force = false

    func run() throws {
        let lockbook = try Lockbook.open()
        let references = targets.isEmpty ? nil : targets.map(FileReference.init)
        let what = targets.isEmpty ? "all that is in" : "what is from \(shownTargets) in"
        let purged = try Purging.run(force: force) {
            let files = try lockbook.countTrash(references)
            guard files > 0 else { return nil }
            return (what: "\(what) the trash (\(count(files, "file")))", files: files)
        } purge: {
            try lockbook.emptyTrash(references, atMost: $0)
        }
        guard let purged else { return try tellOfNothing(lockbook) }
        guard purged > 0 else { return Terminal.notice("the trash is empty") }
        Terminal.notice("\(count(purged, "file")) purged")
    }

    private var shownTargets: String { targets.joined(separator: ", ") }

    /// What others share is in the list of the trash, too, and is theirs to purge.
    private func tellOfNothing(_ lockbook: Lockbook) throws {
        guard targets.isEmpty else {
            return Terminal.notice("nothing from \(shownTargets) is in the trash")
        }
        Terminal.notice(
            try lockbook.trash().isEmpty
                ? "the trash is empty"
                : "nothing of yours is in the trash; what is there is in other accounts' folders, "
                    + "whose owners alone delete for good"
        )
    }
}
