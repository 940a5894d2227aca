import GRDB
import LockbookCrypto
import LockbookModel

/// Files whose newest record does not open: signed by somebody who may write there, and nonsense.
extension LocalTree {
    /// Keeps the record, with the id of the file for its name.
    /// - Parameter isHidden: whether the file is in no folder any more, whatever the record says.
    func storeDamaged(_ record: FileRecord, over row: FileRow?, isHidden: Bool = false) throws {
        let facts = record.facts
        guard let name = DirectoryBlock.damagedName(facts.id) else { return }
        var file = File(
            id: facts.id,
            parent: facts.parent,
            type: facts.type,
            name: name,
            at: environment.now(),
            author: facts.author,
            device: facts.device,
            deviceName: "",
            scope: facts.scope,
            epoch: facts.epoch,
            parentEpoch: facts.parentEpoch
        )
        file.isDeleted = facts.isDeleted || isHidden
        try store(
            // By its id, as one that opens: what is only offered has no place in this account's tree.
            try toppedOff(file),
            row: row,
            tag: facts.nameTag,
            base: record.bytes,
            local: nil,
            isDamaged: true
        )
    }

    /// Folders that are here and come with the key of a later epoch.
    func rotated(by records: [FileID: FileRecord]) throws -> [FileID] {
        try records.values.filter { record in
            guard record.facts.type == .folder, let bytes = try row(record.facts.id)?.base else {
                return false
            }
            return try FileRecord(bytes).facts.epoch < record.facts.epoch
        }.map(\.facts.id).sorted()
    }

    /// Marks what folders with a new key left under the one of before, where it opens no more.
    /// - Parameter news: what came with them, and opens.
    /// - Returns: what was marked.
    func markLeftBehind(
        in folders: [FileID],
        besides news: [FileID: File] = [:]
    ) throws -> [FileID] {
        var left: [FileID] = []
        for id in folders {
            guard let folder = try row(id), !folder.isDamaged else { continue }
            let keys: FolderKeys
            do { keys = try folderKeys(of: folder) } catch is DamagedRecord { continue }
            var children: [FileRow] = []
            try visitChildren(of: id) { child in
                // What was changed here is sealed again for the new key.
                guard news[child.id] == nil, child.local == nil, !child.isDamaged else { return }
                children.append(child)
            }
            for child in children {
                guard let record = try child.base.map({ try FileRecord($0) }),
                    record.facts.parent == id
                else { continue }
                do { _ = try key(of: record) { keys } } catch DamagedRecord.keyDoesNotOpen {
                    try storeDamaged(record, over: child)
                    left.append(child.id)
                }
            }
        }
        return left
    }

    /// Keeps the keys that folders have, for what stands in them, before nonsense is stored over them.
    func keepKeys(before damaged: [FileID: FileRecord]) throws {
        shut = []
        defer { shut = nil }
        for (id, record) in damaged.sorted(by: { $0.key < $1.key })
        where record.facts.type == .folder {
            guard let row = try row(id), row.base != record.bytes else { continue }
            let key: FileKey
            do { key = try self.key(of: row) } catch is DamagedRecord { continue }
            let sealed = try damageKey.seal(
                key.bytes,
                bound: id.bytes,
                random: environment.random
            )
            try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO kept_key (file, epoch, key) VALUES (?, ?, ?)"
            ).run(id.bytes.data, Int(try self.record(of: row).facts.epoch), sealed.data)
        }
    }

    /// Lets go of the keys of what is damaged no more, or gone.
    func dropKeptKeys() throws {
        try db.execute(
            sql: """
                DELETE FROM kept_key WHERE NOT EXISTS (
                    SELECT 1 FROM file WHERE id = kept_key.file AND damaged = 1
                )
                """
        )
    }

    /// The key that a folder had before a member signed nonsense over it: within an epoch he gives it
    /// no other one.
    func keptKey(of row: FileRow) throws -> FileKey? {
        guard row.isDamaged else { return nil }
        let facts = try record(of: row).facts
        guard facts.author != owner else { return nil }
        return try db.cachedStatement(
            sql: "SELECT key FROM kept_key WHERE file = ? AND epoch = ?"
        ).first([row.id.bytes.data, Int(facts.epoch)]) { found in
            // Another device's key would not open it.
            (try? damageKey.open(found.bytes(0), bound: row.id.bytes)).flatMap { FileKey($0) }
        } ?? nil
    }

    /// Refuses to write over a change of this device that does not open: it would be lost, and nobody
    /// could tell what it was.
    /// - Throws: `.unreadableChange`.
    func requireReadable(_ row: FileRow) throws {
        guard row.local != nil, !row.isDamaged else { return }
        do { _ = try file(row) } catch let damage as DamagedRecord {
            // What a newer program wrote here waits for that.
            if case .newerFormat = damage { throw damage }
            throw LockbookError.unreadableChange(path: try shownPath(of: row.id))
        }
    }

    func isDamaged(_ id: FileID) throws -> Bool { try row(id)?.isDamaged ?? false }

    /// Opens what did not for want of a folder that does now.
    /// - Returns: what opens again.
    func reopenDamaged() throws -> [FileID] {
        var rows: [FileID: FileRow] = [:]
        let found = try Row.fetchCursor(
            db,
            sql: "SELECT \(FileRow.columns) FROM file WHERE damaged = 1 AND base IS NOT NULL"
        )
        while let next = try found.next() {
            let row = try FileRow(next)
            rows[row.id] = row
        }
        folderKeys = [:]
        shut = []
        defer { shut = nil }
        var reopened: [FileID] = []
        for id in parentsFirst(rows, of: \.parent) {
            guard let row = rows[id], let base = row.base, try !isPurged(id) else { continue }
            let record = try FileRecord(base)
            do {
                let file: File
                if try isTop(record.facts) {
                    let key = try wrappedKey(of: record.facts)
                    file = try toppedOff(try record.file(key: key))
                    fileKeys[id] = key
                } else {
                    let folder = try folderKeys(above: row)
                    let key = try key(of: record) { folder }
                    file = try record.file(key: key, in: folder)
                    fileKeys[id] = key
                }
                try markContent(of: file)
                try store(
                    file,
                    row: row,
                    tag: record.facts.nameTag,
                    base: base,
                    local: nil,
                    isDamaged: false
                )
                // What stands in it may open now.
                if file.type == .folder { shut = [] }
                reopened.append(id)
            } catch is DamagedRecord {
                continue
            }
        }
        return reopened
    }

    /// What has the name of a damaged file here gets another: what the server has comes first, and which name
    /// it is nobody can tell.
    func giveWay(to record: FileRecord) throws {
        let facts = record.facts
        guard !facts.isDeleted, try !isTop(facts),
            let taken = try row(tagged: facts.nameTag, in: facts.parent), taken.id != facts.id,
            !taken.isDamaged, let folder = try row(facts.parent)
        else { return }
        var file = try file(taken)
        file.name = try freeName(file.name, in: folder)
        try put(file)
    }

    /// Purges a damaged file, as its owner.
    /// - Throws: `.ownersToPurge` for one that another account shares.
    func purgeDamaged(_ row: FileRow) throws {
        guard !isForeign else { throw LockbookError.ownersToPurge(path: try path(of: row)) }
        try purge(row)
    }

    /// Takes a damaged file out of its folder until the server knows that it is purged.
    func hide(_ row: FileRow) throws {
        guard let base = row.base else { return }
        try storeDamaged(try FileRecord(base), over: row, isHidden: true)
        try noteDeletion(of: row.id)
    }
}
