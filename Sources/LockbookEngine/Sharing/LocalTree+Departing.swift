import LockbookCrypto
import LockbookModel

/// What is sealed for the departures of one entry.
extension LocalTree {
    /// Records of all that goes, each with what is below it; what cannot go is noted.
    func departing(
        _ tops: [FileRow],
        besides apart: Set<FileID>,
        _ refused: [FileID: String],
        _ found: inout Departures
    ) throws -> [(row: FileRow, sealed: SealedScopes)] {
        var leaving: [(row: FileRow, sealed: SealedScopes)] = []
        for row in tops.sorted(by: { $0.id < $1.id }) {
            do {
                if let reason = refused[row.id] { throw badShare(row, reason) }
                let sealed = try departing(row, besides: apart)
                // What the server does not take of it stays with all of it.
                let below = sealed.records.lazy.compactMap { refused[$0.facts.id] }.first
                if let reason = below { throw badShare(row, reason) }
                found.crossing.formUnion(sealed.records.map(\.facts.id))
                leaving.append((row, sealed))
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
        return leaving
    }

    /// Records of what goes with all below it.
    /// - Parameters:
    ///   - others: what goes by itself, to a place of its own.
    ///   - name: what it is called until its own name is free.
    func departing(
        _ row: FileRow,
        besides others: Set<FileID>,
        named name: FileName? = nil
    ) throws -> SealedScopes {
        var file = try file(row)
        if let name { file.name = name }
        return try records(
            below: row,
            rotating: true,
            as: try file.placed(in: self),
            besides: others
        )
    }

    /// New folders above what goes, whose names are free only after it went: what has them may wait for
    /// it, to go into it.
    func foldersAhead(of row: FileRow, _ server: BaseFacts, _ departures: Departures) throws
        -> [FileRecord]
    {
        var ahead: [FileRecord] = []
        var next = try self.row(row.parent)
        while let folder = next, folder.base == nil, let local = folder.local {
            let facts = try FileRecord(local).facts
            if try !departures.ahead.contains(folder.id)
                && isHeld(facts, at: server, by: departures)
            {
                var file = try file(folder)
                file.name = try nextName(folder, server, departures)
                ahead.append(try seal(file, row: folder))
            }
            next = try self.row(folder.parent)
        }
        return ahead
    }

    /// A name like that of a file, which nothing has in its folder: here, at the server, or among what
    /// leaves with it.
    func nextName(
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
}
