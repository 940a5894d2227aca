import GRDB
import LockbookCrypto
import LockbookModel

/// What a merge could not decide, until somebody does.
extension LocalTree {
    /// Everything that was noted and is still open, by path.
    func conflicts() throws -> [OpenConflict] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT file, kind, other, mine, at FROM conflict")
        )
        var open: [OpenConflict] = []
        for noted in rows {
            guard let id = FileID(noted.bytes(0)), let kind = Conflict.Kind(rawValue: noted[1]),
                let row = try row(id), !row.isDamaged, try !isPurged(id)
            else { continue }
            let other = try noted.optionalBytes(2).flatMap { FileID($0) }.flatMap {
                try self.row($0)
            }
            guard try isOpen(kind, row, other) else { continue }
            open.append(
                OpenConflict(
                    row: row,
                    other: other,
                    isMine: noted[3],
                    conflict: Conflict(
                        id: id.description,
                        path: try path(of: row),
                        kind: kind,
                        other: try other.map { try path(of: $0) },
                        time: noted[4]
                    )
                )
            )
        }
        return open.sorted { ($0.conflict.path, $0.row.id) < ($1.conflict.path, $1.row.id) }
    }

    /// Whether nobody decided it meanwhile, by an edit, a deletion or a restoring.
    private func isOpen(_ kind: Conflict.Kind, _ row: FileRow, _ other: FileRow?) throws -> Bool {
        switch kind {
        case .markers:
            // On the server alone it cannot be looked at, so it counts.
            return try !isDead(row) && markers(in: row) != .none
        case .keptBoth:
            guard let other else { return false }
            return try !isDead(row) && !isDead(other)
        case .trashed: return try isDead(row)
        }
    }

    /// The document of which a merge is noted to have made another one the second version.
    func originalNoted(of copy: FileID) throws -> FileID? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT other FROM conflict WHERE file = ? AND kind = ?"),
            arguments: [copy.bytes.data, Conflict.Kind.keptBoth.rawValue]
        )?.optionalBytes(0).flatMap { FileID($0) }
    }

    /// Whether it is known of a document that a merge left markers in it, and they still are.
    func holdsMarkers(_ row: FileRow) throws -> Bool {
        let kind = try String.fetchOne(
            db.cachedStatement(sql: "SELECT kind FROM conflict WHERE file = ?"),
            arguments: [row.id.bytes.data]
        )
        return try kind == Conflict.Kind.markers.rawValue && isOpen(.markers, row, nil)
    }

    /// Whether something else than markers is to be decided about a file.
    func holdsOtherConflict(_ row: FileRow) throws -> Bool {
        let noted = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT kind, other FROM conflict WHERE file = ?"),
            arguments: [row.id.bytes.data]
        )
        guard let noted, let kind = Conflict.Kind(rawValue: noted[0]), kind != .markers else {
            return false
        }
        let other = try noted.optionalBytes(1).flatMap { FileID($0) }.flatMap { try self.row($0) }
        return try isOpen(kind, row, other)
    }

    /// What is known of markers in a document.
    enum Markers {
        case some, none
        /// The content is on the server alone, or the disk does not give it.
        case notHere
    }

    /// Whether a merge's markers are in a document.
    ///
    /// In one that does not open nothing is to be decided: it is told of where it is read.
    func markers(in row: FileRow, mostBytes: UInt64 = .max) throws -> Markers {
        do {
            let file = try file(row)
            guard file.size <= mostBytes else { return .none }
            switch try openContent(of: file, path: "") {
            case .empty: return .none
            case .absent: return .notHere
            case .here(var reader):
                return ConflictBlocks(in: try reader.bytes()).namesWriters ? .some : .none
            }
        } catch is DamagedRecord {
            return .none
        } catch LockbookError.damaged {
            return .none
        } catch LockbookError.unreadableContent {
            return .notHere
        }
    }
}

/// A conflict with the files that it is about.
struct OpenConflict {
    var row: FileRow
    let other: FileRow?
    let isMine: Bool
    let conflict: Conflict
}
