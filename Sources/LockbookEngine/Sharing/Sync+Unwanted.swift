import LockbookCrypto
import LockbookModel

extension PushPlan {
    /// Whether it lets people in and takes nothing back.
    var onlyGrants: Bool {
        let grants = entry.groups.flatMap(\.grants)
        return !grants.isEmpty && grants.allSatisfy { $0.mode > .none }
    }
}

extension Sync {
    /// Gives up what the server does not let somebody be offered: he blocked this account, or has
    /// too many offers to answer.
    ///
    /// It is said once, and not tried again until it is asked for again; `send` let go of the entry.
    mutating func giveUp(_ plan: PushPlan, _ reason: String) throws {
        let files = Set(plan.entry.groups.flatMap(\.grants).map(\.file))
        try store.write { tree in
            for wish in try tree.wishes() where files.contains(wish.file) && wish.mode > .none {
                try tree.forget(wish)
            }
        }
        for file in files.sorted() { try note(unshared: file, reason) }
        failure = failure ?? LockbookError.refused(reason: reason)
    }

    /// Leaves for later what is to be shared with an account that the server does not know: that of
    /// somebody who has not come back to a server that was put back.
    mutating func putOff(_ file: FileID, _ reason: String) throws {
        putOff.insert(file)
        try note(unshared: file, reason)
    }

    private mutating func note(unshared file: FileID, _ reason: String) throws {
        let note = SyncReport.Note(
            kind: .notPushed,
            id: file.description,
            path: try store.read { try $0.path(of: file) },
            detail: reason
        )
        if !report.notes.contains(note) { report.notes.append(note) }
    }
}
