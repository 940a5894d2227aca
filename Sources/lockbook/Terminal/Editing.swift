import LockbookEngine

/// A document in the user's editor, and what became of it.
struct Editing {
    let lockbook: Lockbook
    let editor: Editor

    func run(_ reference: FileReference) throws {
        var session = try asking(lockbook.awaited) { [lockbook] in
            try await lockbook.beginEdit(reference)
        }
        let draft = try Draft(of: session, in: DataDirectory.path())
        var outcome = Outcome()
        let status = try editor.open(draft) {
            // What fails now is tried again when the editor has ended, and told then.
            guard let text = try? draft.text() else { return }
            try? outcome.take(lockbook.save(&session, bytes: text))
            try? draft.remember(session)
        }
        try finish(&session, draft, &outcome, status: status)
        if !outcome.isStored { Terminal.notice("nothing was changed") }
    }

    /// Stores what an editor left in a session that nobody ended.
    func rescue(_ draft: Draft) throws {
        var session = try draft.session()
        var outcome = Outcome()
        try finish(&session, draft, &outcome, status: 0)
        let already = outcome.isStored ? "" : " already"
        Terminal.notice("stored\(already) what was written in \(session.path)")
    }

    private func finish(
        _ session: inout EditSession,
        _ draft: Draft,
        _ outcome: inout Outcome,
        status: Int32
    ) throws {
        guard status == 0 else {
            let isKept = draft.isThere && (try? draft.text()) != session.bytes
            if !isKept { draft.remove() }
            throw CommandError.editor(
                status: status,
                stored: outcome.isStored,
                kept: isKept ? draft.path : nil
            )
        }
        guard draft.isThere else {
            draft.remove()
            throw CommandError.editorLeftNothing
        }
        do {
            let text = try draft.text()
            let (result, saved) = try asking(lockbook.awaited) { [lockbook, session] in
                var session = session
                return (try await lockbook.saveFetching(&session, bytes: text), session)
            }
            session = saved
            outcome.take(result)
        } catch CommandError.editorLeft(let what, let folder) {
            throw CommandError.editorLeft(what, in: folder)
        } catch {
            throw CommandError.notStored(error, kept: draft.path)
        }
        if draft.isOpenElsewhere {
            try? draft.remember(session)
            throw CommandError.editorGoesOn(kept: draft.path)
        }
        draft.remove()
        try outcome.tell(about: session.path)
    }

    /// What became of all saves of one session.
    private struct Outcome {
        private var wasSaved = false
        private var wasMerged = false
        private var conflicts = 0
        private var beside: String?
        private var own: String?

        var isStored: Bool { wasSaved || wasMerged || beside != nil || own != nil }

        mutating func take(_ result: EditResult) {
            switch result {
            case .unchanged: break
            case .saved: wasSaved = true
            case .merged(let count):
                wasMerged = true
                conflicts = count
            case .savedBeside(let path): beside = path
            case .keptOwn(let path): own = path
            }
        }

        func tell(about path: String) throws {
            if let own {
                throw CommandError.keptOwn(path: own)
            } else if let beside {
                throw CommandError.savedBeside(path: path, other: beside)
            } else if conflicts > 0 {
                throw CommandError.conflicts(path: path, count: conflicts)
            } else if wasMerged {
                Terminal.notice("\(path) was changed meanwhile; both changes are in it")
            }
        }
    }
}
