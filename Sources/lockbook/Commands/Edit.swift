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
            --rescue stores such texts, also those of an editing that was killed. --discard throws away \
            what is left of them all: on a terminal it asks, and without one --force has to be given.
            """
    )

    @Argument(help: "The document.")
    var target: String?

    @Flag(help: "Edit the document that was changed last.")
    var last = false

    @Flag(help: "Store the texts of editings that were cut off.")
    var rescue = false

    @Flag(help: "Throw away what is left of editings that were cut off.")
    var discard = false

    @Flag(name: .shortAndLong, help: "Do not ask, with --discard.")
    var force = false

    @Option(help: ArgumentHelp("The editor's command line.", valueName: "command"))
    var editor: String?

    func validate() throws {
        let ways = [target != nil, last, rescue, discard].count(where: \.self)
        guard ways == 1 || (ways == 0 && Picker.isPossible) else {
            throw ValidationError("say which document, or --last, --rescue or --discard")
        }
        guard discard || !force else { throw ValidationError("--force goes with --discard") }
    }

    func run() throws {
        guard !discard else { return try throwAway() }
        let lockbook = try Lockbook.open()
        let editing = Editing(lockbook: lockbook, editor: Editor(editor))
        if rescue {
            try rescue(editing)
        } else {
            try editing.run(try document(in: lockbook))
        }
    }

    private func abandoned() throws -> [Draft] {
        let drafts = try Draft.abandoned(of: DataDirectory.path())
        if drafts.isEmpty { Terminal.notice("no editing was cut off") }
        return drafts
    }

    private func rescue(_ editing: Editing) throws {
        let drafts = try abandoned()
        var left = 0
        // What was to be said of a text that is stored, and needs no other rescue.
        var said: Status?
        for draft in drafts {
            do {
                try editing.rescue(draft)
            } catch {
                let failure = Failure(error)
                Terminal.tell(failure)
                if draft.isLeft { left += 1 } else { said = said ?? failure.status }
            }
        }
        guard left == 0 else { throw CommandError.partial(count: left) }
        if let said { throw CommandError.told(said) }
    }

    /// Throws away what is left of editings, but for one whose editor goes on.
    private func throwAway() throws {
        let all = try abandoned()
        let drafts = all.filter { !$0.isOpenElsewhere }
        if !drafts.isEmpty { try confirm(drafts) }
        var left = 0
        for draft in all {
            // Once more: the question may have waited for long.
            if draft.isOpenElsewhere || !drafts.contains(where: { $0.folder == draft.folder }) {
                Terminal.tell(Failure(CommandError.editorGoesOn(kept: draft.path)))
                left += 1
            } else if !draft.remove() {
                left += 1
            }
        }
        guard left == 0 else { throw CommandError.partial(count: left) }
    }

    private func confirm(_ drafts: [Draft]) throws {
        guard !force else { return }
        let names = drafts.map { (try? $0.session().path) ?? $0.folder }.sorted()
        let what = "throw away what is left of the editing of \(names.joined(separator: ", "))"
        let otherwise = "nothing was thrown away"
        guard Terminal.canAsk else { throw CommandError.unforced(what, otherwise: otherwise) }
        try Question.confirm("\(what)? nothing brings it back", otherwise: otherwise)
    }

    private func document(in lockbook: Lockbook) throws -> FileReference {
        if let target { return FileReference(target) }
        guard last else { return try Picker.document(in: lockbook) }
        guard let last = try lockbook.recent(1, marks: false).first else {
            throw CommandError.noDocument
        }
        return .id(prefix: last.id)
    }
}
