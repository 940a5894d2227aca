import ArgumentParser
import LockbookEngine

struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a document",
        discussion: """
            Makes the document if there is none. The editor is --editor, else $LOCKBOOK_EDITOR, \
            $VISUAL, $EDITOR or vi; it gets a file in a private folder in memory that is removed \
            afterwards. What a sync brings meanwhile is merged with what you write. When anything \
            fails, the text stays where it is and you are told where.
            """
    )

    @Argument(help: "The document.")
    var target: String

    @Option(help: ArgumentHelp("The editor's command line.", valueName: "command"))
    var editor: String?

    func run() throws {
        let lockbook = try Lockbook.open()
        let reference = FileReference(target)
        let session = try waiting { try await lockbook.beginEdit(reference) }
        let draft = try Draft(of: session.path, holding: session.bytes)
        let text = try draft.edited(with: Editor(editor))
        do {
            let result = try lockbook.save(session, bytes: text)
            draft.remove()
            try tell(result, about: session.path)
        } catch let error as LockbookError {
            throw CommandError.notStored(error, kept: draft.path)
        }
    }

    private func tell(_ result: EditResult, about path: String) throws {
        switch result {
        case .unchanged: Terminal.notice("nothing was changed")
        case .saved: break
        case .merged(let conflicts) where conflicts == 0:
            Terminal.notice("\(path) was changed meanwhile; both changes are in it")
        case .merged(let conflicts):
            throw CommandError.conflicts(path: path, count: conflicts)
        case .savedBeside(let other):
            throw CommandError.savedBeside(path: path, other: other)
        }
    }
}
