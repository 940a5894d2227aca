import ArgumentParser
import LockbookEngine

struct ConflictsResolve: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Decide what a merge could not",
        discussion: """
            Without --keep a document with markers is opened in the editor. With it one side \
            stays: `local` is that of this device, `remote` the other; `both` keeps both texts one \
            after the other, both documents, or what is in the trash. What goes stays a version or \
            is in the trash.
            """
    )

    @Argument(help: "The file, as `lockbook conflicts` shows it.")
    var target: String

    @Option(help: ArgumentHelp("What stays: local, remote or both.", valueName: "side"))
    var keep: Side?

    enum Side: String, ExpressibleByArgument, CaseIterable {
        case local, remote, both

        var kept: KeptSide {
            switch self {
            case .local: .local
            case .remote: .remote
            case .both: .both
            }
        }
    }

    @Option(help: ArgumentHelp("The editor's command line.", valueName: "command"))
    var editor: String?

    func run() throws {
        let lockbook = try Lockbook.open()
        let reference = FileReference(target)
        if let keep {
            try asking(lockbook.awaited) { try await lockbook.fetchConflict(reference) }
            let conflict = try lockbook.conflict(reference)
            let resolved = try lockbook.resolve(reference, keeping: keep.kept)
            guard let path = resolved.path else { return }
            let restored = conflict.kind == .trashed ? [conflict.id] : []
            let hint = "`lockbook conflicts` shows what is still to be decided"
            try Terminal.afterDone(restoring: restored, by: lockbook, hint: hint) {
                try Terminal.show(lines: [path])
            }
            guard resolved.placesLeft == 0 else {
                throw CommandError.placesLeft(path, count: resolved.placesLeft)
            }
            return
        }
        let conflict = try lockbook.conflict(reference)
        guard conflict.kind == .markers else { throw CommandError.undecided(conflict.path) }
        let document = FileReference("id:\(conflict.id)")
        try Editing(lockbook: lockbook, editor: Editor(editor)).run(document)
        guard try !lockbook.conflicts().contains(where: { $0.id == conflict.id }) else {
            throw CommandError.stillInConflict(conflict.path)
        }
    }
}
