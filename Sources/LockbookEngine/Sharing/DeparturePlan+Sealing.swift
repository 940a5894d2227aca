import LockbookCrypto
import LockbookModel

/// What is sealed for the departures of one entry.
extension DeparturePlan {
    /// New folders above what goes, whose names are free only after it went: what has them may wait for
    /// it, to go into it.
    /// - Parameter passed: folders that were gone over for what went before, with all above them.
    func foldersAhead(
        of row: FileRow,
        _ departures: Departures,
        _ wait: DepartureWait,
        _ passed: inout Set<FileID>
    ) throws -> [FileRecord] {
        var ahead: [FileRecord] = []
        var next = try tree.row(row.parent)
        while let folder = next, folder.base == nil, let local = folder.local,
            passed.insert(folder.id).inserted
        {
            if try !departures.ahead.contains(folder.id) && wait.holds(FileRecord(local).facts) {
                var file = try tree.file(folder)
                file.name = try nextName(folder, departures)
                ahead.append(try tree.seal(file, row: folder))
            }
            next = try tree.row(folder.parent)
        }
        return ahead
    }

    /// A name like that of a file, which nothing has in its folder: here, at the server, or among what
    /// leaves with it.
    func nextName(_ row: FileRow, _ departures: Departures) throws -> FileName {
        let name = try tree.file(row).name
        guard let folder = try tree.row(row.parent) else { return name }
        let tags = try tree.folderKeys(of: folder).tag
        for number in 1... {
            let free = name.numbered(number)
            let tag = tags.tag(free.normalized)
            let isTaken =
                try tree.child(free, of: folder) != nil
                || server.undeletedChild(of: folder.id, tagged: tag) != nil
                || departures.records.contains {
                    $0.facts.parent == folder.id && $0.facts.nameTag == tag
                }
            if !isTaken { return free }
        }
        return name
    }
}

extension LocalTree {
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
}
