import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// The file whose history is asked for, live or in the trash, and for a folder all below it.
    /// - Parameter trash: reads the trash, where it is looked for there.
    func historyRows(
        _ reference: FileReference,
        trash: (LocalTree) throws -> TrashIndex
    ) throws -> [FileRow] {
        let row: FileRow
        do {
            row = try find(reference)
        } catch LockbookError.notFound(let path) {
            do {
                var index = try trash(self)
                row = try index.take(reference)
            } catch LockbookError.notInTrash {
                throw LockbookError.notFound(path: path)
            }
        }
        if var crossing = try crossing(row) {
            crossing.isInTrash = try isDead(row)
            throw crossing
        }
        return try subtree(of: row).filter { try !$0.isDamaged && !isPurged($0.id) }
    }

    /// What is on this device of these files, of each the newest first: the change that stands, those
    /// that were replaced, and what was agreed with the server.
    func versionsHere(of rows: [FileRow]) throws -> [FoundVersion] {
        try rows.flatMap { row in
            var found: [FoundVersion] = []
            if let local = row.local {
                found.append(
                    FoundVersion(
                        record: try FileRecord(local),
                        changed: try timeOfChange(of: row),
                        isUnsynced: true
                    )
                )
            }
            found += try keptVersions(of: row.id).map {
                FoundVersion(
                    record: $0.record,
                    replaced: Timestamp(milliseconds: $0.at),
                    isUnsynced: true,
                    key: key(of: $0)
                )
            }
            if let base = row.base { found.append(FoundVersion(record: try FileRecord(base))) }
            return found
        }
    }

    /// Of many files those that can have one of the newest versions of all: no version of a file
    /// stands before its newest one, so the files with the newest ones are enough.
    func newest(of rows: [FileRow], _ told: ToldVersions?, limit: Int) throws -> [FileRow] {
        guard rows.count > limit else { return rows }
        let known = Set((told?.versions ?? []).map(\.record.facts.id))
        let unknown = rows.filter { !known.contains($0.id) }
        let indexed = try timesByIndex(of: unknown)
        var times: [(time: Int64, isUnsynced: Int, row: FileRow)] = []
        for row in unknown {
            if let time = indexed[row.id] {
                times.append((time.milliseconds, row.isChanged ? 1 : 0, row))
                continue
            }
            let items = try opened(versionsHere(of: [row]), of: row).ordered(newest: row)
            let newest = items.indices.map { index in
                let time = items.time(at: index, of: items.change(at: index)).milliseconds
                return (time, items[index].found.isUnsynced ? 1 : 0)
            }.max { $0 < $1 }
            if let newest { times.append((newest.0, newest.1, row)) }
        }
        times.sort { ($0.time, $0.isUnsynced, $1.row.id) > ($1.time, $1.isUnsynced, $0.row.id) }
        return rows.filter { known.contains($0.id) } + times.prefix(limit).map(\.row)
    }

    /// When what is not deleted, and has one version here, was changed: the index knows that of many
    /// files at once, and nothing of theirs has to be opened.
    private func timesByIndex(of rows: [FileRow]) throws -> [FileID: Timestamp] {
        let saved = Set(try savedFiles())
        let single = rows.filter {
            ($0.local == nil) != ($0.base == nil) && !saved.contains($0.id)
        }
        let files = Set(single.map(\.id))
        var times: [FileID: Timestamp] = [:]
        for folder in Set(single.map(\.parent)) {
            for entry in try entries(of: folder) where files.contains(entry.id) {
                times[entry.id] = entry.modified
            }
        }
        return times
    }

    /// Those of a file's versions that open: not those of before this account's time here, or of
    /// a time between of which nothing is left.
    private func opened(_ versions: [FoundVersion], of row: FileRow) throws -> [ReadableVersion] {
        let records = versions.map(\.record)
        return try versions.compactMap { found in
            do {
                return ReadableVersion(
                    found: found,
                    file: try open(found.record, of: row, with: found.key, among: records)
                )
            } catch is DamagedRecord { return nil }
        }
    }

    /// Puts what is here and what the server told into one list, the newest first.
    /// - Parameter told: nil where the server was not asked.
    func history(of rows: [FileRow], _ told: ToldVersions?, limit: Int) throws -> FileHistory {
        let remote = told?.versions ?? []
        var files: [FileID: FileRow] = [:]
        for row in rows { files[row.id] = row }
        var known: Set<Hash256> = Set(remote.map(\.hash))
        let here = try versionsHere(of: rows).filter { known.insert($0.hash).inserted }
        let byFile = Dictionary(grouping: remote + here, by: \.record.facts.id)
        var ordered: [[FileVersion]] = []
        for (id, found) in byFile {
            guard let row = files[id] else { continue }
            let turns = try turns(of: id)
            let placed = found.map { found in
                var found = found
                found.turn = turns[found.hash]
                return found
            }
            let items = try opened(placed, of: row).ordered(newest: row)
            var versions = try describe(items, of: row)
            if told == nil { versions.forgetBeginning() }
            ordered.append(versions)
        }
        let versions = Self.merged(ordered)
        return FileHistory(
            versions: Array(versions.prefix(limit)),
            isComplete: told != nil,
            hasMore: versions.count > limit || told?.hasMore == true
        )
    }

    /// The versions of several files in one list by their times, those of each file in their own
    /// order: one that says to be older than the one before it, because it was imported or a clock
    /// was wrong, stands where that one does.
    private static func merged(_ files: [[FileVersion]]) -> [FileVersion] {
        var all: [(version: FileVersion, time: Int64, position: UInt64, rank: Int)] = []
        for versions in files {
            var newest: (time: Int64, position: UInt64) = (.min, 0)
            for (rank, version) in versions.enumerated().reversed() {
                let position = version.isUnsynced ? .max : version.position ?? 0
                if newest < (version.time, position) { newest = (version.time, position) }
                all.append((version, newest.time, newest.position, rank))
            }
        }
        all.sort {
            ($0.time, $0.position, $1.version.id, $1.rank) > (
                $1.time, $1.position, $0.version.id, $0.rank
            )
        }
        return all.map(\.version)
    }

    /// - Parameter items: the versions of one file, in their order.
    private func describe(_ items: [ReadableVersion], of row: FileRow) throws -> [FileVersion] {
        try items.enumerated().map { index, item in
            let change = items.change(at: index)
            let folder = try self.row(item.file.parent).map { try path(of: $0) } ?? ""
            let prefix = folder == "/" ? "" : folder
            return FileVersion(
                version: item.found.record.versionName,
                id: row.id.description,
                path: row.id == root ? "/" : "\(prefix)/\(item.file.name.text)",
                change: change,
                time: items.time(at: index, of: change).milliseconds,
                device: DeviceName.plain(item.file.deviceName),
                deviceID: item.file.device.description,
                author: try username(of: item.file.author),
                size: item.file.size,
                isHere: try item.file.content.map { try hasBlob($0.blob) } ?? true,
                isUnsynced: item.found.isUnsynced,
                position: item.found.position,
                isProven: item.found.isProven
            )
        }
    }
}

extension [FileVersion] {
    /// Without the server it is not known what came before the oldest version of a file that was synced.
    fileprivate mutating func forgetBeginning() {
        guard let oldest = indices.last, !self[oldest].isUnsynced, self[oldest].change == .made
        else { return }
        self[oldest].change = .changed
    }
}
