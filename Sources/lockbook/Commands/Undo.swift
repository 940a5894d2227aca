import ArgumentParser
import LockbookEngine

struct Undo: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back the last command that changed something",
        discussion: """
            On this device, texts too, and also when it was synced: the opposite change is made, \
            and what became of each file is shown. It is a command as well, so a second `undo` \
            takes the first one back. --list shows the commands that are remembered, each with a \
            number by which it can be taken back before those that came after it. What was changed \
            since by another command or device is not overwritten: then nothing is done, and the \
            exit status is 8. What was deleted for good stays so, as does what an import of more \
            than 20,000 files did. What was changed in what another account shares has that account's \
            name behind the number: `12@ada`.
            """
    )

    @Argument(help: ArgumentHelp("A command of --list (default: the last).", valueName: "number"))
    var number: CommandNumber?

    @Flag(help: "Show the commands that are remembered, the newest first.")
    var list = false

    @Flag(help: "Show everything as JSON, with --list.")
    var json = false

    @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and do nothing.")
    var dryRun = false

    func validate() throws {
        guard list || !json else { throw ValidationError("--json goes with --list") }
        guard !list || (number == nil && !dryRun) else {
            throw ValidationError("--list stands alone")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        if list {
            try PathOutput.show { unread in
                try lockbook.commands(telling: json ? .max : 1, unread: unread)
            } as: { commands in
                if json { return try Terminal.show(json: commands) }
                try Terminal.show(lines: commands.map(\.line))
            }
        } else {
            let done = try lockbook.undo(number?.number, of: number?.owner, isDryRun: dryRun)
            let lines = done.changes.map(\.line)
            guard !dryRun else { return try Terminal.show(lines: lines) }
            let restored = done.changes.filter { $0.change == .restored }
            let hint = "another `lockbook undo` takes this one back"
            try Terminal.afterDone(restoring: restored.map(\.id), by: lockbook, hint: hint) {
                try Terminal.show(lines: lines)
            }
        }
    }
}

/// A command as `--list` shows it: its number, and in another account's tree `@` and the name.
struct CommandNumber: ExpressibleByArgument {
    let number: Int64
    let owner: String?

    init?(argument: String) {
        let parts = argument.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let number = Int64(first) else { return nil }
        self.number = number
        owner = parts.count > 1 ? String(parts[1]) : nil
    }
}

extension ChangingCommand.Change {
    fileprivate var line: String {
        change.rawValue + " " + (from.map { "\($0) to " } ?? "") + path
    }
}

extension ChangingCommand {
    /// As `--list` shows it.
    var line: String { "\(name)  \(summary)" }

    /// What `undo` takes for it.
    var name: String { owner.map { "\(number)@\($0)" } ?? "\(number)" }

    /// When it was, and what it did.
    var summary: String { "\(localTime(milliseconds: time))  \(what)" }

    /// Whether nothing is known to be in the way of taking it back.
    var isOpen: Bool { obstacle == nil && !changes.isEmpty }

    private var what: String {
        switch obstacle {
        case .large: return "many files, not to be taken back"
        case .purged where owner != nil:
            return "on what is gone, deleted for good or not shared any more"
        case .unshared: return "on what is not shared with you any more"
        case .purged: return "deleted for good, not to be taken back"
        case .damaged: return "a damaged file, not to be taken back"
        case .shared: return "about a share, taken back by `share` alone"
        case nil where changes.isEmpty:
            // Shares that were given and taken back since left them other keys than the command's.
            return count(files, "file") + ", gone or with other keys since"
        case nil:
            let more = files > changes.count ? " and \(files - changes.count) more" : ""
            return changes.map(\.line).joined(separator: ", ") + more
        }
    }
}
