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
        var leaving: [(row: FileRow, records: [FileRecord])] = []
        for (_, row) in rows.sorted(by: { $0.key < $1.key }) where tops.contains(row.id) {
            do {
                let records = try departing(row, besides: tops)
                found.crossing.formUnion(records.map(\.facts.id))
                leaving.append((row, records))
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
        let server = try BaseFacts(tree: self)
        for (row, records) in leaving {
            var records = records
            if let place = records.first?.facts, try isHeld(place, at: server, by: found) {
                records = try departing(row, besides: tops, named: try nextName(row, server, found))
            }
            for record in records {
                guard let base = try server.facts(record.facts.id) else { continue }
                if base.scope != root { found.left[base.scope, default: []].append(base.id) }
            }
            found.records += records
        }
        return found
    }

    /// Records of what leaves a share with all below it.
    /// - Parameters:
    ///   - others: what leaves by itself, for a place of its own.
    ///   - name: what it is called until its own name is free.
    private func departing(
        _ row: FileRow,
        besides others: Set<FileID>,
        named name: FileName? = nil
    ) throws -> [FileRecord] {
        var file = try file(row)
        if let name { file.name = name }
        return try records(
            below: row,
            rotating: true,
            as: try file.placed(in: self),
            besides: others
        ).records
    }

    /// Whether the server has something else at a place that leaves it only after these departures.
    private func isHeld(
        _ place: FileFacts,
        at server: BaseFacts,
        by departures: Departures
    ) throws -> Bool {
        guard !place.isDeleted,
            let id = try server.undeletedChild(of: place.parent, tagged: place.nameTag),
            id != place.id, let row = try row(id)
        else { return false }
        return try waits(row, for: departures)
    }

    /// A name like that of a file, which nothing has in its folder: here, at the server, or among what
    /// leaves with it.
    private func nextName(
        _ row: FileRow,
        _ server: BaseFacts,
        _ departures: Departures
    ) throws -> FileName {
        let name = try file(row).name
        guard let folder = try self.row(row.parent) else { return name }
        let tags = try folderKeys(of: folder).tag
        for number in 1... {
            let free = name.numbered(number)
            let tag = tags.tag(free.normalized)
            let isTaken =
                try child(free, of: folder) != nil
                || server.undeletedChild(of: folder.id, tagged: tag) != nil
                || departures.records.contains {
                    $0.facts.parent == folder.id && $0.facts.nameTag == tag
                }
            if !isTaken { return free }
        }
        return name
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
