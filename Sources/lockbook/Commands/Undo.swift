import ArgumentParser
import LockbookEngine

struct Undo: ParsableCommand, ChangingNotes {
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
            than 1,000 files did.
            """
    )

    @Argument(help: ArgumentHelp("A command of --list (default: the last).", valueName: "number"))
    var number: Int64?

    @Flag(help: "Show the commands that are remembered, the newest first.")
    var list = false

    @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and do nothing.")
    var dryRun = false

    func validate() throws {
        guard !list || (number == nil && !dryRun) else {
            throw ValidationError("--list stands alone")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        if list {
            try Terminal.show(lines: lockbook.commands(telling: 1).map(\.line))
        } else {
            try Terminal.show(lines: lockbook.undo(number, isDryRun: dryRun).changes.map(\.line))
        }
    }
}

extension ChangingCommand.Change {
    fileprivate var line: String {
        change.rawValue + " " + (from.map { "\($0) to " } ?? "") + path
    }
}

extension ChangingCommand {
    fileprivate var line: String {
        let what: String
        switch obstacle {
        case .large: what = "many files, not to be taken back"
        case .purged: what = "deleted for good, not to be taken back"
        case .damaged: what = "a damaged file, not to be taken back"
        case nil:
            let more = files > changes.count ? " and \(files - changes.count) more" : ""
            what = (changes.first?.line ?? "files that are no more") + more
        }
        return "\(number)  \(localTime(milliseconds: time))  \(what)"
    }
}
