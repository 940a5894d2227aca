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

/// A file and all below it, whose records are being sealed.
private struct ScopeSealing {
    private let tree: LocalTree
    private let top: FileRow
    private let isRotating: Bool
    private let moved: File?
    private let keepsChanges: Bool
    private let facts: BaseFacts
    /// The other cores seal while this one reads.
    private let seals: ConcurrentMap<ShareSeal, (FileRecord, Hash256)>
    private var sealed = SealedScopes()
    private var rows: [SealedRow] = []
    private var count = 0
    /// What is sealed next, with the keys of the folder that it stands in.
    private var pending: [(row: FileRow, folder: FolderKeys?, file: File)] = []

    init(
        of top: FileRow,
        in tree: LocalTree,
        rotating: Bool,
        as moved: File?,
        keepsChanges: Bool
    ) throws {
        self.tree = tree
        self.top = top
        isRotating = rotating
        self.moved = moved
        self.keepsChanges = keepsChanges
        facts = try BaseFacts(tree: tree)
        let sealer = ShareSealer(
            owner: tree.owner,
            author: tree.author,
            device: tree.account.device,
            isRotating: rotating,
            random: tree.environment.random
        )
        let ahead = tree.recordsAhead
        seals = ConcurrentMap(pieceSize: 256) { seal in
            let record = try sealer.record(seal)
            let hash = record.hash
            ahead?.add(record, hash)
            return (record, hash)
        }
        sealed.isRotated = rotating
    }

    mutating func records(besides others: Set<FileID>) throws -> SealedScopes {
        try addTop()
        while let next = pending.popLast() {
            if next.row.local == nil { rows.append(SealedRow(next.row)) }
            let (file, key) = try seal(next.row, next.file, in: next.folder)
            if file.scope == file.id { sealed.keys[file.id] = (key, file.epoch) }
            guard file.type == .folder else { continue }
            try addChildren(of: next.row, as: file, FolderKeys(of: key), besides: others)
        }
        guard 1...EntryGroup.maximumRecordCount ~= count else {
            throw tree.badShare(
                top,
                count == 0
                    ? "it was not synced yet"
                    : "a share holds at most \(EntryGroup.maximumRecordCount) files"
            )
        }
        let outputs = try seals.outputs()
        sealed.records.reserveCapacity(outputs.count)
        sealed.hashes.reserveCapacity(outputs.count)
        for (record, hash) in outputs {
            if record.facts.type == .folder || record.facts.scope == record.facts.id {
                sealed.facts[record.facts.id] = record.facts
            }
            sealed.records.append(record)
            sealed.hashes.append(hash)
        }
        if moved == nil, rows.count == outputs.count { sealed.rows = rows }
        return sealed
    }

    private mutating func addTop() throws {
        let (top, moved) = (self.top, self.moved)
        let isAtRoot = tree.isForeign && top.parent == tree.root
        let above = try isAtRoot ? nil : tree.folderKeys(above: top)
        try add(top, above) { file in
            if let moved {
                (file.parent, file.name, file.scope) = (moved.parent, moved.name, moved.scope)
                file.parentEpoch = moved.parentEpoch
                // Nothing comes to life in a folder that is deleted.
                file.takeDeath(of: moved)
            } else {
                file.scope = top.id
            }
        }
    }

    private mutating func add(
        _ row: FileRow,
        _ folder: FolderKeys?,
        _ place: (inout File) throws -> Void
    ) throws {
        // What no server has yet is no part of it.
        guard row.base != nil else { return }
        let overruling = isRotating ? try tree.overrulingFile(row, facts) : nil
        let isReady =
            try moved != nil || row.local == nil || overruling != nil
            || keepsChanges && tree.staysInScope(row, isTop: row.id == top.id)
        guard isReady, !row.isDamaged, var file = try overruling ?? tree.base(row) else {
            throw try tree.inTheWay(row)
        }
        if overruling != nil { sealed.isOverruling = true }
        // At the top it stands here by its id.
        if folder == nil { file.name = try tree.ownersName(of: row) }
        guard file.type != .link else {
            throw tree.badShare(row, try tree.linkInTheWay(row))
        }
        try place(&file)
        file.author = tree.author
        file.device = tree.account.device
        pending.append((row, folder, file))
    }

    /// Hands a file over to be sealed.
    /// - Returns: the file as it will be, and its key.
    private mutating func seal(
        _ row: FileRow,
        _ file: File,
        in folder: FolderKeys?
    ) throws -> (file: File, key: FileKey) {
        let random = tree.environment.random
        let old = try FileRecord(row.base ?? [])
        let oldKey = try tree.key(of: row)
        let key = isRotating ? FileKey(random: random) : oldKey
        let previous = isRotating ? oldKey : old.carriedKey(oldKey, random: random)
        var file = file
        if isRotating { file.epoch += 1 }
        count += 1
        seals.append(
            .opened(
                OpenedSeal(file: file, key: key, previous: previous, folder: folder, old: old)
            )
        )
        return (file, key)
    }

    private mutating func addChildren(
        of row: FileRow,
        as folder: File,
        _ keys: FolderKeys,
        besides others: Set<FileID>
    ) throws {
        let (tree, above) = (tree, try tree.folderKeys(of: row))
        var opened: [FileRow] = []
        // The other cores seal the first ones while this one finds the next.
        try facts.visitRows(in: folder.id) { child in
            guard !others.contains(child.id) else { return }
            guard let old = try tree.agreedDocument(child) else { return opened.append(child) }
            rows.append(SealedRow(child))
            count += 1
            seals.append(
                .document(
                    DocumentSeal(
                        old: old,
                        above: above,
                        folder: keys,
                        scope: folder.scope,
                        parentEpoch: folder.epoch
                    )
                )
            )
        }
        for child in opened {
            try add(child, keys) { child in
                child.parentEpoch = folder.epoch
                if child.scope != child.id { child.scope = folder.scope }
            }
        }
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
        var sealing = try ScopeSealing(
            of: top,
            in: self,
            rotating: rotating,
            as: moved,
            keepsChanges: keepsChanges
        )
        do { return try sealing.records(besides: others) } catch DamagedRecord.keyDoesNotOpen {
            // Known from now on for what it is, so that it can be purged, and all else goes on.
            let folders = try subtree(of: top).filter { $0.type == .folder }.map(\.id)
            guard let left = try markLeftBehind(in: folders).first, let row = try row(left) else {
                throw DamagedRecord.keyDoesNotOpen
            }
            throw try inTheWay(row)
        }
    }

    /// The record of a document that nothing was done to here and that begins no scope.
    fileprivate func agreedDocument(_ row: FileRow) throws -> FileRecord? {
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
