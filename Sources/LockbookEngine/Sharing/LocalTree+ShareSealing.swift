import LockbookCrypto
import LockbookModel

/// Records of a subtree for one entry, and the keys of the scopes in it.
struct SealedScopes {
    var records: [FileRecord] = []
    /// In the order of the records.
    var hashes: [Hash256] = []
    /// The rows of the records, in their order; none where one was changed here.
    var rows: [SealedRow]?
    /// Of folders, and of what is shared by itself: what files stand in.
    var facts: [FileID: FileFacts] = [:]
    var keys: [FileID: (key: FileKey, epoch: UInt32)] = [:]
    /// Whether each file has a new key, with the old one sealed under it.
    var isRotated = false
    /// Whether nonsense is written over with it.
    var isOverruling = false

    var references: [FileID: [RecordReference]] {
        var scopes: [FileID: [RecordReference]] = [:]
        for (record, hash) in zip(records, hashes) {
            scopes[record.facts.scope, default: []].append(
                RecordReference(file: record.facts.id, hash: hash)
            )
        }
        return scopes
    }
}

/// Where a file is here that was sealed as the server has it.
struct SealedRow {
    let number: Int64
    let tag: Hash256

    init(_ row: FileRow) {
        (number, tag) = (row.number, row.tag)
    }
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
        var sealed = SealedScopes()
        let facts = try BaseFacts(tree: self)
        sealed.isRotated = rotating
        var rows: [SealedRow] = []
        let sealer = ShareSealer(
            owner: owner,
            author: author,
            device: account.device,
            isRotating: rotating,
            random: environment.random
        )
        // The other cores seal while this one reads.
        let seals = ConcurrentMap<ShareSeal, (FileRecord, Hash256)>(pieceSize: 256) { seal in
            let record = try sealer.record(seal)
            return (record, record.hash)
        }
        var count = 0
        var pending: [(row: FileRow, folder: FolderKeys?, file: File)] = []
        func add(_ row: FileRow, _ folder: FolderKeys?, _ place: (inout File) throws -> Void) throws
        {
            // What no server has yet is no part of it.
            guard row.base != nil else { return }
            let overruling = rotating ? try overrulingFile(row, facts) : nil
            let isReady =
                try moved != nil || row.local == nil || overruling != nil
                || keepsChanges && staysInScope(row, isTop: row.id == top.id)
            guard isReady, !row.isDamaged, var file = try overruling ?? base(row) else {
                throw try inTheWay(row)
            }
            if overruling != nil { sealed.isOverruling = true }
            // At the top it stands here by its id.
            if folder == nil { file.name = try ownersName(of: row) }
            guard file.type != .link else {
                throw badShare(row, Self.linkInTheWay)
            }
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
                file.diedUnseen = moved.diedUnseen
            } else {
                file.scope = top.id
            }
        }
        while let next = pending.popLast() {
            if next.row.local == nil { rows.append(SealedRow(next.row)) }
            let old = try FileRecord(next.row.base ?? [])
            let oldKey = try key(of: next.row)
            let key = rotating ? FileKey(random: environment.random) : oldKey
            let previous = rotating ? oldKey : old.carriedKey(oldKey, random: environment.random)
            var file = next.file
            if rotating { file.epoch += 1 }
            count += 1
            seals.append(
                .opened(
                    OpenedSeal(
                        file: file,
                        key: key,
                        previous: previous,
                        folder: next.folder,
                        old: old
                    )
                )
            )
            if file.scope == file.id { sealed.keys[file.id] = (key, file.epoch) }
            guard file.type == .folder else { continue }
            let keys = FolderKeys(of: key)
            let above = try folderKeys(of: next.row)
            for child in try facts.rows(in: file.id) where !others.contains(child.id) {
                if let old = try agreedDocument(child) {
                    rows.append(SealedRow(child))
                    count += 1
                    seals.append(
                        .document(
                            DocumentSeal(
                                old: old,
                                above: above,
                                folder: keys,
                                scope: file.scope,
                                parentEpoch: file.epoch
                            )
                        )
                    )
                    continue
                }
                try add(child, keys) { child in
                    child.parentEpoch = file.epoch
                    if child.scope != child.id { child.scope = file.scope }
                }
            }
        }
        guard 1...EntryGroup.maximumRecordCount ~= count else {
            throw badShare(
                top,
                count == 0
                    ? "it was not synced yet"
                    : "a share holds at most \(EntryGroup.maximumRecordCount) files"
            )
        }
        let records = try seals.outputs()
        for (record, _) in records
        where record.facts.type == .folder || record.facts.scope == record.facts.id {
            sealed.facts[record.facts.id] = record.facts
        }
        sealed.records = records.map(\.0)
        sealed.hashes = records.map(\.1)
        if moved == nil, rows.count == records.count { sealed.rows = rows }
        return sealed
    }

    /// The record of a document that nothing was done to here and that begins no scope.
    private func agreedDocument(_ row: FileRow) throws -> FileRecord? {
        guard row.type == .document, row.local == nil, !row.isDamaged, let base = row.base else {
            return nil
        }
        let record = try FileRecord(base)
        return record.facts.scope == record.facts.id ? nil : record
    }

    /// Whether a file was changed here without another place in the share, or another share.
    func staysInScope(_ row: FileRow, isTop: Bool) throws -> Bool {
        guard let local = row.local, let base = row.base else { return false }
        let (here, there) = (try FileRecord(local).facts, try FileRecord(base).facts)
        return here.scope == there.scope && here.epoch == there.epoch
            && (!isTop || here.parent == there.parent && here.parentEpoch == there.parentEpoch)
    }
}
