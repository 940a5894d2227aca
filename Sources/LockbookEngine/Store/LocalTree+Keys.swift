import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// The key of a file, unwrapped on the way down from the root.
    func key(of row: FileRow) throws -> FileKey {
        if let key = fileKeys[row.id] { return key }
        // Up to a known key, then down again: no recursion, however deep the tree.
        var chain = [row]
        do {
            while let last = chain.last, last.id != root, fileKeys[last.parent] == nil,
                try keptKey(of: last) == nil
            {
                if shut?.contains(last.parent) == true { throw DamagedRecord.keyDoesNotOpen }
                guard chain.count < Self.mostDepth, let parent = try self.row(last.parent) else {
                    throw LockbookError.store(reason: "a folder is missing above a file")
                }
                chain.append(parent)
            }
            var key: FileKey?
            for row in chain.reversed() {
                let opened = try openedKey(of: row)
                fileKeys[row.id] = opened
                key = opened
            }
            guard let key else { throw DamagedRecord.keyDoesNotOpen }
            return key
        } catch let damage as DamagedRecord {
            // Nor does what stands between it and this file.
            for row in chain where fileKeys[row.id] == nil { shut?.insert(row.id) }
            throw damage
        }
    }

    /// The key of a file whose folder's is known, or the one that it had before nonsense was signed over
    /// it.
    private func openedKey(of row: FileRow) throws -> FileKey {
        if let kept = try keptKey(of: row) { return kept }
        return try key(of: try record(of: row)) { try folderKeys(above: row) }
    }

    /// The key of a record: under that of its folder, or as it was wrapped for this account.
    func key(of record: FileRecord, in folder: () throws -> FolderKeys) throws -> FileKey {
        if try isTop(record.facts) { return try wrappedKey(of: record.facts) }
        do { return try record.key(in: try folder()) } catch {
            // Who makes new keys and sees nothing of the folder can only wrap them.
            guard record.facts.scope == record.facts.id, record.facts.id != root else {
                throw error
            }
            return try wrappedKey(of: record.facts)
        }
    }

    /// The keys under which the files in a folder are wrapped and tagged.
    func folderKeys(of folder: FileRow) throws -> FolderKeys {
        if let keys = folderKeys[folder.id] { return keys }
        let keys = FolderKeys(of: try key(of: folder))
        folderKeys[folder.id] = keys
        return keys
    }

    /// The keys under which a file is wrapped and tagged: those of the folder above it.
    func folderKeys(above row: FileRow) throws -> FolderKeys {
        if row.id == root { return FolderKeys(root: keys) }
        if let keys = folderKeys[row.parent] { return keys }
        // No way up where the key is known: `key(of:)` asks for one folder after the other.
        if let key = fileKeys[row.parent] {
            let keys = FolderKeys(of: key)
            folderKeys[row.parent] = keys
            return keys
        }
        guard let folder = try self.row(row.parent) else { throw DamagedRecord.keyDoesNotOpen }
        return try folderKeys(of: folder)
    }

    func record(of row: FileRow) throws -> FileRecord {
        guard let bytes = row.current else {
            throw LockbookError.store(reason: "a file has no record")
        }
        return try FileRecord(bytes)
    }

    /// The file as the local tree has it.
    func file(_ row: FileRow) throws -> File {
        try toppedOff(try record(of: row).file(key: try key(of: row)))
    }

    /// The file as the local tree has it; nil for one that does not open, or whose folder does not.
    func opened(_ row: FileRow) throws -> File? {
        do { return try file(row) } catch is DamagedRecord { return nil }
    }

    /// The file as it was agreed with the server; nil when it never was.
    func base(_ row: FileRow) throws -> File? {
        // What does not open was never a state to come back to.
        guard let bytes = row.base, !row.isDamaged else { return nil }
        let record = try FileRecord(bytes)
        var key = try key(of: row)
        if row.local != nil {
            // A local record may be of a later epoch than the base.
            let current = try self.record(of: row)
            if current.facts.epoch > record.facts.epoch {
                guard let previous = try current.previousKey(key) else {
                    throw DamagedRecord.keyDoesNotOpen
                }
                key = previous
            }
        }
        do {
            if let local = row.local, record.facts.epoch > 1 {
                let current = try FileRecord(local)
                // Nor what leaves the versions before it without their keys.
                if current.facts.epoch == record.facts.epoch,
                    let known = try current.previousKey(key),
                    (try? record.previousKey(key)) != known
                {
                    return nil
                }
            }
            let file = try record.file(key: key)
            if row.local != nil, try isCutOff(record) { return nil }
            return try toppedOff(file)
        } catch let damage as DamagedRecord {
            // What stood here before is a change over nonsense, see `overrule`.
            if row.local != nil { return nil }
            throw damage
        }
    }

    /// Whether a member signed a record that only those open who knew the file before: its key does not
    /// open in its folder, or its name is another than the tag says.
    ///
    /// Where the folder has other keys by now, that cannot be told.
    private func isCutOff(_ record: FileRecord) throws -> Bool {
        let facts = record.facts
        guard !isForeign, facts.author != owner, facts.scope != facts.id,
            let folder = try row(facts.parent), !folder.isDamaged,
            try self.record(of: folder).facts.epoch == facts.parentEpoch,
            let keys = try? folderKeys(of: folder)
        else { return false }
        do {
            _ = try record.file(key: record.key(in: keys), in: keys)
            return false
        } catch {
            return true
        }
    }
}
