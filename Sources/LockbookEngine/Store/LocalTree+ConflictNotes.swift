import GRDB
import LockbookCrypto
import LockbookModel

/// How what is to be decided comes to be noted, and goes again.
extension LocalTree {
    /// The files that this device hears of for the first time, where the merge gave one of its own another name.
    func newcomers(in news: [FileID: File], _ notes: [MergeNote]) throws -> Set<FileID> {
        guard notes.contains(where: { $0.kind == .renamed }) else { return [] }
        return try Set(news.keys.filter { try row($0) == nil })
    }

    /// Remembers what a merge decided about contents, for `conflicts`.
    func noteConflicts(
        _ notes: [MergeNote],
        local: [FileID: File],
        newcomers: Set<FileID>
    ) throws {
        for note in notes {
            switch note.kind {
            case .markers: try noteConflict(.markers, note.file)
            case .keptBoth:
                guard let copy = try row(note.file), let name = note.name,
                    let folder = try row(copy.parent),
                    let original = try child(name, of: folder), original.id != copy.id
                else { continue }
                try noteConflict(.keptBoth, copy.id, other: original.id)
            // Two new ones of one name, which could not be joined: else they would be one.
            case .renamed:
                guard let copy = try row(note.file), copy.type == .document, copy.base == nil,
                    local[copy.id] != nil, let name = note.name,
                    let folder = try row(copy.parent),
                    let original = try child(name, of: folder), original.type == .document,
                    newcomers.contains(original.id)
                else { continue }
                try noteConflict(.keptBoth, copy.id, other: original.id)
            case .deleted, .trashed:
                guard let row = try row(note.file), row.type == .document, try isDead(row),
                    try !isUndecidedInTrash(row.id), try !isWordless(row, local[row.id])
                else { continue }
                // What only the others changed was deleted here, be it with its folder.
                let isMine = local[row.id]?.isDeleted ?? true
                try noteConflict(.trashed, row.id, isMine: isMine)
            default: break
            }
        }
    }

    /// Whether a deletion beat a new name or place alone, which leaves nothing to decide.
    /// - Parameter mine: what it was here before the merge.
    private func isWordless(_ row: FileRow, _ mine: File?) throws -> Bool {
        guard let mine, let agreed = try baseContent(of: row) else { return false }
        return agreed == mine.content?.identity
    }

    /// - Parameter isMine: whether it was this device that deleted the file.
    func noteConflict(
        _ kind: Conflict.Kind,
        _ file: FileID,
        other: FileID? = nil,
        isMine: Bool = false
    ) throws {
        try insertConflict(kind.rawValue, file, other: other, isMine: isMine)
    }

    func insertConflict(
        _ kind: String,
        _ file: FileID,
        other: FileID? = nil,
        isMine: Bool = false
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO conflict (file, kind, other, mine, at)
                VALUES (?, ?, ?, ?, ?)
                """
        ).run(
            file.bytes.data,
            kind,
            other?.bytes.data,
            isMine,
            environment.now().milliseconds
        )
    }

    /// What is made anew of a document in which something is to be decided is no more decided.
    func noteMarkers(of old: FileID, in source: LocalTree, for new: FileID) throws {
        guard let row = try source.row(old), try source.holdsMarkers(row) else { return }
        try noteConflict(.markers, new)
    }

    /// Two versions that are documents, and were both made anew, are no more decided by that.
    ///
    /// A copy that was there before may be deleted by now, or have something else to be decided.
    /// - Parameter copies: what was made of what was not deleted in the other tree.
    func notePairs(in source: LocalTree, madeAnew copies: [FileID: FileID]) throws {
        for pair in try source.notedPairs() {
            guard let copy = copies[pair.second], let other = copies[pair.first],
                try isLive(copy), try isLive(other), try !isNoted(copy)
            else { continue }
            try noteConflict(.keptBoth, copy, other: other)
        }
    }

    /// The same of what a command copies or moves, which may name the two one after the other.
    /// - Parameter made: what was made of a file, and of what is below it.
    func notePairs(in source: LocalTree, copying row: FileRow, _ made: [FileID: FileID]) throws {
        guard try source.isLive(row.id) else { return }
        copies[source.owner, default: [:]].merge(made) { $1 }
        try notePairs(in: source, madeAnew: copies[source.owner] ?? [:])
    }

    /// Documents of which a merge is noted to have made another one the second version, decided or not.
    private func notedPairs() throws -> [(first: FileID, second: FileID)] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT file, other FROM conflict WHERE kind = ?"),
            arguments: [Conflict.Kind.keptBoth.rawValue]
        ).compactMap { noted in
            guard let second = FileID(noted.bytes(0)),
                let first = noted.optionalBytes(1).flatMap({ FileID($0) })
            else { return nil }
            return (first, second)
        }
    }

    func isLive(_ file: FileID) throws -> Bool {
        try row(file).map { try !isDead($0) } ?? false
    }

    /// Whether anything is noted of a file, but that somebody has to look into it.
    private func isNoted(_ file: FileID) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM conflict WHERE file = ? AND kind <> ?)"
            ),
            arguments: [file.bytes.data, Self.arrived]
        ) ?? false
    }

    /// Leaves in the trash what was undecided there, and says so to every device.
    func keepInTrash(_ row: FileRow) throws {
        guard row.isDeleted else { return }
        var file = try file(row)
        guard file.diedUnseen else { return }
        file.diedUnseen = false
        try put(file)
        try decideTrashed(row)
    }

    /// Lets go of what was undecided in the trash and came back from there: who deletes it has decided.
    func forgetRevived() throws {
        for id in try undecidedInTrash() {
            guard let row = try row(id), try !isDead(row) else { continue }
            try decideTrashed(row)
        }
    }

    /// Decides that a document is to be in the trash, or is not.
    ///
    /// Where a merge left markers in it as well, these are to be decided still, whenever it lives.
    private func decideTrashed(_ row: FileRow) throws {
        switch try markers(in: row, mostBytes: Self.readArrivalByteCount) {
        case .some: try mark(row.id, Conflict.Kind.markers.rawValue)
        case .none: try mark(row.id, Self.decided)
        case .notHere: try mark(row.id, Self.arrived)
        }
    }

    func mark(_ file: FileID, _ kind: String) throws {
        try db.cachedStatement(sql: "UPDATE conflict SET kind = ? WHERE file = ?")
            .run(kind, file.bytes.data)
    }

    /// What was decided by taking it out of the trash, or by leaving it there, is to be decided again
    /// where `undo` takes that back.
    func reopenConflict(of file: File) throws {
        // What was noted of markers since says still who deleted it; of two versions nothing does.
        try db.cachedStatement(
            sql: """
                UPDATE conflict SET kind = ?
                WHERE file = ? AND (kind = ? OR (? AND other IS NULL))
                """
        ).run(
            Conflict.Kind.trashed.rawValue,
            file.id.bytes.data,
            Self.decided,
            file.diedUnseen
        )
        guard file.diedUnseen, try !isUndecidedInTrash(file.id) else { return }
        try noteConflict(.trashed, file.id)
    }

    /// Who deletes what came back from the trash has decided for good.
    func forgetRevived(_ file: FileID) throws {
        try db.cachedStatement(sql: "DELETE FROM conflict WHERE file = ? AND kind = ?")
            .run(file.bytes.data, Self.decided)
    }

    /// The content that was agreed; nil where none is known, and for one that does not open.
    func baseContent(of row: FileRow) throws -> ContentIdentity?? {
        do { return try base(row).map { $0.content?.identity } } catch is DamagedRecord {
            return nil
        }
    }

    func forgetConflict(of file: FileID) throws {
        try db.cachedStatement(sql: "DELETE FROM conflict WHERE file = ?").run(file.bytes.data)
    }

    /// What stands for the kind of a document that came, until somebody looks into it.
    static let arrived = "arrived"
    /// The same of one that was undecided in the trash and came back from there, or is to stay.
    private static let decided = "revived"
    /// Larger documents are not looked into: they would have to be read in every sync that brings them.
    static let readArrivalByteCount: UInt64 = 1 << 20
}
