import ArgumentParser
import LockbookEngine

struct Edit: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a document",
        discussion: """
            Makes the document if there is none, when the editor saves it. Without a document, on a terminal, one is chosen \
            by some letters of its path: arrows move, Enter takes it, Escape gives up. The editor is --editor, else $LOCKBOOK_EDITOR, \
            $VISUAL, $EDITOR or vi; it gets a file in a private folder in memory that is removed \
            afterwards. Each save is stored at once, an emptied text when the editor ends well; what a \
            sync brings meanwhile is merged with what you write. When anything fails, the text stays \
            where it is and you are told where; \
            --rescue stores such texts, also those of an editing that was killed.
            """
    )

    @Argument(help: "The document.")
    var target: String?

    @Flag(help: "Edit the document that was changed last.")
    var last = false

    @Flag(help: "Store the texts of editings that were cut off.")
    var rescue = false

    @Option(help: ArgumentHelp("The editor's command line.", valueName: "command"))
    var editor: String?

    func validate() throws {
        let ways = [target != nil, last, rescue].count(where: \.self)
        guard ways == 1 || (ways == 0 && Picker.isPossible) else {
            throw ValidationError("say which document, or --last, or --rescue")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let editing = Editing(lockbook: lockbook, editor: Editor(editor))
        if rescue {
            try rescue(editing)
        } else {
            try editing.run(try document(in: lockbook))
        }
    }

    private func rescue(_ editing: Editing) throws {
        let drafts = try Draft.abandoned(of: DataDirectory.path())
        if drafts.isEmpty { Terminal.notice("no editing was cut off") }
        var left = 0
        for draft in drafts {
            do {
                try editing.rescue(draft)
            } catch {
                Terminal.tell(Failure(error))
                left += 1
            }
        }
        guard left == 0 else { throw CommandError.partial(count: left) }
    }

    private func document(in lockbook: Lockbook) throws -> FileReference {
        if let target { return FileReference(target) }
        guard last else { return try Picker.document(in: lockbook) }
        guard let last = try lockbook.recent(1).first else { throw CommandError.noDocument }
        return .id(prefix: last.id)
    }
}
