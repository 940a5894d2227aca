import LockbookEngine

/// A document in the user's editor, and what became of it.
struct Editing {
    let lockbook: Lockbook
    let editor: Editor

    /// - Parameter beginning: the text that a document begins with which is not there yet.
    /// - Returns: whether anything was stored.
    @discardableResult
    func run(
        _ reference: FileReference,
        beginning: @escaping @Sendable () throws -> String = { "" }
    ) throws -> Bool {
        try editor.requireTerminal()
        var session = try asking(lockbook.awaited) { [lockbook] in
            try await lockbook.beginEdit(reference, beginning: beginning)
        }
        let draft = try Draft(of: session, on: lockbook.device)
        // Where that cannot be written, it is found as long as the environment leads there.
        try? lockbook.remember(draftPlace: draft.place)
        var outcome = Outcome()
        let status = try editor.open(draft) {
            // What fails now is tried again when the editor has ended, and told then.
            guard let text = try? draft.text() else { return }
            session.isSaved = draft.isSaved
            // Whether an emptied text is meant shows when the editor ends.
            if !session.isEmptied(by: text) {
                try? outcome.take(lockbook.save(&session, bytes: text))
            }
            try? draft.remember(session)
        }
        session.isSaved = draft.isSaved
        try requireAccount(draft, session)
        try finish(&session, draft, &outcome, status: status)
        if !outcome.isStored { Terminal.notice("nothing was changed") }
        return outcome.isStored
    }

    /// Refuses to go on where the account was removed while the editor was open, be it that it is
    /// here again: that is another device, which no draft of this one belongs to.
    private func requireAccount(_ draft: Draft, _ session: EditSession) throws {
        let isHere: Bool
        do {
            isHere = try Lockbook.device(in: DataDirectory.path()) == lockbook.device
        } catch {
            // That it cannot be read is told by who stores.
            isHere = true
        }
        guard !isHere else { return }
        // What no editor wrote in are the words of the account that is gone.
        let isKept = session.isSaved || LeftBeside(draft, session) != nil
        if !isKept { draft.remove() }
        throw CommandError.accountRemoved(kept: isKept ? draft.folder : nil)
    }

    /// Stores what an editor left in a session that nobody ended.
    func rescue(_ draft: Draft) throws {
        var session = try draft.session()
        var outcome = Outcome()
        try finish(&session, draft, &outcome, status: nil)
        guard !outcome.isEmptied else {
            return Terminal.notice(
                "an editing that was cut off had emptied \(session.path); that is not stored"
            )
        }
        let already = outcome.isStored ? "" : " already"
        Terminal.notice("stored\(already) what was written in \(session.path)")
    }

    /// Stores what the editor left, and removes the draft.
    /// - Parameter status: how the editor ended; nil where nobody knows.
    private func finish(
        _ session: inout EditSession,
        _ draft: Draft,
        _ outcome: inout Outcome,
        status: Int32?
    ) throws {
        if let status, status != 0 {
            try fail(session, draft, status: status, stored: outcome.isStored)
        }
        guard draft.isThere else {
            let left = LeftBeside(draft, session)
            if left == nil { draft.remove() }
            throw CommandError.editorLeftNothing(beside: left)
        }
        let text = try store(draft, &session, &outcome, isRescue: status == nil)
        if draft.isOpenElsewhere {
            try? draft.remember(session)
            throw CommandError.editorGoesOn(kept: draft.path)
        }
        // After an end as it should be, who wrote there saw what was saved and what was not.
        guard status == nil, let left = LeftBeside(draft, session) else {
            draft.remove()
            return try outcome.tell(about: session.path)
        }
        try? draft.remember(session)
        do { try outcome.tell(about: session.path) } catch { Terminal.tell(Failure(error)) }
        let stored = outcome.isStored || !text.isEmpty
        throw CommandError.editorLeftMore(left, about: session.path, stored: stored)
    }

    /// Stores the text that the editor left, and returns it.
    private func store(
        _ draft: Draft,
        _ session: inout EditSession,
        _ outcome: inout Outcome,
        isRescue: Bool
    ) throws -> [UInt8] {
        do {
            let text = try draft.text()
            // It may have been cut off between emptying its file and writing it.
            guard !isRescue || !session.isEmptied(by: text) else {
                outcome.isEmptied = true
                return text
            }
            let (result, saved) = try asking(lockbook.awaited) { [lockbook, session] in
                var session = session
                return (try await lockbook.saveFetching(&session, bytes: text), session)
            }
            session = saved
            outcome.take(result)
            return text
        } catch CommandError.editorLeft(let what, let folder) {
            throw CommandError.editorLeft(what, in: folder)
        } catch {
            throw CommandError.notStored(error, kept: draft.path, isRescued: isRescue)
        }
    }

    /// Tells of an editor that failed, and keeps what it did not save as it should.
    private func fail(
        _ session: EditSession,
        _ draft: Draft,
        status: Int32,
        stored: Bool
    ) throws -> Never {
        let text = try? draft.text()
        let isEmptied = text.map { session.isEmptied(by: $0) } ?? false
        let isKept = draft.isThere && text != session.bytes && !isEmptied
        let left = LeftBeside(draft, session)
        if !isKept, left == nil { draft.remove() }
        throw CommandError.editor(
            status: status,
            stored: stored,
            emptied: isEmptied,
            kept: isKept ? draft.path : nil,
            beside: left
        )
    }

    /// What became of all saves of one session.
    private struct Outcome {
        private var wasSaved = false
        private var wasMerged = false
        private var wasDeleted = false
        /// What the last save said.
        private var last = EditResult.unchanged
        private var conflicts = 0
        private var beside: String?
        private var own: String?
        private var isPlaceGone = false
        /// Whether the text was found emptied, and left out.
        var isEmptied = false

        var isStored: Bool { wasSaved || wasMerged || beside != nil || own != nil }

        mutating func take(_ result: EditResult) {
            last = result
            switch result {
            case .unchanged, .deleted: break
            case .saved: wasSaved = true
            case .savedAnew: (wasSaved, wasDeleted) = (true, true)
            case .merged(let count):
                wasMerged = true
                // Those of an earlier save are in it still; the next may count them again.
                conflicts = max(conflicts, count)
            case .savedBeside(let path): beside = path
            case .keptOwn(let path): own = path
            case .placeGone(let path): (own, isPlaceGone) = (path, true)
            }
        }

        func tell(about path: String) throws {
            if let own {
                throw CommandError.keptOwn(path: own, isGone: isPlaceGone)
            } else if let beside {
                throw CommandError.savedBeside(path: path, other: beside)
            } else if conflicts > 0 {
                throw CommandError.conflicts(path: path, count: conflicts)
            } else if case .deleted(let place) = last {
                let when = isStored ? "after what you wrote was stored" : "meanwhile"
                let what = place.map { "; `lockbook restore` brings \($0) back" } ?? ", and purged"
                Terminal.notice("\(path) was deleted \(when)\(what)")
            } else if wasDeleted {
                Terminal.notice(
                    "\(path) was deleted meanwhile; what you wrote is a new document there"
                )
            } else if wasMerged {
                Terminal.notice("\(path) was changed meanwhile; both changes are in it")
            }
        }
    }
}

extension EditSession {
    /// Whether nothing is left in this text of one that was not empty.
    func isEmptied(by text: [UInt8]) -> Bool { text.isEmpty && !bytes.isEmpty }
}

/// Files that an editor left beside the text, with words that may be nowhere else.
struct LeftBeside {
    let names: [String]
    let folder: String

    /// - Returns: nil when there are none.
    init?(_ draft: Draft, _ session: EditSession) {
        names = draft.leftBeside(session)
        folder = draft.folder
        if names.isEmpty { return nil }
    }
}
