import GRDB
import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// The children of a folder that are not themselves deleted, in no order.
    /// - Parameter contents: whether they have them, or the size alone.
    func entries(of folder: FileID, contents: Bool = true) throws -> [DirectoryEntry] {
        let statement = try db.cachedStatement(
            sql: "SELECT block, sealed FROM directory WHERE folder = ?"
        )
        var entries: [DirectoryEntry] = []
        let changed = changedBlocks[folder] ?? []
        let rows = try Row.fetchCursor(statement, arguments: [folder.bytes.data])
        while let row = try rows.next() {
            let key = DirectoryBlock.Key(folder: folder, number: row[0])
            // A block changed in this transaction counts as it is now.
            if changed.contains(key.number) { continue }
            entries.append(contentsOf: try open(row.bytes(1), key, contents: contents).entries)
        }
        for number in changed {
            let key = DirectoryBlock.Key(folder: folder, number: number)
            entries.append(contentsOf: blocks[key]?.entries ?? [])
        }
        return entries
    }

    /// The names of a folder's children that begin with some bytes, in no order; reads only.
    func names(in folder: FileID, beginningWith start: ArraySlice<UInt8>) throws
        -> [(bytes: ArraySlice<UInt8>, type: FileType)]
    {
        let statement = try db.cachedStatement(
            sql: "SELECT block, sealed FROM directory WHERE folder = ?"
        )
        var names: [(bytes: ArraySlice<UInt8>, type: FileType)] = []
        var damaged: [FileID] = []
        let rows = try Row.fetchCursor(statement, arguments: [folder.bytes.data])
        while let row = try rows.next() {
            let key = DirectoryBlock.Key(folder: folder, number: row[0])
            let block = try plaintext(of: row.bytes(1), key)
            try DirectoryBlock.visitNames(in: block) { name, type, id in
                if let id {
                    damaged.append(id)
                } else if name.starts(with: start) {
                    names.append((name, type))
                }
            }
        }
        // As they are listed: what the index has of them may be another file's name.
        for id in damaged {
            guard let row = try row(id), let name = try nameOfDamaged(row)?.text.utf8,
                name.starts(with: start)
            else { continue }
            names.append((Array(name)[...], row.type))
        }
        return names
    }

    /// The children in one block of a folder.
    func entries(of folder: FileID, block: Int?) throws -> [DirectoryEntry] {
        guard let block else { return [] }
        let key = DirectoryBlock.Key(folder: folder, number: block)
        let content = try loadBlock(key)
        blocks[key] = content
        return content.entries
    }

    /// The name of a child by the index, without a copy of every entry before it.
    func indexedName(of row: FileRow) throws -> FileName? {
        guard let number = row.block else { return nil }
        let key = DirectoryBlock.Key(folder: row.parent, number: number)
        if blocks[key] == nil { blocks[key] = try loadBlock(key) }
        return blocks[key]?.name(of: row.id)
    }

    /// Puts a child into its folder's index, or replaces what stands there for it.
    /// - Returns: the block it stands in.
    func index(_ entry: DirectoryEntry, in folder: FileID, at block: Int?) throws -> Int {
        if let block {
            let key = DirectoryBlock.Key(folder: folder, number: block)
            var content = try loadBlock(key)
            blocks[key] = nil
            if let place = content.entries.firstIndex(where: { $0.id == entry.id }) {
                content.entries[place] = entry
            } else {
                content.entries.append(entry)
            }
            blocks[key] = content
            noteChanged(key)
            return block
        }
        var number = try lastBlock(of: folder)
        var key = DirectoryBlock.Key(folder: folder, number: number)
        var content = try loadBlock(key)
        if content.entries.count >= DirectoryBlock.capacity {
            number += 1
            lastBlocks[folder] = number
            key = DirectoryBlock.Key(folder: folder, number: number)
            content = DirectoryBlock()
        }
        // Out of the dictionary while it grows: one copy of the array, not two.
        blocks[key] = nil
        content.entries.append(entry)
        blocks[key] = content
        noteChanged(key)
        return number
    }

    /// Takes a child out of its folder's index.
    func unindex(_ id: FileID, from folder: FileID, at block: Int) throws {
        let key = DirectoryBlock.Key(folder: folder, number: block)
        var content = try loadBlock(key)
        content.entries.removeAll { $0.id == id }
        blocks[key] = content
        noteChanged(key)
    }

    /// Forgets the index of a folder.
    func dropIndex(of folder: FileID) throws {
        let last = max(try lastBlock(of: folder), changedBlocks[folder]?.max() ?? 0)
        for number in 0...last {
            blocks[DirectoryBlock.Key(folder: folder, number: number)] = nil
        }
        changedBlocks[folder] = nil
        lastBlocks[folder] = nil
        try db.cachedStatement(sql: "DELETE FROM directory WHERE folder = ?")
            .run(folder.bytes.data)
    }

    private func noteChanged(_ key: DirectoryBlock.Key) {
        changedBlocks[key.folder, default: []].insert(key.number)
    }

    /// Seals the blocks that changed; the transaction's last step.
    func flush() throws {
        let replace = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO directory (folder, block, sealed) VALUES (?, ?, ?)"
        )
        let remove = try db.cachedStatement(
            sql: "DELETE FROM directory WHERE folder = ? AND block = ?"
        )
        let changed = changedBlocks.flatMap { folder, numbers in
            numbers.map { DirectoryBlock.Key(folder: folder, number: $0) }
        }
        for key in changed {
            guard let block = blocks[key] else { continue }
            if block.entries.isEmpty {
                try remove.execute(arguments: [key.folder.bytes.data, key.number])
                continue
            }
            let sealed = try directoryKey.seal(
                block.encoded(),
                bound: DirectoryBlock.binding(key),
                random: environment.random
            )
            try replace.execute(arguments: [key.folder.bytes.data, key.number, sealed.data])
        }
        changedBlocks = [:]
    }

    private func loadBlock(_ key: DirectoryBlock.Key) throws -> DirectoryBlock {
        if let block = blocks[key] { return block }
        let statement = try db.cachedStatement(
            sql: "SELECT sealed FROM directory WHERE folder = ? AND block = ?"
        )
        guard
            let sealed = try statement.first([key.folder.bytes.data, key.number], { $0.bytes(0) })
        else { return DirectoryBlock() }
        return try open(sealed, key)
    }

    private func open(
        _ sealed: [UInt8],
        _ key: DirectoryBlock.Key,
        contents: Bool = true
    ) throws -> DirectoryBlock {
        do {
            return try DirectoryBlock(decoding: plaintext(of: sealed, key), contents: contents)
        } catch is DecodingFailure {
            throw Self.doesNotOpen
        }
    }

    private func plaintext(of sealed: [UInt8], _ key: DirectoryBlock.Key) throws -> [UInt8] {
        do {
            return try directoryKey.open(sealed, bound: DirectoryBlock.binding(key))
        } catch {
            throw Self.doesNotOpen
        }
    }

    private static var doesNotOpen: LockbookError {
        .store(reason: "the directory index does not open")
    }

    private func lastBlock(of folder: FileID) throws -> Int {
        if let number = lastBlocks[folder] { return number }
        let statement = try db.cachedStatement(
            sql: "SELECT max(block) FROM directory WHERE folder = ?"
        )
        let number = try Int.fetchOne(statement, arguments: [folder.bytes.data]) ?? 0
        lastBlocks[folder] = number
        return number
    }
}
