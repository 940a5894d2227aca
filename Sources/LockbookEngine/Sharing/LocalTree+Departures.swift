import GRDB
import LockbookCrypto
import LockbookModel

/// Files that leave a share with the next push: they and all below them get new keys, and the
/// scopes that they leave are told.
struct Departures {
    /// Records of what leaves, as the server knows it but for its new place.
    var records: [FileRecord] = []
    /// By the scope that is left.
    var left: [FileID: [FileID]] = [:]
    /// Everything that is another scope's here than at the server.
    var crossing: Set<FileID> = []
    var notes: [SyncReport.Note] = []

    var isEmpty: Bool { crossing.isEmpty }
}

extension LocalTree {
    /// Looks for what was moved out of shares here.
    ///
    /// The rows stay as they are until the entry is in the log: what was changed besides is sealed
    /// for the new keys then, and pushed.
    func departures() throws -> Departures {
        var found = Departures()
        guard try !isForeign && isShared() else { return found }
        var rows: [FileID: FileRow] = [:]
        for row in try changedRows() where !row.isDamaged {
            guard let base = row.base, let local = row.local else { continue }
            let old = try FileRecord(base).facts
            let new = try FileRecord(local).facts
            guard old.scope != new.scope, old.scope != row.id,
                try !staysInside(old.scope, new.scope)
            else { continue }
            rows[row.id] = row
        }
        found.crossing = Set(rows.keys)
        let tops = Set(rows.values.filter { rows[$0.parent] == nil }.map(\.id))
        for (_, row) in rows.sorted(by: { $0.key < $1.key }) where tops.contains(row.id) {
            do {
                let sealed = try records(
                    below: row,
                    rotating: true,
                    as: try file(row).placed(in: self),
                    // What left it before it left itself goes to a place of its own.
                    besides: tops
                )
                for record in sealed.records {
                    let id = record.facts.id
                    found.crossing.insert(id)
                    guard let base = try self.row(id)?.base else { continue }
                    let scope = try FileRecord(base).facts.scope
                    if scope != root { found.left[scope, default: []].append(id) }
                }
                found.records += sealed.records
            } catch LockbookError.badShare(let path, let reason) {
                found.notes.append(
                    SyncReport.Note(
                        kind: .notPushed,
                        id: row.id.description,
                        path: path,
                        detail: reason
                    )
                )
            }
        }
        return found
    }

    /// Whether a change has to wait until what leaves a share has its new keys.
    func waits(_ row: FileRow, for departures: Departures) throws -> Bool {
        guard !departures.isEmpty else { return false }
        var next: FileRow? = row
        while let row = next, row.id != root {
            if departures.crossing.contains(row.id) { return true }
            next = try self.row(row.parent)
        }
        return false
    }
}
