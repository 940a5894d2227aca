import GRDB
import LockbookCrypto
import LockbookModel

/// The files that changed since an earlier entry, as they are here and with the keys that they had then.
private struct RewoundFiles {
    var files: [FileID: File] = [:]
    /// What does not open like that.
    var damaged: [FileRow] = []
    var keys: KeysThen
    /// Whether some of them are of another epoch than they were here.
    var haveOtherKeys = false
}

/// Going back to what was agreed with the server at an earlier entry, while every file stays as it
/// is on this device: what differs from then is a change of this device, to be pushed again.
extension LocalTree {
    /// - Parameters:
    ///   - step: where to; nil for the time before anything was agreed.
    ///   - common: the newest entry that the server has as well, where it is not gone back to.
    ///   - purged: records, as the server has them, of files that are gone for good here.
    ///   - isLost: whether the server lost what came since, and is not only asked for it again.
    /// - Returns: which files are not as they were agreed then, and what of shares is not.
    func rewind(
        to step: LogStep?,
        common: LogStep? = nil,
        purged: [FileID: FileRecord] = [:],
        isLost: Bool = true
    ) throws -> (files: Set<FileID>, wishes: [ShareWish]) {
        try forgetPending()
        try forgetRefusedEntries()
        isMerging = true
        let known = try head()
        var then = try agreed(at: step)
        if isLost { try dropDeleted(&then) }
        let others = try ofOthers(then.keys)
        let held =
            isForeign ? (before: try self.held(), then: try self.held(at: step ?? common)) : nil
        var rewound = try rewound(to: then)
        if step != nil, try isKeyLost(of: rewound.damaged) {
            return try rewind(to: nil, common: common, isLost: isLost)
        }
        let grants = try rewindGrants(to: step)
        try rewindTold(to: step)
        // Sealed for folders that have another key or scope now.
        if !grants.isEmpty || rewound.haveOtherKeys {
            for row in try changedRows() where rewound.files[row.id] == nil && !row.isDamaged {
                if let file = try opened(row) { rewound.files[row.id] = file }
            }
        }
        try put(&rewound, over: then)
        for wish in grants { try self.wish(wish) }
        let again = try purgeAgain(purged)
        try noteDeletions(of: Array(rewound.files.keys) + again)
        try setNewest(step?.header)
        try forgetRequiredHeads()
        // What is not lost is still there, as far as it went.
        if !isLost { try set(.shownHead, to: known?.bytes) }
        if step == nil { try set(.wasShared, to: nil) }
        try noteLost(then.filter { $0.value == nil }.map(\.key))
        if let held {
            if isLost {
                try noteMissed(held)
                try dropUnwritable(others)
            }
            try noteOthers(others)
        }
        try forgetSteps(after: step)
        let changed = try changedRowIDs().filter { then[$0] != nil }
        return (Set(changed + again), grants)
    }

    /// Opens the files that changed since, before their rows do.
    private func rewound(to then: [FileID: [UInt8]?]) throws -> RewoundFiles {
        var rewound = RewoundFiles(keys: KeysThen(then))
        for (id, state) in then.sorted(by: { $0.key < $1.key }) {
            guard let row = try row(id) else { continue }
            do {
                let file = try file(row, back: state, &rewound.keys)
                rewound.files[id] = file
                if try record(of: row).facts.epoch != file.epoch { rewound.haveOtherKeys = true }
            } catch is DamagedRecord {
                try requireReadable(row)
                rewound.damaged.append(row)
            }
        }
        return rewound
    }

    /// Puts the files back over what was agreed then.
    private func put(_ rewound: inout RewoundFiles, over then: [FileID: [UInt8]?]) throws {
        try rewindRows(then)
        fileKeys.merge(rewound.keys.changed) { _, then in then }
        folderKeys = [:]
        if isForeign {
            try take(PageView(tree: self).seats(of: author))
            try rewindPlaces(of: &rewound.files)
        }
        for row in rewound.damaged { try rewindDamaged(row, to: then[row.id] ?? nil) }
        for id in parentsFirst(rewound.files) {
            if let file = rewound.files[id] { try put(try file.placed(in: self)) }
        }
    }

    /// Forgets deleted documents that the server lost, of which no content ever came here.
    ///
    /// Nobody can have them back from here. Who has the content pushes them again, deleted as they are,
    /// and then they are in the trash here as well. What died with its folder stays: where that is in
    /// the trash already, it would come as news.
    private func dropDeleted(_ then: inout [FileID: [UInt8]?]) throws {
        for (id, state) in then where state == nil {
            guard let row = try row(id), row.isDeleted, row.local == nil, !row.isDamaged,
                let blob = try row.base.flatMap({ try FileRecord($0).facts.blob }),
                try !canRead(blob.name) && grants(of: id).isEmpty && keptVersions(of: id).isEmpty,
                let file = try opened(row), !file.diedWithFolder
            else { continue }
            try prune(row)
            then.removeValue(forKey: id)
        }
    }

    /// The file as it is here, with the key and the scope that it had then.
    ///
    /// One that the server does not have is made anew, in the first epoch, as every new file is. It
    /// keeps the key that it has here: those who knew an earlier one may be out since.
    private func file(_ row: FileRow, back then: [UInt8]?, _ keys: inout KeysThen) throws -> File {
        guard !row.isDamaged else { throw DamagedRecord.keyDoesNotOpen }
        var file = try file(row)
        guard let bytes = then else {
            // Where a shared file stands that others own, and its keys, only they can tell.
            if file.id != root, try !file.isTop(in: self) {
                if file.scope == file.id { file.scope = root }
                file.epoch = 1
            }
            return file
        }
        let facts = try FileRecord(bytes).facts
        if file.scope == file.id || facts.scope == file.id { file.scope = facts.scope }
        if facts.epoch != file.epoch {
            try keys.take(row, in: self)
            file.epoch = facts.epoch
        }
        return file
    }

    /// Whether something opens here of which the key of then is not known any more.
    ///
    /// Sealed for what does not open, neither it nor what stands in it would be read again. Gone
    /// back to before everything, no key of then is needed.
    private func isKeyLost(of rows: [FileRow]) throws -> Bool {
        try rows.contains { try !$0.isDamaged && opened($0) != nil }
    }

    /// Shared files stand where their owner had them: what he moved since, he moves again.
    private func rewindPlaces(of files: inout [FileID: File]) throws {
        var moved: Set<FileID> = []
        for (id, file) in files {
            guard let row = try row(id), let bytes = row.base,
                try FileRecord(bytes).facts.scope == id, let base = try base(row)
            else { continue }
            var file = file
            (file.name, file.parent, file.isDeleted) = (base.name, base.parent, base.isDeleted)
            files[id] = file
            if row.parent != file.parent { moved.insert(id) }
        }
        try releasePlaces(of: moved)
    }

    private func rewindRows(_ then: [FileID: [UInt8]?]) throws {
        let back = try db.cachedStatement(
            sql: "UPDATE file SET base = ?, local = NULL WHERE id = ? AND damaged = 0"
        )
        let unknown = try db.cachedStatement(
            sql: """
                UPDATE file SET local = coalesce(local, base), base = NULL
                WHERE id = ? AND damaged = 0
                """
        )
        for (id, state) in then {
            if let bytes = state {
                try back.run(bytes.data, id.bytes.data)
            } else {
                try unknown.run(id.bytes.data)
            }
        }
    }

    /// What does not open cannot be pushed again: what was before it is taken, or nothing.
    private func rewindDamaged(_ row: FileRow, to then: [UInt8]?) throws {
        guard let bytes = then else { return try prune(row) }
        let record = try FileRecord(bytes)
        do {
            let key = try record.key(in: try folderKeys(above: row))
            let file = try toppedOff(record.file(key: key))
            fileKeys[row.id] = key
            try store(
                file,
                row: row,
                tag: record.facts.nameTag,
                base: bytes,
                local: nil,
                isDamaged: false
            )
        } catch is DamagedRecord {
            try db.cachedStatement(sql: "UPDATE file SET base = ?, local = NULL WHERE number = ?")
                .run(bytes.data, row.number)
        }
    }

    /// Takes files in that the server has again although they were gone for good, to purge them
    /// once more.
    private func purgeAgain(_ records: [FileID: FileRecord]) throws -> [FileID] {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO file (id, parent, tag, type, deleted, base) VALUES (?, ?, ?, ?, 1, ?)
                """
        )
        for (id, record) in records where try row(id) == nil {
            let facts = record.facts
            try insert.run(
                id.bytes.data,
                facts.parent.bytes.data,
                facts.nameTag.bytes.data,
                Int(facts.type.rawValue),
                record.bytes.data
            )
            notePresent(id)
        }
        var files: [FileID: File] = [:]
        for id in records.keys.sorted() {
            guard let row = try row(id), var file = try opened(row) else { continue }
            file.isDeleted = true
            files[id] = file
        }
        let order = parentsFirst(files)
        for id in order {
            if let file = files[id] { try put(file) }
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO purge (file) VALUES (?)").execute(
                arguments: [id.bytes.data])
        }
        return order
    }

    /// What was deleted before counts as asked for: it was pushed once.
    private func noteDeletions(of files: [FileID]) throws {
        for id in files {
            guard let row = try row(id), row.isDeleted, row.local != nil, let base = row.base,
                try !FileRecord(base).facts.isDeleted
            else { continue }
            try noteDeletion(of: id)
        }
    }
}
