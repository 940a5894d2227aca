import LockbookCrypto
import LockbookModel

/// Opens records that came from the server, with keys of their parents among them or in the store.
struct RemoteRecords {
    private(set) var files: [FileID: File] = [:]
    /// Validly listed, but their key, body or name does not open.
    private(set) var damaged: [FileID: FileRecord] = [:]
    /// Keys that are others than those of the rows here.
    private(set) var later: [FileID: FileKey] = [:]
    private var keys: [FileID: FileKey] = [:]
    private var folders: [FileID: FolderKeys] = [:]
    /// Folders that do not open, for themselves or for one above them.
    private var shut: Set<FileID> = []

    init(_ records: [FileID: FileRecord], in tree: LocalTree) throws {
        tree.shut = []
        defer { tree.shut = nil }
        let sealed = try openFolders(above: records, tree)
        try open(sealed, tree)
        try setOtherKeysAside(records, tree)
        tree.fileKeys.merge(keys) { _, new in new }
        tree.folderKeys = [:]
    }

    /// Finds the keys of the folders that records stand in.
    /// - Returns: what can be opened with them.
    private mutating func openFolders(
        above records: [FileID: FileRecord],
        _ tree: LocalTree
    ) throws -> [SealedFile] {
        var sealed: [SealedFile] = []
        for record in records.values {
            if try Self.hasOtherKey(record, tree) {
                damaged[record.facts.id] = record
                continue
            }
            do {
                if try tree.isTop(record.facts) {
                    try open(top: record, tree)
                    continue
                }
                let folder = try folderKeys(above: record, records, tree)
                // Where its key was only wrapped.
                if record.facts.scope == record.facts.id, record.facts.id != tree.root {
                    _ = try key(of: record, in: folder, tree)
                }
                sealed.append(
                    SealedFile(record: record, folder: folder, key: keys[record.facts.id])
                )
            } catch is DamagedRecord {
                damaged[record.facts.id] = record
            }
        }
        return sealed
    }

    /// Opens files, on all cores, whose folders are open.
    private mutating func open(_ sealed: [SealedFile], _ tree: LocalTree) throws {
        let (owner, account) = (tree.owner, tree.author)
        let opened = try concurrentMap(sealed) { sealed in
            try Self.open(sealed, on: account).map { key, file in
                (
                    key: key, file: file,
                    chunkKey: file.content?.chunkKey(owner: owner, file: file.id)
                )
            }
        }
        for (sealed, opened) in zip(sealed, opened) {
            let id = sealed.record.facts.id
            if let opened {
                files[id] = opened.file
                keys[id] = opened.key
                if let content = opened.file.content, let key = opened.chunkKey {
                    tree.chunkKeys[id] = (content.identity, key)
                }
            } else {
                damaged[id] = sealed.record
            }
        }
    }

    /// Sets the keys aside that files did not have here, and what has lost those that it had.
    private mutating func setOtherKeysAside(
        _ records: [FileID: FileRecord],
        _ tree: LocalTree
    ) throws {
        for (id, record) in records {
            guard let row = try tree.row(id),
                let current = try row.current.map({ try FileRecord($0) })
            else { continue }
            let isCutOff = try Self.cutsOff(record, keys[id], current, tree)
            if current.keyCommitment != record.keyCommitment {
                later[id] = keys.removeValue(forKey: id)
            }
            if isCutOff {
                files[id] = nil
                damaged[id] = record
            }
            // Of one that was here the key is known.
            if damaged[id] != nil { keys[id] = nil }
        }
    }

    /// Records of which this device has what was there before, taken from those that are damaged, the
    /// folders first.
    mutating func takeOverruled(by tree: LocalTree) throws -> [OverruledRecord] {
        tree.shut = []
        defer { tree.shut = nil }
        let records = try damaged.filter { try tree.overrules($0.value) }
        let rows = try records.keys.reduce(into: [FileID: FileRow]()) { $0[$1] = try tree.row($1) }
        return tree.parentsFirst(rows, of: \.parent).compactMap { id in
            damaged[id] = nil
            let key = later.removeValue(forKey: id)
            return records[id].map { OverruledRecord(record: $0, laterKey: key) }
        }
    }

    /// Whether a member gave a file another key than it had in the same epoch.
    ///
    /// What stands in it would open no more, and no server lets that through. What its owner says holds.
    private static func hasOtherKey(_ record: FileRecord, _ tree: LocalTree) throws -> Bool {
        guard record.facts.author != tree.owner, let row = try tree.row(record.facts.id),
            !row.isDamaged, let base = row.base
        else { return false }
        var known = try FileRecord(base)
        // What went back over nonsense has the key of before.
        if let local = try row.local.map({ try FileRecord($0) }),
            local.facts.epoch == known.facts.epoch
        {
            known = local
        }
        return known.facts.epoch == record.facts.epoch
            && known.keyCommitment != record.keyCommitment
    }

    /// The keys of a folder over which a member signed something that names the key it has here, or has
    /// to have it: what he wrapped may be nonsense.
    private static func knownKeys(of record: FileRecord, _ tree: LocalTree) throws -> FolderKeys? {
        guard record.facts.author != tree.owner, let row = try tree.row(record.facts.id),
            let current = try row.current.map({ try FileRecord($0) })
        else { return nil }
        let isSame =
            current.facts.epoch == record.facts.epoch
            && current.keyCommitment == record.keyCommitment
        guard try isSame || hasOtherKey(record, tree) else { return nil }
        do { return try tree.folderKeys(of: row) } catch is DamagedRecord { return nil }
    }

    /// Whether a member leaves what a file was before without the keys that it had.
    private static func cutsOff(
        _ record: FileRecord,
        _ key: FileKey?,
        _ current: FileRecord,
        _ tree: LocalTree
    ) throws -> Bool {
        let facts = record.facts
        guard !tree.isForeign, let key, facts.author != tree.owner, facts.epoch > 1,
            let row = try tree.row(facts.id), !row.isDamaged
        else { return false }
        do {
            let known = try tree.key(of: row)
            let wanted =
                switch Int(facts.epoch) - Int(current.facts.epoch) {
                case 0: try current.previousKey(known)
                case 1: known
                // What the epochs between were is not known.
                default: nil as FileKey?
                }
            guard let wanted else { return false }
            return (try? record.previousKey(key)) != wanted
        } catch is DamagedRecord {
            return false
        }
    }

    /// A shared file of another account: its key was wrapped for this one.
    private mutating func open(top record: FileRecord, _ tree: LocalTree) throws {
        let id = record.facts.id
        let key = try keys[id] ?? tree.wrappedKey(of: record.facts)
        keys[id] = key
        folders[id] = FolderKeys(of: key)
        files[id] = try tree.toppedOff(try record.file(key: key))
    }

    /// Opens a record, or finds it damaged.
    ///
    /// What this account itself wrote with a newer program waits until that is here, too. From others
    /// it is nonsense: a body can be extended, and a record that older programs cannot read is one that
    /// the server refuses. Else anybody who may write one note could end all syncs of everybody else.
    /// - Returns: nil for a record that is damaged.
    private static func open(_ sealed: SealedFile, on account: AccountID) throws
        -> (key: FileKey, file: File)?
    {
        do {
            return try sealed.opened()
        } catch DamagedRecord.newerFormat where sealed.record.facts.author == account {
            throw LockbookError.updateNeeded(what: "a note was written by a newer program")
        } catch {
            return nil
        }
    }

    private mutating func key(of record: FileRecord, in folder: FolderKeys, _ tree: LocalTree)
        throws -> FileKey
    {
        if let key = keys[record.facts.id] { return key }
        let key = try tree.key(of: record) { folder }
        keys[record.facts.id] = key
        return key
    }

    /// Opens the folders above a record from the top down: no recursion, however deep the tree.
    private mutating func folderKeys(
        above record: FileRecord,
        _ records: [FileID: FileRecord],
        _ tree: LocalTree
    ) throws -> FolderKeys {
        if record.facts.id == tree.root { return FolderKeys(root: tree.keys) }
        if let known = folders[record.facts.parent] { return known }
        var chain: [FileRecord] = []
        var id = record.facts.parent
        while folders[id] == nil, !shut.contains(id), let parent = records[id] {
            guard chain.count <= records.count else { throw DamagedRecord.keyDoesNotOpen }
            chain.append(parent)
            if try id == tree.root || tree.isTop(parent.facts) { break }
            id = parent.facts.parent
        }
        do {
            if shut.contains(id) { throw DamagedRecord.keyDoesNotOpen }
            if folders[id] == nil, records[id] == nil {
                guard let row = try tree.row(id) else { throw DamagedRecord.keyDoesNotOpen }
                folders[id] = try tree.folderKeys(of: row)
            }
            for parent in chain.reversed() { try open(folder: parent, tree) }
            guard let keys = folders[record.facts.parent] else {
                throw DamagedRecord.keyDoesNotOpen
            }
            return keys
        } catch let damage as DamagedRecord {
            // So that the way up from what else stands below is not gone again.
            for id in chain.map(\.facts.id) + [id] where folders[id] == nil { shut.insert(id) }
            throw damage
        }
    }

    /// Opens a folder among the records, of which the one that it stands in is open.
    private mutating func open(folder: FileRecord, _ tree: LocalTree) throws {
        let id = folder.facts.id
        if try tree.isTop(folder.facts) {
            do { try open(top: folder, tree) } catch let damage as DamagedRecord {
                // What stands in it opens with its key alone.
                guard folders[id] != nil else { throw damage }
            }
            return
        }
        let above =
            id == tree.root ? FolderKeys(root: tree.keys) : folders[folder.facts.parent]
        guard let above else { throw DamagedRecord.keyDoesNotOpen }
        folders[id] =
            try Self.knownKeys(of: folder, tree)
            ?? FolderKeys(of: try key(of: folder, in: above, tree))
    }
}
