import LockbookEngine

/// A document in the user's editor, and what became of it.
struct Editing {
    let lockbook: Lockbook
    let editor: Editor

    func run(_ reference: FileReference) throws {
        let session = try waiting { [lockbook] in try await lockbook.beginEdit(reference) }
        let draft = try Draft(of: session.path, holding: session.bytes)
        let text = try draft.edited(with: editor)
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
