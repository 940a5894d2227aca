import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// Records of a subtree for one entry, and the keys of the scopes in it.
struct SealedScopes {
    var records: [FileRecord] = [] {
        didSet { for record in records { facts[record.facts.id] = record.facts } }
    }
    private(set) var facts: [FileID: FileFacts] = [:]
    var keys: [FileID: (key: FileKey, epoch: UInt32)] = [:]
    /// Whether each file has a new key, with the old one sealed under it.
    var isRotated = false

    var references: [FileID: [RecordReference]] {
        var scopes: [FileID: [RecordReference]] = [:]
        for record in records {
            scopes[record.facts.scope, default: []].append(
                RecordReference(file: record.facts.id, hash: record.hash)
            )
        }
        return scopes
    }
}

/// A record to be sealed for an entry of shares.
private struct ShareSeal: Sendable {
    let file: File
    let key: FileKey
    let previous: FileKey?
    /// Nil for a file whose folder is not this account's to see.
    let folder: FolderKeys?
    let old: FileRecord
}

extension LocalTree {
    /// Records of a file and all below it, deleted ones too, for the file's own scope; scopes inside
    /// of it stay what they are, and come with it.
    /// - Parameters:
    ///   - rotating: whether each gets a new key, with the old one sealed under it.
    ///   - moved: the file as it is to be, where it does not become, or stay, a scope of its own.
    ///   - others: what the server has below it and is left out, with all below.
    ///   - keepsChanges: whether files may have changes here that no server has. They are sealed as
    ///     the server has them, and the changes once more when that is agreed.
    func records(
        below top: FileRow,
        rotating: Bool,
        as moved: File? = nil,
        besides others: Set<FileID> = [],
        keepsChanges: Bool = false
    ) throws -> SealedScopes {
        var seals: [ShareSeal] = []
        var sealed = SealedScopes()
        let facts = try BaseFacts(tree: self)
        sealed.isRotated = rotating
        var pending: [(row: FileRow, folder: FolderKeys?, file: File)] = []
        func add(_ row: FileRow, _ folder: FolderKeys?, _ place: (inout File) throws -> Void) throws
        {
            // What no server has yet is no part of it.
            guard row.base != nil else { return }
            let isReady =
                try moved != nil || row.local == nil
                || keepsChanges && staysInScope(row, isTop: row.id == top.id)
            guard isReady, !row.isDamaged, var file = try base(row) else {
                throw badShare(row, "something in it is damaged, or waits to be pushed")
            }
            // At the top it stands here by its id.
            if folder == nil { file.name = try ownersName(of: row) }
            guard file.type != .link else { throw badShare(row, "there is a link in it") }
            try place(&file)
            file.author = author
            file.device = account.device
            pending.append((row, folder, file))
        }
        let above = try isForeign && top.parent == root ? nil : folderKeys(above: top)
        try add(top, above) { file in
            if let moved {
                (file.parent, file.name, file.scope) = (moved.parent, moved.name, moved.scope)
                file.parentEpoch = moved.parentEpoch
                // Nothing comes to life in a folder that is deleted.
                (file.isDeleted, file.diedWithFolder) = (moved.isDeleted, moved.diedWithFolder)
            } else {
                file.scope = top.id
            }
        }
        while let next = pending.popLast() {
            let old = try FileRecord(next.row.base ?? [])
            let oldKey = try key(of: next.row)
            let key = rotating ? FileKey(random: environment.random) : oldKey
            let previous = rotating ? oldKey : try old.previousKey(oldKey)
            var file = next.file
            if rotating { file.epoch += 1 }
            seals.append(
                ShareSeal(file: file, key: key, previous: previous, folder: next.folder, old: old)
            )
            if file.scope == file.id { sealed.keys[file.id] = (key, file.epoch) }
            guard file.type == .folder else { continue }
            let keys = FolderKeys(of: key)
            for child in try facts.rows(in: file.id) where !others.contains(child.id) {
                try add(child, keys) { child in
                    child.parentEpoch = file.epoch
                    if child.scope != child.id { child.scope = file.scope }
                }
            }
        }
        guard !seals.isEmpty, seals.count <= EntryGroup.maximumRecordCount else {
            throw badShare(
                top,
                seals.isEmpty
                    ? "it was not synced yet"
                    : "a share holds at most \(EntryGroup.maximumRecordCount) files"
            )
        }
        let (owner, random) = (owner, environment.random)
        sealed.records = try concurrentMap(seals) { seal in
            guard let folder = seal.folder else {
                return try FileRecord(
                    sealing: seal.file,
                    keeping: seal.old,
                    key: seal.key,
                    previous: seal.previous,
                    random: random
                )
            }
            return try FileRecord(
                sealing: seal.file,
                owner: owner,
                key: seal.key,
                previous: seal.previous,
                in: folder,
                random: random
            )
        }
        return sealed
    }

    /// Whether a file was changed here without another place in the share, or another share.
    private func staysInScope(_ row: FileRow, isTop: Bool) throws -> Bool {
        guard let local = row.local, let base = row.base else { return false }
        let (here, there) = (try FileRecord(local).facts, try FileRecord(base).facts)
        return here.scope == there.scope && here.epoch == there.epoch
            && (!isTop || here.parent == there.parent && here.parentEpoch == there.parentEpoch)
    }

    /// The entry of shares is in the log: its records are what is agreed, its grants hold, and what
    /// was changed here meanwhile is sealed for them.
    func acceptShares(_ pending: PendingEntry) throws -> [FileID] {
        var changed: [FileID: File] = [:]
        for row in try changedRows() where !row.isDamaged {
            do { changed[row.id] = try file(row) } catch is DamagedRecord { continue }
        }
        // What was put back to where the server had it, or purged there, is somewhere else than in the
        // entry without being changed.
        var sent: [(row: FileRow, record: FileRecord)] = []
        for reference in pending.records {
            guard let row = try row(reference.file) else { continue }
            let record = try sentRecord(reference, local: row.local)
            sent.append((row, record))
            guard changed[row.id] == nil, !row.isDamaged, try row.parent != place(of: record)
            else { continue }
            changed[row.id] = try file(row)
        }
        // Keys of what the entry does not seal stay the same, also where they are sealed for a
        // folder that has another one now.
        let kept = fileKeys
        let agree = try db.cachedStatement(
            sql: "UPDATE file SET base = ?, local = NULL WHERE number = ?"
        )
        let agreeNewly = try db.cachedStatement(
            sql: "UPDATE file SET base = ?, local = NULL, tag = ? WHERE number = ?"
        )
        let listed = Set(pending.records.map(\.file))
        // In the order in which they are stored: each page of many files is written once.
        for (row, record) in sent.sorted(by: { $0.row.number < $1.row.number }) {
            let oldBlob = try row.base.flatMap { try FileRecord($0).facts.blob?.name }
            if changed[row.id] != nil { try takePlace(of: record, row) }
            let tag = try tagColumn(row, record)
            if tag == row.tag.bytes.data {
                try agree.run(record.bytes.data, row.number)
            } else {
                try agreeNewly.run(record.bytes.data, tag, row.number)
            }
            // It is kept from when the server has it, also when it was deleted long before.
            if record.facts.isDeleted, row.isDeleted, row.local == record.bytes {
                try forgetTrashed(row.id)
                try noteTrashed(row.id)
            }
            let blobs = [changed[row.id]?.content?.blob, record.facts.blob?.name]
            if let oldBlob, !blobs.contains(oldBlob) { try dropBlob(oldBlob) }
        }
        // The wraps of this account are in the entry of its own.
        for wrap in pending.groups.flatMap(\.wraps) where wrap.grantee == author { try keep(wrap) }
        fileKeys = [:]
        folderKeys = [:]
        for (id, _) in changed where !listed.contains(id) { fileKeys[id] = kept[id] }
        for grant in pending.groups.flatMap(\.grants) {
            try keep(grant)
            let mode = try wishes().first {
                $0.file == grant.file && $0.grantee == AccountID(grant.grantee)
            }
            if let mode, mode.mode == grant.mode { try forget(mode) }
        }
        try forgetPending()
        try sweepDeletionNotes()
        try advance(to: pending.header, records: pending.records.count)
        for (id, file) in changed.sorted(by: { $0.key < $1.key }) {
            guard id != root, let row = try row(id) else { continue }
            let isUnder = try self.row(file.parent).map { listed.contains($0.id) } ?? false
            guard listed.contains(id) || isUnder else { continue }
            var file = file
            if let base = row.base {
                let facts = try FileRecord(base).facts
                file.epoch = facts.epoch
                if facts.scope == id { file.scope = id }
            }
            try put(try file.placed(in: self))
        }
        return pending.records.map(\.file)
    }

    /// What was moved since the entry was signed stands where the entry has it, until it is put again:
    /// its new key is sealed under the folder there.
    private func takePlace(of record: FileRecord, _ row: FileRow) throws {
        let place = try place(of: record)
        guard row.parent != place else { return }
        try releasePlaces(of: [row.id])
        try db.cachedStatement(sql: "UPDATE file SET parent = ? WHERE number = ?")
            .run(place.bytes.data, row.number)
        folderPaths = [:]
    }

    private func place(of record: FileRecord) throws -> FileID {
        try isTop(record.facts) ? root : record.facts.parent
    }

    /// A name that was changed here has its tag when it is sealed again.
    private func tagColumn(_ row: FileRow, _ record: FileRecord) throws -> Data {
        // One at the top of another account's store is found by its id.
        if try isTop(record.facts) { return row.tag.bytes.data }
        return (row.local == nil ? record.facts.nameTag : row.tag).bytes.data
    }
}
