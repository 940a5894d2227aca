import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Lets go of what was wanted in ignorance of what another device or an admin did meanwhile: another
    /// mode for who was taken out lets nobody in, and letting in who is there already takes nothing from
    /// him.
    func dropOvertaken() throws -> [SyncReport.Note] {
        var notes: [SyncReport.Note] = []
        for wish in try wishes() where wish.mode > .none {
            let grant = try grants(of: wish.file).first { AccountID($0.grantee) == wish.grantee }
            let held = grant?.mode ?? ShareMode.none
            let reason: String
            if wish.isChange, held == .none {
                reason = "was taken out meanwhile, and another mode lets nobody in again"
            } else if !wish.isChange, held > wish.mode {
                reason = "was let in meanwhile (\(held)); `share mode` changes how"
            } else {
                continue
            }
            try forget(wish)
            let name = try username(of: wish.grantee)
            notes.append(
                SyncReport.Note(
                    kind: .notPushed,
                    id: wish.file.description,
                    path: try row(wish.file).map { try path(of: $0) } ?? "/\(wish.file)",
                    detail: "\(name) \(reason)"
                )
            )
        }
        return notes
    }
}
