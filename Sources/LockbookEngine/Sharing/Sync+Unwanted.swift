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
    /// Does without what the server does not let somebody be offered; everybody else is let in.
    ///
    /// Who blocked this account, or has too many offers to answer, is not offered it again until it
    /// is asked for again; who is not known has not come back to a server that was put back, and is
    /// waited for. `send` let go of the entry.
    /// - Parameter grantee: nil where the server refuses all of it.
    mutating func refuse(_ plan: SharePlan, _ grantee: RefusedGrantee?, _ reason: String) throws {
        let wishes = try store.read { try $0.wishes() }.filter {
            $0.file == plan.file && $0.mode > .none && putOff[$0.file]?.contains($0.grantee) != true
        }
        // What it names besides was not asked for now: nothing of this entry can be done.
        let named = wishes.filter { $0.grantee == grantee?.account && $0.file == grantee?.file }
        for wish in named.isEmpty ? wishes : named {
            if grantee?.isUnknown == true {
                putOff[wish.file, default: []].insert(wish.grantee)
            } else {
                try store.write { try $0.forget(wish) }
            }
            let (path, name) = try store.read {
                (try $0.path(of: wish.file), try $0.username(of: wish.grantee))
            }
            let note = SyncReport.Note(
                kind: .notShared,
                id: wish.file.description,
                path: path,
                detail: "with \(name): \(reason)"
            )
            if !report.notes.contains(note) { report.notes.append(note) }
        }
    }
}
