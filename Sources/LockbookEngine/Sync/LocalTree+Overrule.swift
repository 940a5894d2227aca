import GRDB
import LockbookCrypto
import LockbookModel

/// Records of nonsense that members signed over files of this account: what stood there before goes back.
///
/// A folder whose key or body does not open any more would take all that stands in it along, on every device that
/// has not seen what it was.
extension LocalTree {
    /// Whether this device has what such a record wrote over, and may put it back with the next push.
    func overrules(_ record: FileRecord) throws -> Bool {
        let facts = record.facts
        guard !isForeign, let row = try row(facts.id), !row.isDamaged, try !isPurged(row.id),
            let base = try row.base.map({ try FileRecord($0).facts }), base.epoch <= facts.epoch,
            // Something has to come after it.
            facts.epoch < FileFacts.maximumEpoch
        else { return false }
        do {
            guard let content = try file(row).content else { return true }
            // The server has it where the nonsense names it, too.
            return try facts.blob?.name == content.blob || hasBlob(content.blob)
        } catch is DamagedRecord {
            return false
        }
    }

    /// Makes what stands here a change over records that do not open.
    ///
    /// Under later keys that are not known, it keeps those that it had: see `isBehind`.
    /// - Parameter merged: what the files are to be, where a merge made something else of them.
    func overrule(_ records: [OverruledRecord], as merged: [FileID: File]) throws {
        for overruled in records {
            let record = overruled.record
            guard let row = try row(record.facts.id), row.base != record.bytes else { continue }
            try keepAgreed(row)
            var file = try merged[row.id] ?? file(row)
            let sealed: FileRecord
            if let key = overruled.laterKey {
                let known = try self.key(of: row)
                file.epoch = record.facts.epoch
                fileKeys[row.id] = key
                folderKeys[row.id] = nil
                file = try file.placed(in: self).signed(in: self)
                sealed = try FileRecord(
                    sealing: file,
                    owner: owner,
                    key: key,
                    previous: known,
                    in: folderKeys(of: try self.row(file.parent) ?? rootRow()),
                    random: environment.random
                )
            } else {
                file = try file.placed(in: self)
                sealed = try seal(file, row: row)
            }
            try store(
                file,
                row: row,
                tag: sealed.facts.nameTag,
                base: record.bytes,
                local: sealed.bytes,
                isDamaged: false
            )
        }
    }

    /// Keeps what was agreed last, which is what others may see of it when it goes back.
    private func keepAgreed(_ row: FileRow) throws {
        guard let base = row.base, try row.local == nil || self.base(row) != nil else { return }
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO overruled (file, record) VALUES (?, ?)"
        ).run(row.id.bytes.data, base.data)
    }

    /// What was agreed before nonsense was written over it.
    private func agreed(_ row: FileRow) throws -> File? {
        let kept = try db.cachedStatement(sql: "SELECT record FROM overruled WHERE file = ?")
            .first([row.id.bytes.data]) { try FileRecord($0.bytes(0)) }
        guard let kept else { return nil }
        var key = try key(of: row)
        let current = try record(of: row)
        if current.facts.epoch > kept.facts.epoch {
            guard let previous = try current.previousKey(key) else { return nil }
            key = previous
        }
        return try? toppedOff(try kept.file(key: key))
    }

    func notes(of records: [OverruledRecord]) throws -> [SyncReport.Note] {
        try records.map(\.record.facts).sorted { $0.id < $1.id }.map { facts in
            SyncReport.Note(
                kind: .overruled,
                id: facts.id.description,
                path: try path(of: facts.id),
                detail: try username(of: facts.author)
            )
        }
    }

    /// Whether what stands here has keys of an earlier epoch than the nonsense that the server has: no
    /// change can be sent over that, only new keys for all of the share.
    func isBehind(_ row: FileRow) throws -> Bool {
        guard let base = row.base, let local = row.local, !row.isDamaged else { return false }
        return try FileRecord(local).facts.epoch < FileRecord(base).facts.epoch
    }

    /// What is behind, with the scope of each.
    func behind() throws -> [FileID: FileID] {
        var scopes: [FileID: FileID] = [:]
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT \(FileRow.columns) FROM overruled JOIN file ON id = overruled.file"
            )
        )
        while let next = try rows.next() {
            let row = try FileRow(next)
            if try isBehind(row), let base = row.base {
                scopes[row.id] = try FileRecord(base).facts.scope
            }
        }
        return scopes
    }

    /// Whether a change waits for new keys of what is behind, or of the folder that it goes into.
    func waits(_ row: FileRow, for behind: [FileID: FileID]) throws -> Bool {
        guard !behind.isEmpty else { return false }
        if behind[row.id] != nil { return true }
        var next = row
        while next.id != root, behind[next.parent] == nil {
            guard let folder = try self.row(next.parent), folder.base == nil else { return false }
            next = folder
        }
        return next.id != root
    }

    /// The file as it goes into an entry of new keys.
    ///
    /// As it was agreed, in the place that the server has for it; what it is to be besides follows as a
    /// change.
    /// - Returns: nil for what is not a change over nonsense.
    func overrulingFile(_ row: FileRow, _ server: BaseFacts) throws -> File? {
        guard row.local != nil, !row.isDamaged, let bytes = row.base, try base(row) == nil,
            var file = try agreed(row)
        else { return nil }
        let base = try FileRecord(bytes).facts
        if try file.parent != base.parent || isNameHeld(file.name, base, server),
            let name = DirectoryBlock.damagedName(row.id)
        {
            file.name = try freeName(name, at: base, server)
        }
        (file.parent, file.scope) = (base.parent, base.scope)
        (file.epoch, file.parentEpoch) = (base.epoch, base.parentEpoch)
        return file
    }

    /// A name like this one that nothing else has in a folder for the server.
    private func freeName(_ name: FileName, at place: FileFacts, _ server: BaseFacts) throws
        -> FileName
    {
        var (free, number) = (name, 0)
        while try row(place.parent) != nil && isNameHeld(free, place, server) {
            number += 1
            free = name.numbered(number)
        }
        return free
    }

    /// Whether something else has a name in a folder for the server, or may have.
    private func isNameHeld(_ name: FileName, _ place: FileFacts, _ server: BaseFacts) throws
        -> Bool
    {
        guard let folder = try row(place.parent) else { return true }
        if let other = try child(name, of: folder), other.id != place.id, other.local == nil {
            return true
        }
        return try server.changedRows(in: folder.id).contains { other in
            guard other.id != place.id, let agreed = try base(other) else { return false }
            return !agreed.isDeleted && agreed.name.normalized == name.normalized
        }
    }

    /// Gives a damaged folder of this account, whose key opens, the name that it is listed by: it is what
    /// everything in it stands in.
    /// - Returns: whether it could be done.
    func takeOverDamaged(_ row: FileRow) throws -> Bool {
        guard !isForeign, row.isDamaged, row.type == .folder, let base = row.base,
            let name = try nameOfDamaged(row)
        else { return false }
        let facts = try FileRecord(base).facts
        var file = File(
            id: row.id,
            parent: row.parent,
            type: .folder,
            name: name,
            at: environment.now(),
            author: author,
            device: account.device,
            deviceName: environment.deviceName,
            scope: facts.scope,
            epoch: facts.epoch,
            parentEpoch: facts.parentEpoch
        )
        file.isDeleted = row.isDeleted
        let sealed: FileRecord
        do { sealed = try seal(file, row: row) } catch is DamagedRecord { return false }
        try store(
            file,
            row: row,
            tag: sealed.facts.nameTag,
            base: base,
            local: sealed.bytes,
            isDamaged: false
        )
        return true
    }
}

/// A record of nonsense over something that this device has.
struct OverruledRecord {
    let record: FileRecord
    /// The key that it gives the file, where that opens and is another than before: what stands in a
    /// folder may open with it.
    let laterKey: FileKey?
}

extension File {
    /// As of this device.
    fileprivate func signed(in tree: LocalTree) -> File {
        var file = self
        file.author = tree.author
        file.device = tree.account.device
        file.deviceName = tree.environment.deviceName
        return file
    }
}
