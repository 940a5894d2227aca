import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Makes this the file's state on this device.
    ///
    /// When that is what the server has, nothing is left to push: edit and undo, rename and back
    /// cancel out.
    func put(_ file: File) throws {
        let row = try row(file.id)
        if isForeign, !isMerging { try requireRight(to: file, row) }
        let base = try row.flatMap { try self.base($0) }
        var local: [UInt8]?
        let tag: Hash256
        var stored = file
        if let base, base.isSame(as: file), let bytes = row?.base {
            tag = try FileRecord(bytes).facts.nameTag
            // With its times: the index says what the record says.
            stored = base
        } else {
            let record = try seal(file, row: row)
            tag = record.facts.nameTag
            local = record.bytes
        }
        if let row {
            try rememberPushed(row)
            try keepReplaced(row, by: stored.content)
        }
        try store(
            stored,
            row: row,
            tag: tag,
            base: row?.base,
            local: local,
            isDamaged: false
        )
    }

    /// Adds a file that was made here, of which nothing is known yet.
    func insert(_ file: File, key: FileKey, record: FileRecord) throws {
        fileKeys[file.id] = key
        try store(
            file,
            row: nil,
            tag: record.facts.nameTag,
            base: nil,
            local: record.bytes,
            isDamaged: false
        )
    }

    /// The record of a file, sealed for the folder it stands in.
    func seal(_ file: File, row: FileRow?) throws -> FileRecord {
        var file = file
        file.author = author
        file.device = account.device
        file.deviceName = environment.deviceName
        let key: FileKey
        if let row {
            key = try self.key(of: row)
        } else {
            key = FileKey(random: environment.random)
            fileKeys[file.id] = key
            // A copy of another file that has had several keys has had one.
            file.epoch = 1
        }
        if let row, try file.isTop(in: self) { return try sealTop(file, row: row, key: key) }
        let folder: FolderKeys
        if file.id == root {
            folder = FolderKeys(root: keys)
        } else if let known = folderKeys[file.parent] {
            folder = known
        } else {
            guard let parent = try self.row(file.parent) else {
                throw LockbookError.store(reason: "a folder is missing above a file")
            }
            folder = try folderKeys(of: parent)
        }
        var previous: FileKey?
        if file.epoch > 1, let row {
            previous = try record(of: row).carriedKey(key, random: environment.random)
        }
        return try FileRecord(
            sealing: file,
            owner: owner,
            key: key,
            previous: previous,
            in: folder,
            random: environment.random
        )
    }

    /// Writes the row and the directory index of a file.
    func store(
        _ file: File,
        row: FileRow?,
        tag: Hash256,
        base: [UInt8]?,
        local: [UInt8]?,
        isDamaged: Bool
    ) throws {
        journal?.note(file.id, row)
        if file.isDeleted {
            try noteTrashed(file.id)
        } else if row?.isDeleted == true {
            try forgetTrashed(file.id)
        }
        let tag = try file.isTop(in: self) ? try tagOfTop(file) : tag
        // Whatever stands below a folder that was renamed or moved has another path now.
        if row != nil, file.type == .folder {
            folderPaths.removeAll()
            rights = KnownRights()
        }
        var block = row?.block
        if let row, let old = block, row.parent != file.parent || file.isDeleted {
            try unindex(file.id, from: row.parent, at: old)
            block = nil
        }
        if !file.isDeleted, file.id != root {
            let entry = DirectoryEntry(
                id: file.id,
                type: file.type,
                name: file.name,
                content: file.content,
                chunkKey: chunkKey(of: file),
                modified: file.modified,
                isExecutable: file.isExecutable,
                isDamaged: isDamaged
            )
            block = try index(entry, in: file.parent, at: block)
            try expectContent(of: file, row, agreed: base)
        }
        try write(
            id: file.id,
            number: row?.number,
            parent: file.parent,
            tag: tag,
            type: file.type,
            isDeleted: file.isDeleted,
            block: block,
            isDamaged: isDamaged,
            base: base,
            local: local
        )
    }

    /// Kept in the index, where a search finds it with the names.
    private func chunkKey(of file: File) -> ChunkKey? {
        guard let content = file.content else { return nil }
        if let known = chunkKeys[file.id], known.content == content.identity { return known.key }
        return content.chunkKey(owner: owner, file: file.id)
    }

    private func write(
        id: FileID,
        number: Int64?,
        parent: FileID,
        tag: Hash256,
        type: FileType,
        isDeleted: Bool,
        block: Int?,
        isDamaged: Bool,
        base: [UInt8]?,
        local: [UInt8]?
    ) throws {
        if let number {
            let update = try db.cachedStatement(
                sql: """
                    UPDATE file SET parent = ?, tag = ?, deleted = ?, block = ?, damaged = ?,
                    base = ?, local = ? WHERE number = ?
                    """
            )
            try update.execute(arguments: [
                parent.bytes.data, tag.bytes.data, isDeleted, block, isDamaged, base?.data,
                local?.data, number,
            ])
        } else {
            let insert = try db.cachedStatement(
                sql: """
                    INSERT INTO file (id, parent, tag, type, deleted, block, damaged, base, local)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            )
            try insert.execute(arguments: [
                id.bytes.data, parent.bytes.data, tag.bytes.data, Int(type.rawValue), isDeleted,
                block, isDamaged, base?.data, local?.data,
            ])
            notePresent(id)
        }
    }

    /// Forgets a file that was never pushed, as if it had not been made.
    func forget(_ row: FileRow) throws {
        if let block = row.block { try unindex(row.id, from: row.parent, at: block) }
        try rememberPushed(row)
        try dropVersions(of: row)
        if let content = try? file(row).content { try dropBlob(content.blob) }
        try db.cachedStatement(sql: "DELETE FROM file WHERE number = ?").execute(arguments: [
            row.number
        ])
        try db.cachedStatement(sql: "DELETE FROM absent WHERE file = ?").execute(arguments: [
            row.id.bytes.data
        ])
    }

    /// Keeps the record that was sent, when the file changes before the answer is known, or after
    /// one that may not be true.
    private func rememberPushed(_ row: FileRow) throws {
        guard let local = row.local else { return }
        try keepRefused(local, of: row.id)
        guard try hasPending() else { return }
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO pushed (file, record) VALUES (?, ?)")
            .execute(arguments: [row.id.bytes.data, local.data])
    }
}

extension [UInt8] {
    /// As SQLite's values want them.
    var data: Data { Data(self) }
}
