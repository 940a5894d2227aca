import GRDB
import LockbookModel

/// Contents that come from other devices, in which a merge may have left something to be decided.
extension LocalTree {
    /// Notes which documents come with other contents than they had here, or are new: a merge on another
    /// device may have left markers in them, which can be told when the contents are here.
    ///
    /// A copy, and what was made anew in another tree, has a new id and the same markers.
    /// - Parameter isFirst: whether this device had nothing of the log before. Then what comes is new here
    ///   alone, and is not looked into, but for what continues a share that somebody gave away.
    func noteArrivals(_ news: [FileID: File], isFirst: Bool) throws {
        try forgetRevived()
        var new: [File] = []
        for (id, file) in news where file.type == .document && !file.isDeleted {
            guard file.size <= Self.readArrivalByteCount else { continue }
            guard let row = try row(id) else {
                if file.content != nil { new.append(file) }
                continue
            }
            guard !row.isDamaged,
                try baseContent(of: row).map({ $0 != file.content?.identity }) ?? false,
                try !holdsOtherConflict(row)
            else { continue }
            try insertConflict(Self.arrived, id)
        }
        let some = try new.filter { try mayBeUndecided($0, isFirst: isFirst) }
        guard some.count <= Self.mostNewArrivals,
            some.reduce(0, { $0 + $1.size }) <= Self.newArrivalByteCount
        else { return }
        for file in some { try insertConflict(Self.arrived, file.id) }
    }

    private func mayBeUndecided(_ file: File, isFirst: Bool) throws -> Bool {
        guard isForeign else { return !isFirst }
        // What continues a share that was given away was seen before, in the log of who had it.
        if FileMark(reading: file.bodyExtension).origin != nil { return true }
        // A share that somebody is let into has come for the first time, too.
        return try !isFirst && row(file.scope) != nil
    }

    /// Looks into the contents that have come: what a merge elsewhere left undecided is so here too.
    func noteMarkers(in arrivals: [FileID]) throws {
        for id in arrivals {
            guard let row = try row(id), !row.isDamaged, try !isPurged(id) else {
                try forgetConflict(of: id)
                continue
            }
            switch try markers(in: row, mostBytes: Self.readArrivalByteCount) {
            case .notHere: continue
            case .none: try forgetConflict(of: id)
            case .some: try mark(id, Conflict.Kind.markers.rawValue)
            }
        }
    }

    /// Notes the markers in a content that came back here, as other devices do where it arrives.
    func noteMarkers(broughtBackIn id: FileID) throws {
        guard let row = try row(id), try !holdsMarkers(row), try !holdsOtherConflict(row),
            try markers(in: row, mostBytes: Self.readArrivalByteCount) == .some
        else { return }
        try noteConflict(.markers, id)
    }

    /// The documents that `noteArrivals` noted and nobody has looked into, as far as their contents are here.
    func arrivals() throws -> [FileID] {
        let noted = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT file FROM conflict WHERE kind = ?"),
            arguments: [Self.arrived]
        ).compactMap { FileID($0.bytes(0)) }
        guard !noted.isEmpty else { return [] }
        let absent = try absentFiles()
        return noted.filter { !absent.contains($0) }
    }

    /// More that is new at once was imported: it is not looked into, as a first sync's notes are not.
    private static let mostNewArrivals = 1_000
    private static let newArrivalByteCount: UInt64 = 64 << 20
}
