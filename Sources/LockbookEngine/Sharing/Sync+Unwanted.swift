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
        for file in files.sorted() {
            report.notes.append(
                SyncReport.Note(
                    kind: .notPushed,
                    id: file.description,
                    path: try store.read { try $0.path(of: file) },
                    detail: reason
                )
            )
        }
        failure = failure ?? LockbookError.refused(reason: reason)
    }
}
