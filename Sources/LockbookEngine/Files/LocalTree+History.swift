import LockbookCrypto
import LockbookModel

/// A version as it was found, here or at the server.
struct FoundVersion: Sendable {
    let record: FileRecord
    /// The entry that lists it; nil for what the server did not tell of.
    var position: UInt64?
    /// When that entry was signed; of what is on this device alone, when it was changed so, if
    /// that is known.
    var changed: Timestamp?
    /// When this device put something else in its place before any server had it.
    var replaced: Timestamp?
    /// Whether it is on this device alone.
    var isUnsynced = false
    var isProven = true

    var hash: Hash256 { record.hash }
}

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

    /// What is on this device of these files: changes that were replaced, those that stand, and
    /// what was agreed with the server.
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
                    isUnsynced: true
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
        var times: [(time: Int64, isUnsynced: Int, row: FileRow)] = []
        for row in rows where !known.contains(row.id) {
            let items = Self.ordered(
                try opened(try versionsHere(of: [row]), of: row),
                newest: row
            )
            let newest = items.indices.map { index in
                let item = items[index]
                let older = index + 1 < items.count ? items[index + 1] : nil
                let change = Self.change(at: index, in: items)
                let time = Self.time(of: item, change, after: older).milliseconds
                return (time, item.found.isUnsynced ? 1 : 0)
            }.max { $0 < $1 }
            if let newest { times.append((newest.0, newest.1, row)) }
        }
        times.sort { ($0.time, $0.isUnsynced, $1.row.id) > ($1.time, $1.isUnsynced, $0.row.id) }
        return rows.filter { known.contains($0.id) } + times.prefix(limit).map(\.row)
    }

    /// Those of a file's versions that open: not those of before this account's time here, or of
    /// a time between of which nothing is left.
    private func opened(_ versions: [FoundVersion], of row: FileRow) throws
        -> [(found: FoundVersion, file: File)]
    {
        let records = versions.map(\.record)
        return try versions.compactMap { found in
            do {
                return (found, try open(found.record, of: row, among: records))
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
            let items = try opened(found, of: row)
            var versions = try describe(Self.ordered(items, newest: row), of: row)
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

    /// The server's by their positions, those that it did not tell of last; those of this device
    /// alone between them: before what was pushed when they had been replaced already.
    /// - Parameter row: the file as it is now. Where that is what the server has, it replaced all that was
    ///   kept here, but for what was taken back to it.
    private static func ordered(
        _ items: [(found: FoundVersion, file: File)],
        newest row: FileRow
    ) -> [(found: FoundVersion, file: File)] {
        var list = items.filter { !$0.found.isUnsynced }
            .sorted { ($0.found.position ?? 0) > ($1.found.position ?? 0) }
        let agreed = list.firstIndex { row.local == nil && $0.found.record.bytes == row.base }
        for item in items where item.found.isUnsynced {
            if item.found.record.bytes == row.local {
                list.insert(item, at: 0)
                continue
            }
            let start = agreed.map { isTakenBack(item, to: list[$0]) ? 0 : $0 + 1 } ?? 0
            let place = list[start...].firstIndex {
                $0.found.record.bytes != row.local && isBefore($0, item)
            }
            list.insert(item, at: place ?? list.count)
        }
        return list
    }

    /// Whether a change was taken back to what this device had pushed before it made it.
    ///
    /// A deletion that was taken back is under what is there again, which tells of that.
    private static func isTakenBack(
        _ item: (found: FoundVersion, file: File),
        to agreed: (found: FoundVersion, file: File)
    ) -> Bool {
        guard let end = item.found.replaced, let pushed = agreed.found.changed else { return false }
        return pushed < end && agreed.file.device == item.file.device
            && !agreed.file.isDeleted && !item.file.isDeleted
    }

    /// A text may have an older time than what stood before it, because it was taken back.
    private static func isBefore(
        _ one: (found: FoundVersion, file: File),
        _ other: (found: FoundVersion, file: File)
    ) -> Bool {
        guard let end = other.found.replaced,
            let time = one.found.isUnsynced ? one.found.replaced : one.found.changed
        else { return one.file.modified <= other.file.modified }
        return time <= end
    }

    private func describe(_ items: [(found: FoundVersion, file: File)], of row: FileRow) throws
        -> [FileVersion]
    {
        try items.enumerated().map { index, item in
            let older = index + 1 < items.count ? items[index + 1] : nil
            let change = Self.change(at: index, in: items)
            let folder = try self.row(item.file.parent).map { try path(of: $0) } ?? ""
            let prefix = folder == "/" ? "" : folder
            return FileVersion(
                version: item.found.record.versionName,
                id: row.id.description,
                path: row.id == root ? "/" : "\(prefix)/\(item.file.name.text)",
                change: change,
                time: Self.time(of: item, change, after: older).milliseconds,
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

    /// When a version was made; of a change on this device whose time is not known any more, the
    /// earliest that can be.
    private static func time(
        of item: (found: FoundVersion, file: File),
        _ change: FileVersion.Change,
        after older: (found: FoundVersion, file: File)?
    ) -> Timestamp {
        let isBackInTime = older.map { item.file.modified < $0.file.modified } ?? false
        if change == .made || change == .edited, !isBackInTime { return item.file.modified }
        if let changed = item.found.changed { return changed }
        guard item.found.isUnsynced, let older else { return item.file.modified }
        return max(item.file.modified, older.found.changed ?? older.file.modified)
    }

    /// Opens an earlier record of a file, with its key of that time: each epoch's key is sealed in
    /// the records of the next one.
    /// - Parameter others: where records of the epochs between may be.
    func open(_ record: FileRecord, of row: FileRow, among others: [FileRecord] = []) throws
        -> File
    {
        var key = try key(of: row)
        var current = try self.record(of: row)
        var known: [UInt32: FileRecord] = [:]
        for other in others where other.facts.id == row.id { known[other.facts.epoch] = other }
        if let base = row.base, let agreed = try? FileRecord(base) {
            known[agreed.facts.epoch] = agreed
        }
        while current.facts.epoch > record.facts.epoch {
            guard let previous = try current.previousKey(key) else {
                throw DamagedRecord.keyDoesNotOpen
            }
            key = previous
            let commitment = key.bodyKey().commitment
            guard current.facts.epoch - 1 > record.facts.epoch, record.keyCommitment != commitment
            else { break }
            // Nonsense that was overruled had epochs between them, and no keys.
            let between = known.filter { epoch, other in
                epoch > record.facts.epoch && epoch < current.facts.epoch
                    && other.keyCommitment == commitment
            }
            guard let older = between.max(by: { $0.key < $1.key }) else {
                throw DamagedRecord.keyDoesNotOpen
            }
            current = older.value
        }
        return try toppedOff(record.file(key: key))
    }
}

extension FileRecord {
    /// How a version is called.
    var versionName: String { String(hash.description.prefix(16)) }
}

extension [FileVersion] {
    /// Without the server it is not known what came before the oldest version of a file that was synced.
    fileprivate mutating func forgetBeginning() {
        guard let oldest = indices.last, !self[oldest].isUnsynced, self[oldest].change == .made
        else { return }
        self[oldest].change = .changed
    }
}
