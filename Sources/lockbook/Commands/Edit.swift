import ArgumentParser
import LockbookEngine

struct Edit: ParsableCommand, ChangingNotes {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a document",
        discussion: """
            Makes the document if there is none. Without a document, on a terminal, one is chosen \
            by some letters of its path: arrows move, Enter takes it, Escape gives up. The editor is --editor, else $LOCKBOOK_EDITOR, \
            $VISUAL, $EDITOR or vi; it gets a file in a private folder in memory that is removed \
            afterwards. What a sync brings meanwhile is merged with what you write. When anything \
            fails, the text stays where it is and you are told where.
            """
    )

    @Argument(help: "The document.")
    var target: String?

    @Flag(help: "Edit the document that was changed last.")
    var last = false

    @Option(help: ArgumentHelp("The editor's command line.", valueName: "command"))
    var editor: String?

    func validate() throws {
        guard target == nil || !last, target != nil || last || Picker.isPossible else {
            throw ValidationError("say which document, or --last")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        try Editing(lockbook: lockbook, editor: Editor(editor)).run(try document(in: lockbook))
    }

    private func document(in lockbook: Lockbook) throws -> FileReference {
        if let target { return FileReference(target) }
        guard last else { return try Picker.document(in: lockbook) }
        guard let last = try lockbook.recent(1).first else { throw CommandError.noDocument }
        return .id(prefix: last.id)
    }
}
